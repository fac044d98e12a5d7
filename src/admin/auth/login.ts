import { registry } from '../../config/load.ts';
import { accessSettings, verifyAccess } from './access.ts';
import { cookieIn, readCredential } from './credential.ts';
import type { VerifyContext } from '../../signature/certificates/fetched.ts';
import { type Role, findToken, NO_TOKEN, signersOf, tokensOf, type Token } from './tokens.ts';
import { log } from '../../lib/log.ts';
import { problemResponse, type Problem } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { Failures } from '../../lib/failures.ts';
import { REFUSALS } from '../request/input.ts';

/** Who is logged in, and by which way. `expiresAt` (ms) is null if the login has no end. */
export interface Identity {
  readonly actor: string;
  readonly role: Role;
  readonly via: 'token' | 'session' | 'access';
  readonly expiresAt: number | null;
  readonly session: string | null;
  /** The token behind the login; null if it came through Access. */
  readonly token: Token | null;
}

/** `tried`: the kind of wrong credentials; absent if there were none, or they were not what was wrong. */
const refusal = (problem: Problem, tried?: 'token' | 'access') => err({ problem, tried });

type Login = Result<Identity, ReturnType<typeof refusal>['error']>;

const closed = (detail: string) => refusal({ ...REFUSALS['admin-closed'], detail });

/** Checks the bearer token first, then the session, then Cloudflare Access. One of them is enough. */
export async function login(request: Request, env: Env, context: VerifyContext): Promise<Login> {
  const tokens = tokensOf(env);
  const access = accessSettings(env);
  if (tokens.length === 0 && (!access.ok || access.value === null))
    return closed(`${NO_TOKEN}${access.ok ? '' : ` ${access.error}`}`);
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const token = bearer === undefined ? undefined : await findToken(tokens, bearer);
  if (token !== undefined) {
    const { actor, role } = token;
    return ok({ actor, role, via: 'token', expiresAt: null, session: null, token });
  }
  const session = await bySession(request, env, context.now);
  if (session !== null) return session;
  const refused = refusal(REFUSALS.unauthorized, bearer === undefined ? undefined : 'token');
  const header = request.headers.get('cf-access-jwt-assertion');
  const cookie = /(?:^|;)\s*CF_Authorization=([^;\s]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
  const assertion = header ?? cookie;
  if (assertion === undefined) return refused;
  if (!access.ok) return bearer === undefined ? closed(access.error) : refused;
  if (access.value === null) return refused;
  const identity = await verifyAccess(assertion, access.value, context);
  if (!identity.ok) {
    if (identity.error === 'unavailable') return refusal(REFUSALS['access-unavailable']);
    return bearer === undefined ? refusal(REFUSALS.unauthorized, 'access') : refused;
  }
  // If only a cookie proves the login, a change has to come from this host's page.
  const isMeant = header !== null || isRead(request) || originOf(request) === 'own';
  if (!isMeant || isForeign(request)) return CROSS_SITE;
  const { actor, role, expiresAt } = identity.value;
  const detail = `You are signed in as ${actor}, who has no role in ACCESS_ROLES.`;
  if (role === null) return refusal({ ...REFUSALS['role-required'], detail });
  return ok({ actor, role, via: 'access', expiresAt, session: null, token: null });
}

/** The person is known, but another site's page may have made the request. */
const CROSS_SITE = refusal(REFUSALS['cross-site']);

async function bySession(request: Request, env: Env, now: number): Promise<Login | null> {
  const credential = await readCredential('session', cookieIn(request) ?? '', signersOf(env), now);
  if (credential === null) return null;
  const isMeant = isRead(request)
    ? !isForeign(request)
    : // Programs have tokens, and every browser sends `Origin` with a request that changes something.
      request.headers.get('origin') === new URL(request.url).origin;
  if (!isMeant) return CROSS_SITE;
  const { id, expiresAt, token } = credential;
  const session = await registry(env).findSession(id, now);
  if (session === null) return null;
  const { actor } = session;
  return ok({ actor, role: token.role, via: 'session', expiresAt, session: id, token });
}

/**
 * The origin of a request as the browser states it; `unknown` if it does not, or if the client is not a browser. A
 * browser sends Access's cookie with any page's request, so it does not prove that the person meant it. A page cannot
 * forge the headers that are read here.
 */
export function originOf(request: Request): 'own' | 'foreign' | 'unknown' {
  // https://www.w3.org/TR/fetch-metadata/: `none` is the address bar or a bookmark.
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign';
  const origin = request.headers.get('origin');
  if (origin === null) return 'unknown';
  return origin === new URL(request.url).origin ? 'own' : 'foreign';
}

/** True if another site's page made the request; it may only link here. */
const isForeign = (request: Request): boolean => originOf(request) === 'foreign' && !isLink(request);

/** True for a link that a person follows, and for the redirect from Access's login page, which is another site. */
export const isLink = (request: Request): boolean =>
  request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate';

export const isRead = (request: Request): boolean => request.method === 'GET' || request.method === 'HEAD';

const failures = new Failures();

/** Identifies the caller. Refuses every request if neither a token nor Access is set up. */
export async function admit(request: Request, env: Env): Promise<Result<Identity, Response>> {
  const now = Date.now();
  const result = await login(request, env, { now, fetch });
  if (result.ok) return result;
  const { problem, tried } = result.error;
  return err(tried === undefined ? problemResponse(problem) : refused(request, tried, now, problem));
}

export const roleRequired = (role: Role, needed: Role): Response =>
  problemResponse({
    ...REFUSALS['role-required'],
    detail: `This needs the role ${needed}; yours is ${role}.${needed === 'operator' && role === 'viewer' ? ' Viewers can only read, and cannot search for numbers or texts.' : ''}`,
  });

/** Answers a failed attempt. Above the limits only the first is logged, so that nobody can flood the log. */
export function refused(request: Request, tried: string, now: number, problem: Problem): Response {
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
