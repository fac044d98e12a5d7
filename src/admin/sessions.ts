import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { registry } from '../config/registry-client.ts';
import { HOUR, MINUTE } from '../lib/duration.ts';
import { randomBase32, secureRandomBytes } from '../lib/id.ts';
import { iso } from '../lib/iso.ts';
import { log } from '../lib/log.ts';
import { problemResponse } from '../lib/problem.ts';
import { strictDocument } from '../schema/parts.ts';
import { refused, type AdminVariables } from './auth/auth.ts';
import { setCookie } from './auth/cookie.ts';
import { readCredential, writeCredential, type Credential } from './auth/credential.ts';
import { originOf } from './auth/cross-site.ts';
import type { Role } from './auth/role.ts';
import { findToken, NO_TOKEN, tokensOf } from './auth/tokens.ts';
import { viewersSeePayloads } from './auth/viewer-sees.ts';
import { check, checkQuery, conflict, invalid, notFound, readJson } from './request/input.ts';
import { REFUSALS } from './request/refusals.ts';

type AdminContext = Context<{ Bindings: Env; Variables: AdminVariables }>;

const SESSION_MS = 12 * HOUR;
const CODE_MS = 10 * MINUTE;

/** Longer than any token; UTF-16 units. */
const MAX_TOKEN = 4_096;
/** Of what a browser calls itself, this much is kept. */
const MAX_CLIENT = 200;

const token = z.string({ error: 'must be text' }).check(z.maxLength(MAX_TOKEN, { error: 'is too long' }));

/** The body of `POST /session`: one of these. */
export const signInSchema = strictDocument({ token: z.optional(token), code: z.optional(token) });

/** `POST /session`: signing in, which needs no login. */
export const signIn = new Hono<{ Bindings: Env }>();

signIn.post('/session', async (context) => {
  const query = checkQuery({}, context);
  if (!query.ok) return query.error;
  const { env } = context;
  const request = context.req.raw;
  // Another site's page could sign a person in as somebody else.
  if (originOf(request) === 'foreign') return problemResponse(REFUSALS['cross-site']);
  if (setCookie(request, '', 0) === null) return invalid('A session needs https, except on localhost.', []);
  if (tokensOf(env).length === 0) return problemResponse({ ...REFUSALS['admin-closed'], detail: NO_TOKEN });
  const body = await readJson(request);
  if (!body.ok) return body.error;
  const given = check(signInSchema, body.value);
  if (!given.ok) return given.error;
  const { token: text, code } = given.value;
  if ((text === undefined) === (code === undefined)) return invalid('Give either `token` or `code`.', []);
  const now = Date.now();
  const proven = text === undefined ? await byCode(env, code ?? '', now) : await byToken(env, text, now);
  if (proven === null)
    return refused(request, text === undefined ? 'code' : 'token', now, REFUSALS['sign-in-failed']);
  const { expiresAt, token: by } = proven;
  const { actor, role } = by;
  const id = newId();
  const cookie = await writeCredential('session', { id, expiresAt, token: by });
  const header = setCookie(request, cookie, Math.ceil((expiresAt - now) / 1_000)) ?? '';
  const client = request.headers.get('user-agent')?.slice(0, MAX_CLIENT) ?? null;
  await registry(env).addSession({
    id,
    role,
    actor,
    client,
    created_at: now,
    expires_at: expiresAt,
    opens_until: null,
    made_by: null,
  });
  log('info', 'session.opened', { session: id, by: actor, role });
  return context.json(infoOf(env, { actor, role, via: 'session', expiresAt }), 200, { 'set-cookie': header });
});

/** What a session is opened with, and when that ends; null: it proves nothing. */
type Proven = Pick<Credential, 'token' | 'expiresAt'> | null;

async function byToken(env: Env, text: string, now: number): Promise<Proven> {
  const found = await findToken(tokensOf(env), text);
  return found === undefined ? null : { token: found, expiresAt: now + SESSION_MS };
}

/** Uses the code up. */
async function byCode(env: Env, text: string, now: number): Promise<Proven> {
  const code = await readCredential('code', text, tokensOf(env), now);
  const expiresAt = code && (await registry(env).redeemCode(code.id, now));
  return code && expiresAt !== null ? { token: code.token, expiresAt } : null;
}

/** The caller's own login, and the sessions of all. */
export const sessions = new Hono<{ Bindings: Env; Variables: AdminVariables }>();

sessions.get('/session', (context) => {
  const query = checkQuery({}, context);
  return query.ok ? context.json(infoOf(context.env, context.var)) : query.error;
});

sessions.delete('/session', async (context) => {
  const query = checkQuery({}, context);
  if (!query.ok) return query.error;
  const id = context.get('session');
  if (id !== null) await end(context, id);
  const cookie = setCookie(context.req.raw, '', 0);
  return new Response(null, { status: 204, headers: cookie === null ? {} : { 'set-cookie': cookie } });
});

/** A one-time code for another browser; its session ends when the caller's own does. */
sessions.post('/session/link', async (context) => {
  const query = checkQuery({}, context);
  if (!query.ok) return query.error;
  const by = context.get('token');
  if (by === null) return conflict('Who signs in through Cloudflare Access needs no code: open /admin.');
  const now = Date.now();
  const credential = { id: newId(), expiresAt: now + CODE_MS, token: by };
  await registry(context.env).addSession({
    id: credential.id,
    role: by.role,
    actor: by.actor,
    client: null,
    created_at: now,
    expires_at: credential.expiresAt,
    opens_until: context.get('expiresAt') ?? now + SESSION_MS,
    made_by: context.get('session'),
  });
  const code = await writeCredential('code', credential);
  const url = `${new URL(context.req.url).origin}/admin#code=${code}`;
  return context.json({ code, url, expires_at: iso(credential.expiresAt) });
});

sessions.get('/sessions', async (context) => {
  const query = checkQuery({}, context);
  if (!query.ok) return query.error;
  const found = await registry(context.env).sessions(Date.now());
  const items = found.map(({ id, actor, role, created_at, expires_at, seen_at, client }) => ({
    id,
    actor,
    role,
    created_at: iso(created_at),
    expires_at: iso(expires_at),
    seen_at: iso(seen_at),
    is_current: id === context.get('session'),
    client,
  }));
  return context.json({ items, next_cursor: null });
});

sessions.delete('/sessions/:id', async (context) => {
  const query = checkQuery({}, context);
  if (!query.ok) return query.error;
  const id = context.req.param('id');
  return (await end(context, id)) ? new Response(null, { status: 204 }) : notFound(`session \`${id}\``);
});

async function end(context: AdminContext, id: string): Promise<boolean> {
  const isEnded = await registry(context.env).endSession(id);
  if (isEnded) log('info', 'session.ended', { session: id, by: context.get('actor') });
  return isEnded;
}

const newId = (): string => `ses_${randomBase32(26, secureRandomBytes)}`;

interface Login {
  readonly actor: string;
  readonly role: Role;
  readonly via: string;
  readonly expiresAt: number | null;
}

const infoOf = (env: Env, { actor, role, via, expiresAt }: Login) => ({
  actor,
  role,
  via,
  expires_at: expiresAt === null ? null : iso(expiresAt),
  sees_payloads: role !== 'viewer' || viewersSeePayloads(env),
});
