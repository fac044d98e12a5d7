import { login, type Identity } from './login.ts';

type Who = Pick<Identity, 'actor' | 'role'>;

/** A browser that is signed in as somebody else than the one who it signs in now; `session`: its own, null by Access. */
type Replaced =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'somebody'; readonly question: string; readonly session: string | null }
  /** It may be another site's page that asks. */
  | { readonly kind: 'cross-site' };

/** Whom a sign-in as `who` would replace in the request's browser. */
export async function replacedBy(who: Who, request: Request, env: Env, now: number): Promise<Replaced> {
  const signedIn = await login(request, env, { now, fetch });
  if (signedIn.kind === 'cross-site') return signedIn;
  // A program's token goes with each of its requests, whatever its cookie is.
  if (signedIn.kind !== 'in' || signedIn.via === 'token') return { kind: 'nobody' };
  const { actor, role, session } = signedIn;
  if (actor === who.actor && role === who.role) return { kind: 'nobody' };
  const ends = session === null ? '' : ' Your current session then ends.';
  const question = `You are signed in as ${named(signedIn)}, and this signs you in as ${named(who)}: send \`replace: true\` if you want that.${ends}`;
  return { kind: 'somebody', question, session };
}

const named = ({ actor, role }: Who): string => (actor === role ? role : `${role} (${actor})`);
