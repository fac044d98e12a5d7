import { createMiddleware } from 'hono/factory';
import { log } from '../../lib/log.ts';
import { problemResponse, type Problem } from '../../lib/problem.ts';
import { FailedLogins } from './failed-logins.ts';
import { login, type Identity } from './login.ts';

/** What the admin routes know of a request: who asked, for the record of what they do. */
export type AdminVariables = Identity;

const failures = new FailedLogins();

/**
 * Lets a request through that carries `ADMIN_TOKEN` (or `ADMIN_TOKEN_NEXT`) as a bearer token, or comes through
 * Cloudflare Access. With neither configured the door is shut.
 */
export const requireAdmin = createMiddleware<{ Bindings: Env; Variables: AdminVariables }>(
  async (context, next) => {
    const now = Date.now();
    const result = await login(context.req.raw, context.env, { now, fetch });
    switch (result.kind) {
      case 'in':
        context.set('actor', result.actor);
        context.set('expiresAt', result.expiresAt);
        return next();
      case 'closed':
        return problemResponse({ ...CLOSED, detail: result.detail });
      case 'cross-site':
        return problemResponse(CROSS_SITE);
      case 'unavailable':
        return problemResponse(ACCESS_UNAVAILABLE);
      case 'refused':
        return problemResponse(
          result.tried === 'nothing' ? UNAUTHORIZED : failed(context.req.raw, result.tried, now),
        );
    }
  },
);

/** An attempt that was wrong. Beyond the limits nothing more is logged of it, so that the log cannot be flooded. */
function failed(request: Request, tried: string, now: number): Problem {
  // Set by Cloudflare on every request; without it (locally) all are one.
  const address = request.headers.get('cf-connecting-ip') ?? '';
  const limited = failures.add(address, now);
  if (limited?.isFirst ?? true) log('warn', 'admin.refused', { tried, address, limited: limited !== null });
  return limited === null ? UNAUTHORIZED : tooMany(limited.retryAfterSeconds);
}

const CLOSED = { status: 403, type: 'admin-closed', title: 'The admin API is closed' };

const UNAUTHORIZED: Problem = {
  status: 401,
  type: 'unauthorized',
  title: 'Unauthorized',
  detail: 'Send the admin token as `Authorization: Bearer …`, or sign in through Cloudflare Access.',
  headers: { 'www-authenticate': 'Bearer realm="hookbell admin"' },
};

const tooMany = (seconds: number): Problem => ({
  status: 429,
  type: 'too-many-failures',
  title: 'Too many failed logins',
  detail: `Too many requests came with a wrong token. Try again in ${seconds} seconds.`,
  headers: { 'retry-after': String(seconds) },
});

const CROSS_SITE: Problem = {
  status: 403,
  type: 'cross-site',
  title: 'Cross-site request',
  detail:
    'Cloudflare Access vouches for you, but not for the page that asks. Ask from a page of this host, which sends `Origin` or `Sec-Fetch-Site`, or send the admin token.',
};

const ACCESS_UNAVAILABLE: Problem = {
  status: 503,
  type: 'access-unavailable',
  title: 'Cloudflare Access is unavailable',
  detail: 'The keys of your Access team could not be fetched. Try again.',
  headers: { 'retry-after': '5' },
};
