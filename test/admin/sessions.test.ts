import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { registry } from '../../src/config/load.ts';
import { containing } from '../config/support.ts';
import { newTeam } from './access-tokens.ts';
import { knock } from './knock.ts';
import type { PageJson, ProblemJson } from './support.ts';

const RIGHT = 'right-token-0123456789';
const SET = { ADMIN_TOKEN: RIGHT };
const WITH_VIEWER = { ...SET, VIEWER_TOKEN: 'viewer-token-0123456789' };
const CHANGE = ['PUT', '/recipients/by-session', '{"numbers":["4930123456"]}'] as const;
const BEARER = { authorization: `Bearer ${RIGHT}` };
const OWN = { origin: 'https://relay.example' };
const HOUR = 3_600_000;
const relay: Env = env;

type Headers = Readonly<Record<string, string>>;

interface Session {
  readonly id: string;
  readonly is_current: boolean;
  readonly made_by: string | null;
  readonly client: string | null;
}

const signIn = (body: object, headers: Headers = OWN, bindings: object = SET): Promise<Response> =>
  knock({ ...bindings }, headers, ['POST', '/session', JSON.stringify(body)]);

/** The cookie that an answer sets, as the browser sends it. */
const cookieOf = (response: Response): { cookie: string } => {
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { cookie };
};

const open = async (token = RIGHT, bindings: object = SET): Promise<{ cookie: string }> => {
  const response = await signIn({ token }, OWN, bindings);
  expect(response.status).toBe(200);
  return cookieOf(response);
};

const status = async (headers: Headers, bindings: object = SET): Promise<number> =>
  (await knock({ ...bindings }, headers)).status;

const list = async (headers: Headers): Promise<readonly Session[]> =>
  (await (await knock(SET, headers, ['GET', '/sessions'])).json<PageJson<Session>>()).items;

const current = async (headers: Headers) =>
  (await list(headers)).find(({ is_current: isCurrent }) => isCurrent);

const endOf = async (session: Headers, by: Headers) =>
  (await knock(SET, by, ['DELETE', `/sessions/${(await current(session))?.id ?? 'none'}`])).status;

const link = async (headers: Headers, bindings: object = SET) => {
  const answer = await knock({ ...bindings }, headers, ['POST', '/session/link']);
  return answer.json<{ code: string; url: string; expires_at: string }>();
};

/** A session in another browser, by a link that this one makes. */
const handOver = async (from: Headers) =>
  cookieOf(await signIn({ code: (await link({ ...from, ...OWN })).code }));

const signOut = async (session: Headers) =>
  (await knock(SET, { ...session, ...OWN }, ['DELETE', '/session'])).status;

/** The cookie of a viewer, and the code of an editor. */
const viewerAndCode = async () => ({
  viewer: await open('viewer-token-0123456789', WITH_VIEWER),
  code: (await link(BEARER, WITH_VIEWER)).code,
});

/** Moves the clock on by `ms`. */
const later = (ms: number): void => {
  const now = Date.now() + ms;
  vi.spyOn(Date, 'now').mockReturnValue(now);
};

const forget = () =>
  runInDurableObject(registry(relay), (_, { storage }) => void storage.sql.exec('DELETE FROM sessions'));

beforeEach(forget);
afterEach(() => vi.restoreAllMocks());

it('signing in exchanges a token for a cookie that is for this host, and no script', async () => {
  const response = await signIn({ token: RIGHT });
  expect(response.headers.get('set-cookie')).toMatch(
    /^__Host-hookbell=editor\.ses_\w{26}\.\d+\.[0-9a-f]{64}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({
    actor: 'token',
    role: 'editor',
    via: 'session',
    expires_at: expect.any(String) as unknown,
    sees_payloads: true,
  });
  const bearer = await knock(SET, BEARER, ['GET', '/session']);
  expect(await bearer.json()).toMatchObject({ actor: 'token', via: 'token', expires_at: null });
});

it('signing in by anything else is refused, and gives no cookie', async () => {
  for (const [body, expected] of [
    [{ token: 'wrong-token-0123456789' }, 401],
    [{ token: '' }, 401],
    [{ code: 'editor.ses_1.9999999999999.00' }, 401],
    [{}, 422],
    [{ token: RIGHT, code: 'x' }, 422],
    [{ token: 7 }, 422],
    [{ token: 'x'.repeat(5_000) }, 422],
    [{ tokens: 'x' }, 422],
  ] as const) {
    const response = await signIn(body, { ...OWN, 'cf-connecting-ip': '192.0.2.70' });
    expect([body, response.status, response.headers.get('set-cookie')]).toEqual([body, expected, null]);
  }
  expect(await list(BEARER)).toEqual([]);
});

it('signing in counts failures with those of the bearer token', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const from = { 'cf-connecting-ip': '192.0.2.71' };
  for (let n = 0; n < 5; n += 1) {
    expect((await signIn({ token: 'guessed' }, { ...OWN, ...from })).status).toBe(401);
    expect(await status({ authorization: 'Bearer guessed', ...from })).toBe(401);
  }
  expect((await signIn({ token: 'guessed' }, { ...OWN, ...from })).status).toBe(429);
  expect((await signIn({ token: RIGHT }, { ...OWN, ...from })).status).toBe(200);
});

it('signing in is not for another site’s page, which would sign a person in as somebody else', async () => {
  for (const foreign of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }]) {
    const response = await signIn({ token: RIGHT }, foreign);
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
  }
  expect((await signIn({ token: RIGHT }, {})).status).toBe(200);
});

it('signing in is refused while there is no token', async () => {
  expect((await signIn({ token: RIGHT }, OWN, { ADMIN_TOKEN: undefined })).status).toBe(403);
});

it('a session ends with its token, and lasts when the next token becomes the token', async () => {
  const next = 'next-token-0123456789';
  const both = { ...SET, ADMIN_TOKEN_NEXT: next };
  const [byOld, byNext] = [await open(RIGHT, both), await open(next, both)];
  expect([await status(byOld, both), await status(byNext, both)]).toEqual([200, 200]);
  const after = { ADMIN_TOKEN: next };
  expect([await status(byOld, after), await status(byNext, after)]).toEqual([401, 200]);
});

it('a session ends for good by signing out, even for who kept the cookie', async () => {
  const cookie = await open();
  const out = await knock(SET, { ...cookie, ...OWN }, ['DELETE', '/session']);
  expect(out.status).toBe(204);
  expect(out.headers.get('set-cookie')).toMatch(/^__Host-hookbell=; Path=\/; Max-Age=0;.*Secure$/);
  expect(await status(cookie)).toBe(401);
});

it('a session is ended by another editor, and no other session with it', async () => {
  const [one, other] = [await open(), await open()];
  const id = (await current(one))?.id;
  const end = () => knock(SET, { ...other, ...OWN }, ['DELETE', `/sessions/${id}`]);
  expect((await end()).status).toBe(204);
  expect([await status(one), await status(other)]).toEqual([401, 200]);
  expect((await end()).status).toBe(404);
  // A bearer token that signs out has none.
  expect((await knock(SET, BEARER, ['DELETE', '/session'])).status).toBe(204);
  expect(await status(other)).toBe(200);
});

it('a session is listed with what its browser calls itself', async () => {
  const agent = { ...OWN, 'user-agent': `Firefox ${'x'.repeat(300)}` };
  const cookie = cookieOf(await signIn({ token: RIGHT }, agent));
  await open();
  const items = await list(cookie);
  expect(items).toHaveLength(2);
  const own = await current(cookie);
  expect(own).toMatchObject({ actor: 'token', role: 'editor', client: containing('Firefox xxx') });
  expect(own?.client).toHaveLength(200);
  expect(JSON.stringify(items)).not.toContain(cookie.cookie.split('.').at(-1));
});

it('a session that has ended counts as no failed login, however often its page asks again', async () => {
  const cookie = { ...(await open()), 'cf-connecting-ip': '192.0.2.72' };
  await knock(SET, { ...cookie, ...OWN }, ['DELETE', '/session']);
  for (let n = 0; n < 12; n += 1) expect(await status(cookie)).toBe(401);
});

it('a session that nobody signed costs no call of the registry', async () => {
  const called = vi.fn<(name: string) => never>();
  const bindings = { ...SET, REGISTRY: { getByName: called } };
  expect(await status({ cookie: '__Host-hookbell=editor.ses_1.9999999999999.00' }, bindings)).toBe(401);
  expect(called).not.toHaveBeenCalled();
});

it('a request by a session reads and changes for our own page, and does neither for another’s', async () => {
  const cookie = await open();
  const rows: readonly (readonly [Headers, number, number])[] = [
    [OWN, 200, 200],
    [{}, 200, 403],
    [{ origin: 'https://relay.example.evil.example' }, 403, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 200, 403],
    [{ 'sec-fetch-site': 'none' }, 200, 403],
  ];
  for (const [headers, reads, changes] of rows) {
    const both = { ...cookie, ...headers };
    const answer = await knock(SET, both, CHANGE);
    expect([headers, await status(both), answer.status]).toEqual([headers, reads, changes]);
    const { type } = await answer.json<Partial<ProblemJson>>();
    expect(type).toBe(changes === 403 ? 'urn:hookbell:problem:cross-site' : undefined);
  }
  // No page can send the token for another one.
  expect((await knock(SET, { ...cookie, ...BEARER }, CHANGE)).status).toBe(200);
});

it('a one-time code signs in once, with the role of who made it', async () => {
  const { code, url } = await link(BEARER);
  expect(url).toBe(`https://relay.example/admin#code=${code}`);
  const first = await signIn({ code });
  expect(first.headers.get('set-cookie')).toContain('Max-Age=43200');
  expect(await first.json()).toMatchObject({ actor: 'token', role: 'editor', via: 'session' });
  expect(await status(cookieOf(first))).toBe(200);
  const again = await signIn({ code }, { ...OWN, 'cf-connecting-ip': '192.0.2.73' });
  expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null]);
});

it('a one-time code by a session opens one that ends no later, so that nobody stays for ever', async () => {
  const cookie = await open();
  later(11 * HOUR);
  const { code } = await link({ ...cookie, ...OWN });
  const opened = await signIn({ code });
  expect(opened.headers.get('set-cookie')).toContain('Max-Age=3600');
  later(HOUR);
  expect(await status(cookieOf(opened))).toBe(401);
});

it('a one-time code opens a session that ends with the one that made it, by sign-out, another editor or its token', async () => {
  const other = await open();
  for (const end of [signOut, (desk: Headers) => endOf(desk, { ...other, ...OWN })]) {
    const desk = await open();
    const phone = await handOver(desk);
    const tablet = await handOver(phone);
    expect((await current(phone))?.made_by).toBe((await current(desk))?.id);
    expect(await status(phone, { ADMIN_TOKEN: 'other-token-0123456789' })).toBe(401);
    expect([await status(phone), await status(tablet), await end(desk)]).toEqual([200, 200, 204]);
    expect([await status(desk), await status(phone), await status(tablet)]).toEqual([401, 401, 401]);
  }
  expect(await status(other)).toBe(200);
});

it('a one-time code replaces nobody who is signed in as somebody else, until it is asked to', async () => {
  const { viewer, code } = await viewerAndCode();
  const asked = await signIn({ code }, { ...OWN, ...viewer }, WITH_VIEWER);
  expect([asked.status, asked.headers.get('set-cookie')]).toEqual([409, null]);
  expect((await asked.json<ProblemJson>()).detail).toMatch(/signed in as viewer, .* as editor \(token\)/);
  expect(await status(viewer, WITH_VIEWER)).toBe(200);
  const replaced = await signIn({ code, replace: true }, { ...OWN, ...viewer }, WITH_VIEWER);
  expect(await replaced.json()).toMatchObject({ role: 'editor', via: 'session' });
  expect(await status(viewer, WITH_VIEWER)).toBe(401);
  expect(await status(cookieOf(replaced), WITH_VIEWER)).toBe(200);
});

it('a one-time code that is used up replaces nobody, and does not ask to', async () => {
  const { viewer, code } = await viewerAndCode();
  await signIn({ code }, OWN, WITH_VIEWER);
  const from = { ...OWN, ...viewer, 'cf-connecting-ip': '192.0.2.76' };
  for (const body of [{ code }, { code, replace: true }])
    expect((await signIn(body, from, WITH_VIEWER)).status).toBe(401);
  expect(await status(viewer, WITH_VIEWER)).toBe(200);
});

it('a one-time code asks who came through Access, too, and not who is signed in as the same already', async () => {
  const team = await newTeam(Date.now());
  vi.spyOn(globalThis, 'fetch').mockImplementation(team.fetch);
  const bindings = { ...SET, ...team.bindings };
  const { code } = await link(BEARER, bindings);
  const ada = { ...OWN, cookie: `CF_Authorization=${await team.token()}` };
  const asked = await signIn({ code }, ada, bindings);
  const detail = containing('signed in as editor (ada@example.com), and');
  expect(await asked.json()).toMatchObject({ status: 409, detail });
  const desk = await open(RIGHT, bindings);
  const again = await signIn({ code }, { ...OWN, ...desk }, bindings);
  expect([again.status, await status(desk, bindings)]).toEqual([200, 200]);
});

it('a one-time code replaces no session for a request that may be another site’s', async () => {
  const { viewer, code } = await viewerAndCode();
  for (const foreign of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-origin' }]) {
    const answer = await signIn({ code, replace: true }, { ...foreign, ...viewer }, WITH_VIEWER);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
  }
  expect(await status(viewer, WITH_VIEWER)).toBe(200);
});

it('a one-time code is in no row as it is sent', async () => {
  const { code } = await link(BEARER);
  const rows = await runInDurableObject(registry(relay), (_, { storage }) =>
    storage.sql.exec('SELECT * FROM sessions').toArray(),
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(code.split('.').at(-1));
});

it('a name that is given with a token is recorded in place of it', async () => {
  const response = await signIn({ token: RIGHT, name: 'Ada Lovelace' });
  expect(await response.json()).toMatchObject({ actor: 'Ada Lovelace', role: 'editor' });
  const session = { ...cookieOf(response), ...OWN };
  const by = 'Ada Lovelace';
  const of = async (...call: readonly [string, string, string?]) => (await knock(SET, session, call)).json();
  expect(await of('POST', '/accounts/default/pause')).toMatchObject({ paused: { by } });
  await of('POST', '/accounts/default/resume');
  const until = new Date(Date.now() + HOUR).toISOString();
  const silence = JSON.stringify({ when: 'true', until, reason: 'x' });
  expect(await of('POST', '/silences', silence)).toMatchObject({ by });
  await of('PUT', '/templates/named', '{"kind":"text","message":"x"}');
  const versions = await of('GET', '/config/versions?limit=1');
  expect(versions).toMatchObject({ items: [{ by, note: 'put templates/named' }] });
});

it('a name goes with a link to another browser', async () => {
  const mine = { ...cookieOf(await signIn({ token: RIGHT, name: 'Ada' })), ...OWN };
  const { code } = await link(mine);
  expect(await (await signIn({ code })).json()).toMatchObject({ actor: 'Ada' });
});

it('a name cannot be empty, a role, an address or longer than 64 characters', async () => {
  for (const name of ['', ' ', 'token', 'Operator', 'ada@acme.com', 'a/b', 'a\nb', 'x'.repeat(65)])
    expect([name, (await signIn({ token: RIGHT, name })).status]).toEqual([name, 422]);
});

it('a name is asked again where somebody else of the same role is signed in', async () => {
  const session = { ...cookieOf(await signIn({ token: RIGHT, name: 'Ada' })), ...OWN };
  expect((await signIn({ token: RIGHT, name: 'Ben' }, session)).status).toBe(409);
  expect((await signIn({ token: RIGHT, name: 'Ada' }, session)).status).toBe(200);
});

const OPERATOR = { ...SET, OPERATOR_TOKEN: 'operator-token-0123456789' };
const invite = (body: object, headers: Headers = BEARER, bindings: object = SET) =>
  knock({ ...bindings }, headers, ['POST', '/invitations', JSON.stringify(body)]);
const invited = async (role: string, bindings: object = SET) => {
  const { code } = await (await invite({ name: 'Ben', role }, BEARER, bindings)).json<{ code: string }>();
  const response = await signIn({ code }, OWN, bindings);
  expect(await response.json()).toMatchObject({ actor: 'Ben', role, via: 'session' });
  return { ...cookieOf(response), ...OWN };
};

it('an invitation signs its person in with its role, once, by a session of their own', async () => {
  for (const role of ['viewer', 'operator']) {
    await forget();
    const answer = await invite({ name: 'Ben', role });
    const { code, url, session_until } = await answer.json<Record<string, string>>();
    expect(url).toBe(`https://relay.example/admin#code=${code}`);
    const pending = { actor: 'Ben', role, is_pending: true, invited_by: 'token' };
    expect(await list(BEARER)).toMatchObject([pending]);
    const opened = await signIn({ code });
    expect(await opened.json()).toMatchObject({ actor: 'Ben', role, expires_at: session_until });
    expect((await signIn({ code })).status).toBe(401);
    expect(await list(BEARER)).toMatchObject([{ actor: 'Ben', is_pending: false, made_by: null }]);
    // It lasts longer than a day, and ends with nobody else's.
    later(29 * 24 * HOUR);
    expect(await status({ ...cookieOf(opened), ...OWN })).toBe(200);
    vi.restoreAllMocks();
  }
});

it('an invitation is for lesser roles, and an editor’s to make', async () => {
  expect((await invite({ name: 'Ben', role: 'editor' })).status).toBe(422);
  expect((await invite({ name: 'token', role: 'viewer' })).status).toBe(422);
  const operator = { authorization: 'Bearer operator-token-0123456789' };
  expect((await invite({ name: 'Ben', role: 'viewer' }, operator, OPERATOR)).status).toBe(403);
});

it('an invitation is none after a week, or when it was taken back', async () => {
  const { code } = await (await invite({ name: 'Ben', role: 'viewer' })).json<{ code: string }>();
  const [pending] = await list(BEARER);
  expect((await knock(SET, BEARER, ['DELETE', `/sessions/${pending?.id}`])).status).toBe(204);
  expect((await signIn({ code })).status).toBe(401);
  const second = await (await invite({ name: 'Ben', role: 'viewer' })).json<{ code: string }>();
  later(7 * 24 * HOUR);
  expect((await signIn({ code: second.code })).status).toBe(401);
});

it('an invitation ends with its role’s token, or where that has none with the admin token', async () => {
  const byOwn = await invited('operator', OPERATOR);
  expect(await status(byOwn, OPERATOR)).toBe(200);
  expect(await status(byOwn, { ...OPERATOR, OPERATOR_TOKEN: 'other-operator-token-01' })).toBe(401);
  const lent = await invited('viewer');
  expect(await status(lent)).toBe(200);
  expect(await status(lent, { ADMIN_TOKEN: 'other-admin-token-0123456' })).toBe(401);
  expect(await status(lent, { ...SET, VIEWER_TOKEN: 'viewer-token-0123456789' })).toBe(401);
});

it('an invitation gives no more than its role: the text of its cookie is signed', async () => {
  const session = await invited('viewer');
  expect((await knock(SET, session, ['POST', '/accounts/default/pause'])).status).toBe(403);
  const forged = session.cookie.replace('=viewer.', '=editor.');
  expect(await status({ ...session, cookie: forged })).toBe(401);
});
