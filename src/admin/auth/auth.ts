import { createMiddleware } from 'hono/factory';
import { log } from '../../lib/log.ts';
import { problemResponse, type Problem } from '../../lib/problem.ts';
import { FailedLogins } from './failed-logins.ts';
import { login, type Identity } from './login.ts';
import { REFUSALS } from '../request/refusals.ts';

/** What the admin routes know of a request: its actor, for the record of who did what. */
export type AdminVariables = Identity;

const failures = new FailedLogins();

/**
 * Accepts a request that carries `ADMIN_TOKEN` (or `ADMIN_TOKEN_NEXT`) as a bearer token, or the cookie of a session,
 * or comes through Cloudflare Access. Without a token and Access every request is refused.
 */
export const requireAdmin = createMiddleware<{ Bindings: Env; Variables: AdminVariables }>(
  async (context, next) => {
    const now = Date.now();
    const result = await login(context.req.raw, context.env, { now, fetch });
    switch (result.kind) {
      case 'in':
        context.set('actor', result.actor);
        context.set('role', result.role);
        context.set('via', result.via);
        context.set('expiresAt', result.expiresAt);
        context.set('session', result.session);
        context.set('token', result.token);
        return next();
      case 'closed':
        return problemResponse({ ...REFUSALS['admin-closed'], detail: result.detail });
      case 'cross-site':
        return problemResponse(REFUSALS['cross-site']);
      case 'unavailable':
        return problemResponse(REFUSALS['access-unavailable']);
      case 'refused':
        return result.tried === 'nothing'
          ? problemResponse(REFUSALS.unauthorized)
          : refused(context.req.raw, result.tried, now);
    }
  },
);

/** Answers a failed attempt. Beyond the limits only the first is logged, so that the log cannot be flooded. */
export function refused(
  request: Request,
  tried: string,
  now: number,
  problem: Problem = REFUSALS.unauthorized,
): Response {
  // Set by Cloudflare on every request; without it (locally) all clients count as one.
  const address = request.headers.get('cf-connecting-ip') ?? '';
  const limited = failures.add(address, now);
  if (limited?.isFirst ?? true) log('warn', 'admin.refused', { tried, address, limited: limited !== null });
  return problemResponse(limited === null ? problem : tooMany(limited.retryAfterSeconds));
}

const tooMany = (seconds: number): Problem => ({
  ...REFUSALS['too-many-failures'],
  detail: `Too many requests came with a wrong token. Try again in ${seconds} seconds.`,
  headers: { 'retry-after': String(seconds) },
});
