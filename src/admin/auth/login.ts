import { secret } from '../../lib/secret.ts';
import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { accessSettings, verifyAccess, type AccessIdentity } from './access.ts';
import type { AccessContext } from './access-keys.ts';
import { isLink, isRead, originOf } from './cross-site.ts';
import type { Role } from './role.ts';

/** Shorter tokens can be guessed over the network. */
const MIN_TOKEN_LENGTH = 8;

/** Who is logged in, and how; `expiresAt` (ms) is when that ends, null: never. */
export interface Identity {
  readonly actor: string;
  readonly role: Role;
  readonly via: 'token' | 'session' | 'access';
  readonly expiresAt: number | null;
}

/** The result of checking a request's credentials. */
type Login =
  | ({ readonly kind: 'in' } & Identity)
  /** No login is possible, and `detail` says what is missing for it. */
  | { readonly kind: 'closed'; readonly detail: string }
  /** `tried`: with which credentials; none is no attempt. */
  | { readonly kind: 'refused'; readonly tried: 'nothing' | 'token' | 'access' }
  /** Access vouches for the person, but another site's page may have made the request. */
  | { readonly kind: 'cross-site' }
  | { readonly kind: 'unavailable' };

/** Checks the bearer token first, then Cloudflare Access; one of them is enough. */
export async function login(request: Request, env: Env, context: AccessContext): Promise<Login> {
  const tokens = adminTokens(env);
  const access = accessSettings(env);
  if (tokens.length === 0 && (!access.ok || access.value === null))
    return { kind: 'closed', detail: `${NO_TOKEN}${access.ok ? '' : ` ${access.error}`}` };
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (bearer !== undefined && (await isOneOf(tokens, bearer)))
    return { kind: 'in', actor: 'token', role: 'editor', via: 'token', expiresAt: null };
  const refused: Login = { kind: 'refused', tried: bearer === undefined ? 'nothing' : 'token' };
  const assertion = findAssertion(request);
  if (assertion === null) return refused;
  if (!access.ok) return bearer === undefined ? { kind: 'closed', detail: access.error } : refused;
  if (access.value === null) return refused;
  const identity = await verifyAccess(assertion.token, access.value, context);
  if (identity.ok) return admit(request, assertion, identity.value);
  if (identity.error === 'unavailable') return { kind: 'unavailable' };
  return bearer === undefined ? { kind: 'refused', tried: 'access' } : refused;
}

const NO_TOKEN = `No ADMIN_TOKEN of at least ${MIN_TOKEN_LENGTH} characters is set: \`wrangler secret put ADMIN_TOKEN\`.`;

/** The token, and the next one while it is being replaced. */
const adminTokens = (env: Env): readonly string[] =>
  ['ADMIN_TOKEN', 'ADMIN_TOKEN_NEXT'].flatMap((name) => {
    const token = secret(env, name) ?? '';
    return token.length < MIN_TOKEN_LENGTH ? [] : [token];
  });

/** All of them are compared, so that the time taken does not reveal which one it was. */
async function isOneOf(tokens: readonly string[], given: string): Promise<boolean> {
  const equal = await Promise.all(tokens.map((token) => equalsInConstantTime(given, token)));
  return equal.includes(true);
}

/** A token of Access, and whether only a cookie carries it. */
interface Assertion {
  readonly token: string;
  readonly isCookie: boolean;
}

function findAssertion({ headers }: Request): Assertion | null {
  const header = headers.get('cf-access-jwt-assertion');
  if (header !== null) return { token: header, isCookie: false };
  const cookie = /(?:^|;)\s*CF_Authorization=([^;\s]+)/.exec(headers.get('cookie') ?? '')?.[1];
  return cookie === undefined ? null : { token: cookie, isCookie: true };
}

/**
 * A request with a cookie alone has to come from this host's page if it changes anything; from another site neither is
 * accepted.
 */
function admit(request: Request, { isCookie }: Assertion, identity: AccessIdentity): Login {
  const origin = originOf(request);
  const isMeant =
    origin === 'own' ||
    (origin === 'unknown' && (!isCookie || isRead(request))) ||
    (origin === 'foreign' && isLink(request));
  return isMeant ? { kind: 'in', ...identity, role: 'editor', via: 'access' } : { kind: 'cross-site' };
}
