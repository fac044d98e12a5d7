import { log } from '../../lib/log.ts';
import { problemResponse, type Problem } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { Failures } from '../../lib/failures.ts';
import { login, type Identity } from './login.ts';
import type { Role } from './tokens.ts';
import { REFUSALS } from '../request/input.ts';

const failures = new Failures();

/** Identifies the caller. Refuses every request if neither a token nor Access is set up. */
export async function admit(request: Request, env: Env): Promise<Result<Identity, Response>> {
  const now = Date.now();
  const result = await login(request, env, { now, fetch });
  switch (result.kind) {
    case 'in':
      return ok(result);
    case 'no-role':
      return refusal({
        ...REFUSALS['role-required'],
        detail: `You are signed in as ${result.actor}, who has no role in ACCESS_ROLES.`,
      });
    case 'closed':
      return refusal({ ...REFUSALS['admin-closed'], detail: result.detail });
    case 'cross-site':
      return refusal(REFUSALS['cross-site']);
    case 'unavailable':
      return refusal(REFUSALS['access-unavailable']);
    case 'refused':
      return result.tried === 'nothing'
        ? refusal(REFUSALS.unauthorized)
        : err(refused(request, result.tried, now));
  }
}

const refusal = (problem: Problem): Result<never, Response> => err(problemResponse(problem));

export const roleRequired = (role: Role, needed: Role): Response =>
  problemResponse({
    ...REFUSALS['role-required'],
    detail: `This needs the role ${needed}; yours is ${role}.${needed === 'operator' && role === 'viewer' ? ' Viewers can only read, and cannot search for numbers or texts.' : ''}`,
  });

/** Answers a failed attempt. Above the limits only the first is logged, so that nobody can flood the log. */
export function refused(
  request: Request,
  tried: string,
  now: number,
  problem: Problem = REFUSALS.unauthorized,
): Response {
  // Cloudflare sets it on every request. Without it (locally) all clients count as one.
  const address = request.headers.get('cf-connecting-ip') ?? '';
  const limited = failures.add(address, now);
  if (limited?.isFirst ?? true) log('warn', 'admin.refused', { tried, address, limited: limited !== null });
  return problemResponse(limited === null ? problem : tooMany(limited.retryAfterSeconds));
}

export const tooMany = (seconds: number): Problem => ({
  ...REFUSALS['too-many-failures'],
  detail: `Too many requests had a wrong token. Try again in ${seconds} seconds.`,
  headers: { 'retry-after': String(seconds) },
});
