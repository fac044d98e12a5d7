import { createMiddleware } from 'hono/factory';
import { log } from '../../lib/log.ts';
import { problemResponse, type Problem } from '../../lib/problem.ts';
import { FailedLogins } from './failed-logins.ts';
import { login, type Identity } from './login.ts';
import { mayAct, type Role } from './role.ts';
import { roleForRequest } from './route-roles.ts';
import { openedRequest, pathOf, seenAnswer } from './viewer-answers.ts';
import { REFUSALS } from '../request/refusals.ts';

/** What the admin routes know of a request: its actor, for the record of who did what. */
export type AdminVariables = Identity;

const failures = new FailedLogins();

/**
 * Accepts a request that carries a token as a bearer token, or the cookie of a session, or comes through Cloudflare
 * Access, of somebody whose role may do it. Without a token and Access every request is refused. What a viewer is
 * answered is masked here.
 */
export const requireAdmin = createMiddleware<{ Bindings: Env; Variables: AdminVariables }>(
  async (context, next) => {
    const now = Date.now();
    const { env, req } = context;
    const result = await loginOf(req.raw, env, now);
    switch (result.kind) {
      case 'in': {
        const url = new URL(req.url);
        const needed = roleForRequest(req.method, pathOf(req.path), url.searchParams);
        if (!mayAct(result.role, needed)) return roleRequired(result.role, needed);
        context.set('actor', result.actor);
        context.set('role', result.role);
        context.set('via', result.via);
        context.set('expiresAt', result.expiresAt);
        context.set('session', result.session);
        context.set('token', result.token);
        if (result.role !== 'viewer') return next();
        context.req.raw = await openedRequest(req.raw, env);
        await next();
        context.res =
          (await seenAnswer(context.res, pathOf(req.path), env)) ?? roleRequired('viewer', 'operator');
        return;
      }
      case 'no-role':
        return problemResponse({
          ...REFUSALS['role-required'],
          detail: `You are signed in as ${result.actor}, to whom ACCESS_ROLES gives no role.`,
        });
      case 'closed':
        return problemResponse({ ...REFUSALS['admin-closed'], detail: result.detail });
      case 'cross-site':
        return problemResponse(REFUSALS['cross-site']);
      case 'unavailable':
        return problemResponse(REFUSALS['access-unavailable']);
      case 'refused':
        return result.tried === 'nothing'
          ? problemResponse(REFUSALS.unauthorized)
          : refused(req.raw, result.tried, now);
    }
  },
);

const logins = new WeakMap<Env, ReturnType<typeof login>>();

/** Bindings for requests that come with the login of this one, so that it is looked at once for all of them. */
export function withLoginOf(request: Request, env: Env): Env {
  const own = { ...env };
  logins.set(own, login(request, env, { now: Date.now(), fetch }));
  return own;
}

const loginOf = (request: Request, env: Env, now: number): ReturnType<typeof login> =>
  logins.get(env) ?? login(request, env, { now, fetch });

const roleRequired = (role: Role, needed: Role): Response =>
  problemResponse({
    ...REFUSALS['role-required'],
    detail: `This needs the role ${needed}, and you are ${role}.${needed === 'operator' && role === 'viewer' ? ' A viewer only looks, and may not search for a number or a text.' : ''}`,
  });

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
