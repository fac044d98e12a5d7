import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { app } from '../../src/app.ts';
import { CURRENT_KEY, type Published } from '../../src/config/load.ts';
import { envWith, kvWith } from '../platform/env.ts';
import { eventually, OWNER_URL, reported, watchOutside } from './outside.ts';
import { outbox } from './posted.ts';
import { admin, config, listOf, postJson, publish, UNPACED, type MessageJson } from './relay.ts';
import { open, text } from './sources.ts';

const PHONE = '4915112345678';
const signed = (secret: string) => ({
  verify: { scheme: 'token', in: 'header', name: 'X-Token' },
  secrets: [secret],
});
const reporting = (secret: string) => ({ ...UNPACED, notify: { url: OWNER_URL, secret } });
const route = (template: string) => ({ name: template, to: PHONE, template });

/**
 * As an isolate of an older deploy meets it that has nothing in memory: most of it says nothing to it. And a source's
 * secret stands in the address of a notice, and the reverse, as it could before there was a rule.
 */
const ODD: Published = {
  activation: 1,
  version: 4,
  set: {
    sources: {
      shop: open([route('paid')]),
      newer: open([], { incident: { key: 'x' } }),
      half: open([route('paid'), route('newer')]),
      borrowed: signed('NOTIFY_PATH'),
    },
    templates: { paid: text('Paid {{ payload.n }}'), newer: { kind: 'fax' } },
    recipients: { newer: { groups: [] } },
    accounts: { default: reporting('HOOK_SECRET') },
    silences: {},
    providers: {},
  },
};

const listed = () => listOf<MessageJson>('/messages?limit=100');

beforeAll(async () => {
  watchOutside();
  await config.put(CURRENT_KEY, JSON.stringify(ODD));
});

describe('a cold isolate whose configuration it does not understand in all its parts', () => {
  it('serves the sources that it does, to the end, and answers 404 where there is none', async () => {
    expect((await postJson('shop', { n: 7 })).status).toBe(202);
    await eventually(async () =>
      expect(await listed()).toMatchObject([{ state: 'sent', params: { message: 'Paid 7' } }]),
    );
    expect((await postJson('none', {})).status).toBe(404);
  });

  it('takes nothing for one that it does not, and logs why', async () => {
    for (const [id, reason] of [
      ['newer', 'sources.newer.incident unknown key'],
      ['half', 'templates.newer'],
    ] as const) {
      const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const response = await postJson(id, { n: 8 });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(logged.mock.calls.flat().join('\n')).toContain(
        `version 4 of the configuration is not valid for the deployed code: ${reason}`,
      );
      logged.mockRestore();
    }
    expect(await listed()).toHaveLength(1);
  });

  it('shows what it can read in lists, and counts', async () => {
    const { status, body } = await admin<{ sources: object }>('GET', '/stats');
    expect([status, Object.keys(body.sources)]).toEqual([200, expect.arrayContaining(['shop'])]);
  });
});

const triesOfNotices = () =>
  runInDurableObject(outbox(), (_, { storage: { sql } }) =>
    sql.exec<{ tries: number }>('SELECT tries FROM notices').toArray(),
  );

describe('a configuration whose notice names a secret of a source, and a source that of a notice', () => {
  it('gets no secret out: the notice waits, and its address is not called', async () => {
    await admin('POST', '/accounts/default/pause');
    await eventually(async () => expect(await triesOfNotices()).toEqual([{ tries: 1 }]));
    expect(reported).toEqual([]);
  });

  it('verifies nothing by a secret of a notice, even for who knows it', async () => {
    expect((await postJson('borrowed', {}, { 'x-token': 'path-of-the-owner' })).status).toBe(503);
  });

  it('is refused now, and one whose secrets are their own is taken', async () => {
    const meta = { provider: 'meta-whatsapp', secrets: ['HOOK_SECRET'] };
    for (const [path, document, place, said] of [
      [
        '/accounts/default',
        reporting('HOOK_SECRET'),
        'accounts.default.notify.secret',
        'must begin with NOTIFY_',
      ],
      ['/sources/shop', signed('NOTIFY_PATH'), 'sources.shop.secrets[0]', 'begins with NOTIFY_'],
      [
        '/sources/chat',
        { ...meta, handshake: { secret: 'NOTIFY_PATH' } },
        'sources.chat.handshake.secret',
        'begins with NOTIFY_',
      ],
    ] as const) {
      const { status, body } = await admin<{ errors: { path: string; message: string }[] }>(
        'PUT',
        path,
        document,
      );
      expect([status, body.errors.map((one) => one.path)]).toEqual([422, [place]]);
      expect(body.errors[0]?.message).toContain(said);
      expect(body.errors[0]?.message).toContain('wrangler secret put');
    }
    expect((await admin('PUT', '/accounts/default', reporting('NOTIFY_PATH'))).status).toBe(200);
  });
});

const numbers = async () =>
  (await listed())
    .filter(({ source }) => source === 'late')
    .map(({ params }) => Number(params['message']))
    .toSorted((a, b) => a - b);

async function post(n: number, bound: typeof env): Promise<Response> {
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
  const ctx = createExecutionContext();
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const request = new Request('https://relay.example/hooks/late', { ...init, body: JSON.stringify({ n }) });
  const response = await app.fetch(request, bound, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

const outOfReach = () => Promise.reject(new Error('out of reach'));

const cut = (changes: object = {}) =>
  envWith({ CONFIG: kvWith({ get: outOfReach }), OUTBOX: env.OUTBOX, REGISTRY: env.REGISTRY, ...changes });

describe('a cold isolate while KV is out of reach', () => {
  beforeAll(() =>
    publish({
      sources: { late: open([{ name: 'all', to: PHONE, delay: '1d', send: text('{{ payload.n }}') }]) },
    }),
  );
  afterEach(() => vi.restoreAllMocks());

  it('takes webhooks by what the registry has', async () => {
    const bound = cut();
    const answers = await Promise.all([1, 2, 3].map((n) => post(n, bound)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(await numbers()).toEqual([1, 2, 3]);
  });

  it('and the registry asks the sender to come again; then nothing is lost', async () => {
    const answer = await post(4, cut({ REGISTRY: { getByName: () => ({ published: outOfReach }) } }));
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await numbers()).toEqual([1, 2, 3]);
    expect((await post(4, cut())).status).toBe(202);
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });
});
