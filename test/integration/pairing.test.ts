import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { registry } from '../../src/config/load.ts';
import { eventually } from './outside.ts';
import { problemIn } from './problems.ts';
import { admin, listOf, post, postJson, publish } from './relay.ts';

interface PairingJson {
  readonly state: string;
  readonly offers?: readonly {
    readonly at: string;
    readonly address?: string;
    readonly user_agent?: string;
  }[];
  readonly hint?: string;
}

const pair = async (method: string, id: string) =>
  (await admin<PairingJson>(method, `/sources/${id}/pair`)).body;

/** Takes the key that came in, which is shown by this answer alone. */
const take = (id: string) =>
  admin<{ secret?: string; hint?: string; detail?: string }>('POST', `/sources/${id}/pair/key`);

const ASANA_KEY = 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81';
const NOTION_KEY = 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl';

/** As Asana tries an address while its webhook is being made. */
const asana = (key: string, from: Record<string, string> = {}) =>
  post('tasks', '{}', { 'content-type': 'application/json', 'X-Hook-Secret': key, ...from });

const PROVIDER = { 'CF-Connecting-IP': '192.0.2.10', 'User-Agent': 'Asana' };
const STRANGER = { 'CF-Connecting-IP': '203.0.113.66', 'User-Agent': 'curl/8.0' };

const rejections = () =>
  listOf<{ source: string; code: string; detail: string; status: number }>('/rejections');

const notion = (key: string) => postJson('pages', { verification_token: key });

/** Everything that the registry keeps, and everything that was logged. */
const logged: string[] = [];
const traces = async (): Promise<string> => {
  const rows = await runInDurableObject(registry(env), (_, { storage: { sql } }) =>
    ['pairing_windows', 'rejections', 'versions'].map((table) =>
      sql.exec(`SELECT * FROM ${table}`).toArray(),
    ),
  );
  return JSON.stringify([rows, logged]);
};

const routes = [{ name: 'all', to: '491713920041', delay: '1d', send: { kind: 'text', message: 'hello' } }];

/** The clock stands still but for what a test moves: N keys a second are let through. */
let now = Date.now();
beforeEach(async () => {
  now += 3_600_000;
  logged.length = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line) => logged.push(String(line)));
  await publish({ sources: { tasks: { provider: 'asana', routes }, pages: { provider: 'notion', routes } } });
});
afterEach(() => vi.restoreAllMocks());

describe('a source whose key is not known yet', () => {
  it('accepts no event', async () => {
    const signature = createHmac('sha256', '').update('{}').digest('hex');
    for (const headers of [{}, { 'X-Hook-Signature': signature }]) {
      const response = await post('tasks', '{}', { 'content-type': 'application/json', ...headers });
      await problemIn(response, 503, 'source-not-configured');
    }
  });

  it('refuses a key while no window is open, and leaves no trace of it', async () => {
    for (const response of [await asana(ASANA_KEY), await notion(NOTION_KEY)]) {
      expect(response.headers.get('x-hook-secret')).toBeNull();
      const problem = await problemIn(response, 401, 'verification-failed');
      expect(JSON.stringify(problem)).not.toMatch(/pair|window/);
    }
    await eventually(async () => {
      const found = (await rejections()).filter(({ code }) => code === 'pairing_closed');
      expect(found.map(({ source }) => source)).toEqual(expect.arrayContaining(['tasks', 'pages']));
      expect(found[0]?.detail).toMatch(/`npx hookbell pair (tasks|pages)`/);
    });
    expect(await traces()).not.toMatch(new RegExp(`${ASANA_KEY}|${NOTION_KEY}`));
    expect((await pair('GET', 'tasks')).state).toBe('closed');
  });
});

describe('in a pairing window', () => {
  it('Asana’s key is answered in its header, shown once, and then forgotten', async () => {
    await pair('POST', 'tasks');
    const response = await asana(ASANA_KEY);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-hook-secret')).toBe(ASANA_KEY);
    expect(JSON.stringify(await pair('GET', 'tasks'))).not.toContain(ASANA_KEY);
    expect((await take('tasks')).body).toMatchObject({ secret: ASANA_KEY });
    expect((await take('tasks')).status).toBe(409);
    expect((await pair('GET', 'tasks')).state).toBe('taken');
    expect(await traces()).not.toContain(ASANA_KEY);
  });

  it('a second, different key voids both, and the admin learns who offered each', async () => {
    await pair('POST', 'tasks');
    expect((await asana('key-of-a-stranger', STRANGER)).status).toBe(200);
    expect((await asana(ASANA_KEY, PROVIDER)).status).toBe(401);
    const found = await pair('GET', 'tasks');
    expect(found).toMatchObject({
      state: 'void',
      offers: [
        { address: '203.0.113.66', user_agent: 'curl/8.0' },
        { address: '192.0.2.10', user_agent: 'Asana' },
      ],
    });
    expect(found.hint).toContain('wo different keys');
    const taken = await take('tasks');
    expect(taken.status).toBe(409);
    expect(taken.body.detail).toContain('wo different keys');
    expect(await traces()).not.toMatch(new RegExp(`key-of-a-stranger|${ASANA_KEY}`));
    // Neither is answered any more, until the window is opened anew.
    for (const key of ['key-of-a-stranger', ASANA_KEY]) expect((await asana(key)).status).toBe(401);
    await pair('POST', 'tasks');
    expect((await asana(ASANA_KEY)).status).toBe(200);
  });
});

it('a key that is one of the source’s secrets is answered without a window, signs events, and uses no window up', async () => {
  await publish({
    sources: { tasks: { provider: 'asana', secrets: ['STRIPE_SECRET', 'HOOK_SECRET'], routes } },
  });
  const response = await asana('hook-secret');
  expect(response.headers.get('x-hook-secret')).toBe('hook-secret');
  const body = '{"events":[]}';
  const signature = createHmac('sha256', 'hook-secret').update(body).digest('hex');
  const event = await post('tasks', body, {
    'content-type': 'application/json',
    'X-Hook-Signature': signature,
  });
  expect(event.ok).toBe(true);
  await pair('POST', 'tasks');
  expect((await asana('hook-secret')).status).toBe(200);
  expect((await pair('GET', 'tasks')).state).toBe('open');
});
