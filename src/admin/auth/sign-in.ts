import { registry } from '../../config/registry-client.ts';
import { HOUR } from '../../lib/duration.ts';
import type { NewSession } from '../../registry/sessions.ts';
import { readCredential } from './credential.ts';
import { login, type Identity } from './login.ts';
import { findToken, signersOf, tokensOf, type Token } from './tokens.ts';

export const SESSION_MS = 12 * HOUR;

/** A credential that may open a session; null if the text proves nothing. */
type Proven = {
  readonly token: Token;
  /** The name under which the session is recorded. */
  readonly actor: string;
  /** Opens the session, and returns when it ends; null if the code was used meanwhile. */
  readonly open: (session: Pick<NewSession, 'id' | 'client'>, now: number) => Promise<number | null>;
} | null;

export async function byToken(env: Env, text: string, name: string | undefined): Promise<Proven> {
  const found = await findToken(tokensOf(env), text);
  if (found === undefined) return null;
  const { role } = found;
  const actor = name ?? found.actor;
  const open = async (session: Pick<NewSession, 'id' | 'client'>, now: number): Promise<number> => {
    const expires_at = now + SESSION_MS;
    const times = { created_at: now, expires_at, opens_until: null };
    await registry(env).addSession({ ...session, role, actor, ...times, made_by: null, invited_by: null });
    return expires_at;
  };
  return { token: found, actor, open };
}

/** The code is used up when the session opens. Asking whether to replace somebody does not use it up. */
export async function byCode(env: Env, text: string, now: number): Promise<Proven> {
  const code = await readCredential('code', text, signersOf(env), now);
  const found = code === null ? null : await registry(env).findCode(code.id, now);
  if (code === null || found === null) return null;
  const { token: by, id } = code;
  return { token: by, actor: found.actor, open: (session, at) => registry(env).redeemCode(id, session, at) };
}

type Who = Pick<Identity, 'actor' | 'role'>;

/**
 * The person whom a new sign-in in the same browser would replace. `session` is that person's; null if Access signs
 * them in.
 */
type Replaced =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'somebody'; readonly question: string; readonly session: string | null }
  /** Another site's page may have sent the request. */
  | { readonly kind: 'cross-site' };

/** Returns the person whom a sign-in as `who` would replace in the request's browser. */
export async function replacedBy(who: Who, request: Request, env: Env, now: number): Promise<Replaced> {
  const signedIn = await login(request, env, { now, fetch });
  if (signedIn.kind === 'cross-site') return signedIn;
  // A program sends its token with each request, whatever cookie it has.
  if (signedIn.kind !== 'in' || signedIn.via === 'token') return { kind: 'nobody' };
  const { actor, role, session } = signedIn;
  if (actor === who.actor && role === who.role) return { kind: 'nobody' };
  const ends = session === null ? '' : ' Your current session then ends.';
  const question = `You are signed in as ${named(signedIn)}, and this signs you in as ${named(who)}: send \`replace: true\` if you want that.${ends}`;
  return { kind: 'somebody', question, session };
}

const named = ({ actor, role }: Who): string => (actor === role ? role : `${role} (${actor})`);
