import * as z from 'zod/mini';
import { PERSON_NAME } from '../config/documents/name.ts';
import { registry } from '../config/load.ts';
import { DAY, MINUTE, HOUR, iso } from '../lib/time.ts';
import { randomBase32, secureRandomBytes } from '../lib/id.ts';
import { log } from '../lib/log.ts';
import { NO_PERSONS } from '../lib/person-name.ts';
import { problemResponse } from '../lib/problem.ts';
import { oneOf, strictDocument } from '../schema/parts.ts';
import { apiRoute, publicRoute, WithHeaders, type ApiRoutes } from './api/route.ts';
import { refused, originOf, type Identity, login } from './auth/login.ts';
import { setCookie, writeCredential, readCredential } from './auth/credential.ts';
import { NO_TOKEN, signersOf, tokensOf, findToken, type Token, viewersSeePayloads } from './auth/tokens.ts';
import { conflict, invalid, notFound, wholeList, REFUSALS } from './request/input.ts';
import type { NewSession } from '../registry/sessions.ts';

const SESSION_MS = 12 * HOUR;
const CODE_MS = 10 * MINUTE;
/** An invitation is void after the first, and its session ends after the second. Both count from the invitation. */
const [INVITATION_MS, INVITED_MS] = [7 * DAY, 30 * DAY];

/** Longer than any token, in UTF-16 units. */
const MAX_TOKEN = 4_096;
const MAX_CLIENT = 200;

const token = z.string({ error: 'must be text' }).check(z.maxLength(MAX_TOKEN, { error: 'is too long' }));

/** Names that records use for logins without a name. A name with `@` would look like one that Access vouches for. */
const NOT_NAMES: ReadonlySet<string> = new Set(NO_PERSONS);

const personName = z.string({ error: 'must be text' }).check(
  z.refine((name) => PERSON_NAME.test(name), {
    error: 'must be a name of at most 64 characters, without `/`, `{` or line breaks',
  }),
  z.refine((name) => !name.includes('@') && !NOT_NAMES.has(name.toLowerCase()), {
    error: 'must be a person’s name, without `@`, and not a login such as `token`',
  }),
);

/** A token or a code. `replace` allows it even if the browser is signed in as somebody else. */
const signInSchema = strictDocument(() => ({
  token: z.optional(token),
  code: z.optional(token),
  name: z.optional(personName),
  replace: z.optional(z.boolean({ error: 'must be true or false' })),
}));
type SignIn = z.output<typeof signInSchema>;

export const sessionRoutes = {
  signIn: publicRoute('POST /session', {
    body: signInSchema,
    handle: async ({ env, request, body }) => {
      // Another site's page could sign a person in as somebody else.
      if (originOf(request) === 'foreign') return problemResponse(REFUSALS['cross-site']);
      if (setCookie(request, '', 0) === null)
        return invalid([], 'A session needs https, except on localhost.');
      if (tokensOf(env).length === 0)
        return problemResponse({ ...REFUSALS['admin-closed'], detail: NO_TOKEN });
      const { token: text, code, name, replace = false } = body;
      if ((text === undefined) === (code === undefined)) return invalid([], 'Give either `token` or `code`.');
      if (code !== undefined && name !== undefined)
        return invalid([], 'A code has the name of the person it is for: leave out `name`.');
      const now = Date.now();
      const tried = text === undefined ? 'code' : 'token';
      const failed = (): Response => refused(request, tried, now, REFUSALS['sign-in-failed']);
      const proof = await proofOf(env, body, now);
      if (proof === null) return failed();
      const { token: by, actor } = proof;
      const { role } = by;
      const before = await login(request, env, { now, fetch });
      if (!before.ok && before.error.problem.type === 'cross-site')
        return problemResponse(before.error.problem);
      const replaced = before.ok && isReplaced(before.value, { actor, role }) ? before.value : null;
      if (replaced !== null && !replace) return conflict(questionOf(replaced, { actor, role }));
      const id = newId();
      const client = request.headers.get('user-agent')?.slice(0, MAX_CLIENT) ?? null;
      const expiresAt = await open(env, proof, { id, client }, now);
      if (expiresAt === null) return failed();
      log('info', 'session.opened', { session: id, by: actor, role });
      if (replaced?.session) await end(env, replaced.session, actor);
      const cookie = await writeCredential('session', { id, expiresAt, token: by });
      const header = setCookie(request, cookie, Math.ceil((expiresAt - now) / 1_000)) ?? '';
      const info = infoOf(env, { actor, role, via: 'session', expiresAt });
      return new WithHeaders(info, { 'set-cookie': header });
    },
  }),

  getSession: apiRoute('GET /session', 'viewer', {
    view: 'own',
    handle: async ({ env, login }) => infoOf(env, login),
  }),

  signOut: apiRoute('DELETE /session', 'viewer', {
    view: 'empty',
    handle: async ({ env, request, login }) => {
      if (login.session !== null) await end(env, login.session, login.actor);
      const cookie = setCookie(request, '', 0);
      return new Response(null, { status: 204, headers: cookie === null ? {} : { 'set-cookie': cookie } });
    },
  }),

  /** Its session ends when the caller's own session ends, for whatever reason. */
  createSessionLink: apiRoute('POST /session/link', 'viewer', {
    // The answer contains a code, which must not be masked.
    view: 'own',
    handle: async ({ env, request, login }) => {
      const { token: by } = login;
      if (by === null) return conflict('With Cloudflare Access you need no code: open /admin.');
      const now = Date.now();
      const made = await makeCode(env, request, by, {
        actor: login.actor,
        created_at: now,
        expires_at: now + CODE_MS,
        opens_until: login.expiresAt ?? now + SESSION_MS,
        made_by: login.session,
        invited_by: null,
      });
      return made?.link ?? problemResponse(REFUSALS.unauthorized);
    },
  }),

  /** Makes a one-time code for another person, with a lower role. Their session does not end with anybody else's. */
  invite: apiRoute('POST /invitations', 'editor', {
    body: strictDocument({ name: personName, role: oneOf(['viewer', 'operator']) }),
    handle: async ({ env, request, login, body: { name, role } }) => {
      const signer = signersOf(env).find((one) => one.role === role);
      if (signer === undefined) return conflict(NO_TOKEN);
      const now = Date.now();
      const made = await makeCode(env, request, signer, {
        actor: name,
        created_at: now,
        expires_at: now + INVITATION_MS,
        opens_until: now + INVITED_MS,
        made_by: null,
        invited_by: login.actor,
      });
      if (made === null) return problemResponse(REFUSALS.unauthorized);
      log('info', 'session.invited', { session: made.id, by: login.actor, role });
      return { ...made.link, session_until: iso(now + INVITED_MS) };
    },
  }),

  listSessions: apiRoute('GET /sessions', 'editor', {
    handle: async ({ env, login }) => {
      const found = await registry(env).sessions(Date.now());
      const items = found.map(({ opens_until, ...session }) => ({
        ...session,
        created_at: iso(session.created_at),
        expires_at: iso(session.expires_at),
        seen_at: iso(session.seen_at),
        is_current: session.id === login.session,
        is_pending: opens_until !== null,
      }));
      return wholeList(items);
    },
  }),

  endSession: apiRoute('DELETE /sessions/{id}', 'editor', {
    handle: async ({ env, params: { id }, login }) =>
      (await end(env, id, login.actor)) ? new Response(null, { status: 204 }) : notFound(`session \`${id}\``),
  }),
} satisfies ApiRoutes;

async function end(env: Env, id: string, by: string): Promise<boolean> {
  const isEnded = await registry(env).endSession(id);
  if (isEnded) log('info', 'session.ended', { session: id, by });
  return isEnded;
}

/** Makes a one-time code for another browser; null if the session that makes it has ended. */
async function makeCode(
  env: Env,
  { url }: Request,
  token: Token,
  session: Omit<NewSession, 'id' | 'role' | 'client'>,
) {
  const id = newId();
  const { expires_at: expiresAt } = session;
  if (!(await registry(env).addSession({ ...session, id, role: token.role, client: null }))) return null;
  const code = await writeCredential('code', { id, expiresAt, token });
  return { id, link: { code, url: `${new URL(url).origin}/admin#code=${code}`, expires_at: iso(expiresAt) } };
}

const newId = (): string => `ses_${randomBase32(26, secureRandomBytes)}`;

const infoOf = (env: Env, { actor, role, via, expiresAt }: Who & Pick<Identity, 'via' | 'expiresAt'>) => ({
  actor,
  role,
  via,
  expires_at: expiresAt === null ? null : iso(expiresAt),
  sees_payloads: role !== 'viewer' || viewersSeePayloads(env),
});

/** The token that proves who signs in; null if the text proves nothing. `code`: its id, if it was not the token itself. */
async function proofOf(env: Env, { token: text, code: given = '', name }: SignIn, now: number) {
  if (text !== undefined) {
    const token = await findToken(tokensOf(env), text);
    return token ? { token, actor: name ?? token.actor, code: null } : null;
  }
  const code = await readCredential('code', given, signersOf(env), now);
  const found = code && (await registry(env).findCode(code.id, now));
  return found && { token: code.token, actor: found.actor, code: code.id };
}

/** Opens the session, and returns when it ends; null if the code was used meanwhile. */
async function open(
  env: Env,
  { token: { role }, actor, code }: NonNullable<Awaited<ReturnType<typeof proofOf>>>,
  session: Pick<NewSession, 'id' | 'client'>,
  now: number,
): Promise<number | null> {
  if (code !== null) return registry(env).redeemCode(code, session, now);
  const expires_at = now + SESSION_MS;
  const times = { created_at: now, expires_at, opens_until: null };
  await registry(env).addSession({ ...session, role, actor, ...times, made_by: null, invited_by: null });
  return expires_at;
}

type Who = Pick<Identity, 'actor' | 'role'>;

/** True if a new sign-in in the same browser would replace somebody. A program sends its token with each request. */
const isReplaced = ({ actor, role, via }: Identity, who: Who): boolean =>
  via !== 'token' && (actor !== who.actor || role !== who.role);

function questionOf(replaced: Identity, who: Who): string {
  const ends = replaced.session === null ? '' : ' Your current session then ends.';
  return `You are signed in as ${named(replaced)}, and this signs you in as ${named(who)}: send \`replace: true\` if you want that.${ends}`;
}

const named = ({ actor, role }: Who): string => (actor === role ? role : `${role} (${actor})`);
