import { env } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Tail } from '../../src/answers/api-tail.ts';
import { admin, postJson, publish, script } from '../integration/relay.ts';
import { form } from './support.ts';

const anyText: unknown = expect.any(String);
const anyNumber: unknown = expect.any(Number);

const tail = async (query: string): Promise<Tail> => (await admin<Tail>('GET', `/tail${query}`)).body;

/** What changes from now on. */
let cursor = '';
beforeEach(async () => ({ cursor } = await tail('')));
const since = (query = ''): Promise<Tail> => tail(`?cursor=${cursor}${query}`);

/** The content of changes, in a few words: `message queued`. */
const lines = async (query = ''): Promise<readonly string[]> =>
  (await since(query)).items.map((one) =>
    [one.type, ...('state' in one ? [one.state] : []), ...('outcome' in one ? [one.outcome] : [])].join(' '),
  );

const send = async (source: string, phone: string): Promise<{ event: string; messages: string[] }> =>
  (await postJson(source, { phone, text: 'secret words' })).json();

const unpaced = { rate: false, per_recipient: false };

beforeAll(() =>
  publish({
    sources: {
      form: form(),
      other: form({ account: 'sales' }),
      silent: { verify: { scheme: 'none' }, limit: false },
      signed: { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET'] },
    },
    accounts: { default: { ...unpaced, retry: ['1h'] }, sales: unpaced },
  }),
);

it('GET /tail has an event and its message once, as they are now, with ids and names only', async () => {
  const { event, messages } = await send('form', '4915112340001');
  await expect.poll(() => lines()).toEqual(['event routed', 'message sent sent']);
  const { items, missed } = await since();
  const both = { at: anyText, event, source: 'form', account: 'default' };
  const attempt = { outcome: 'sent', n: 1, http_status: 200, duration_ms: anyNumber };
  expect(items).toEqual([
    { ...both, type: 'event', event_type: null, state: 'routed', duplicate: false },
    { ...both, type: 'message', message: messages[0], route: 'all', kind: 'text', state: 'sent', ...attempt },
  ]);
  expect(missed).toBe(false);
  for (const secret of ['4915112340001', 'secret words', 'hook-secret', 'gateway-key', 'admin-token'])
    expect(JSON.stringify(items)).not.toContain(secret);
});

it('GET /tail goes on from its cursor, over all accounts, and filters', async () => {
  await send('form', '4915112340002');
  await send('other', '4915112340003');
  await expect
    .poll(() => lines())
    .toEqual(['event routed', 'event routed', 'message sent sent', 'message sent sent']);
  expect(await lines('&type=event&source=other')).toEqual(['event routed']);
  ({ cursor } = await since());
  expect(await since()).toMatchObject({ items: [], missed: false });
  // Who asks for the first time may have read a list a moment before.
  expect((await tail('')).items.length).toBeGreaterThanOrEqual(4);
});

it('GET /tail has failures, and what a person does', async () => {
  await script('4915112340004', { failure: 'status', status: 500 }, { failure: 'status', status: 404 });
  const { messages } = await send('form', '4915112340004');
  const id = messages[0] ?? '';
  await expect.poll(() => lines('&type=message')).toEqual(['message retrying server_error']);
  await admin('POST', `/messages/${id}/retry`);
  await expect.poll(() => lines('&type=message')).toEqual(['message dead rejected']);
  await admin('POST', `/messages/${id}/cancel`);
  expect(await lines('&type=message')).toEqual(['message cancelled']);
  await admin('POST', '/messages/retry', { state: 'cancelled' });
  await expect.poll(() => lines('&type=message')).toEqual(['message sent sent']);
});

it('GET /tail has what is sent by hand, what is too old, and what matches nothing', async () => {
  await admin('POST', '/messages', { to: '4915112340005', kind: 'text', message: 'by hand' });
  await send('silent', 'x');
  await expect.poll(() => lines()).toEqual(expect.arrayContaining(['event unmatched', 'message sent sent']));
  expect((await since('&type=message')).items).toMatchObject([{ source: null, event: null }]);
  await admin('POST', '/accounts/default/pause');
  await send('form', '4915112340006');
  await runInDurableObject(env.OUTBOX.getByName('default'), (_, { storage }) => {
    storage.sql.exec("UPDATE messages SET expires_at = 1 WHERE phone = '4915112340006'");
  });
  await admin('POST', '/accounts/default/resume');
  await expect.poll(() => lines()).toContain('message expired');
});

it('GET /tail has the webhooks that are refused, each time again', async () => {
  const numbers: unknown[] = [];
  for (const _ of [1, 2]) {
    await postJson('signed/guessed-token', { text: 'secret words' });
    await expect.poll(() => lines('&type=rejection')).toEqual(['rejection']);
    const { items, cursor: next } = await since('&type=rejection');
    expect(items).toEqual([
      {
        type: 'rejection',
        n: anyNumber,
        at: anyText,
        source: 'signed',
        status: 401,
        code: 'mismatch',
        detail: 'the token in the path is not the one accepted; tried HOOK_SECRET',
      },
    ]);
    numbers.push(...items.map((one) => 'n' in one && one.n));
    cursor = next;
  }
  expect(new Set(numbers).size).toBe(2);
  // The registry was restored to an earlier state than the one that the reader knows.
  cursor = cursor.replace(/-.*/, '-999999');
  const { items } = await since('&type=rejection');
  expect(items.map((one) => 'n' in one && one.n)).toContain(numbers[1]);
});

it('GET /tail says that something is missing when an outbox has started anew, and when too much happened', async () => {
  await evictDurableObject(env.OUTBOX.getByName('default'));
  expect(await since()).toMatchObject({ items: [], missed: true });
  ({ cursor } = await since());
  expect(await since()).toMatchObject({ missed: false });
  for (let n = 0; n < 201; n += 1) await send('silent', 'x');
  const { items, missed } = await since();
  expect([items.length, missed]).toEqual([200, true]);
});

it('GET /tail refuses a query that it does not know', async () => {
  for (const query of ['?type=messages', '?typ=event', '?cursor=now', '?source=a&source=b'])
    expect([query, (await admin('GET', `/tail${query}`)).status]).toEqual([query, 422]);
});
