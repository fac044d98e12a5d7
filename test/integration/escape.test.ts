import { env } from 'cloudflare:workers';
import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually, gatewayAnswers, status, watchOutside, type Answer } from './outside.ts';
import {
  admin,
  callsTo,
  isSent,
  message,
  messageNow,
  postJson,
  publish,
  UNPACED,
  type MessageJson,
} from './relay.ts';

const MINUTE = 60_000;
const CHANNEL = String(Reflect.get(env, 'NOTIFY_ESCAPE'));

/** The clock of the relay: the machine's, and as much as a test has let pass. */
const real = Date.now.bind(Date);
let passed = 0;

const control = (method: string, path: string, body?: unknown) =>
  fetch(new URL(path, CHANNEL), { method, ...(body !== undefined && { body: JSON.stringify(body) }) });

/** The texts that the channel got. */
const got = async (): Promise<readonly string[]> =>
  (await (await control('GET', '/_calls')).json<{ text: string }[]>()).map(({ text }) => text);

const gotOnly = (...texts: readonly string[]) => eventually(async () => expect(await got()).toEqual(texts));

const notHere = (text: string): string => `This message may not have arrived: ${text}`;

const outbox = (account = 'default') => env.OUTBOX.getByName(account);

/** Lets `ms` pass. The outbox's alarm rings if it is due by then. */
async function pass(ms: number): Promise<void> {
  passed += ms;
  const at = await runInDurableObject(outbox(), (_, { storage }) => storage.getAlarm());
  if (at !== null && at <= Date.now()) await runDurableObjectAlarm(outbox());
}

const rows = (sql: string, account = 'default') =>
  runInDurableObject(outbox(account), (_, { storage }) => storage.sql.exec(sql).toArray());

const VIA = { kind: 'webhook', secret: 'NOTIFY_ESCAPE' };
const ACCOUNT = { ...UNPACED, retry: ['1h', '1h'], escape: { after: '3m', via: VIA } };
const route = (more: object = {}) => ({
  name: 'all',
  to: '{{ payload.phone }}',
  priority: 'high',
  send: { kind: 'text', message: 'alert {{ payload.id }}' },
  ...more,
});
const source = (more: object = {}, keys: object = {}) => ({
  verify: { scheme: 'none' },
  limit: false,
  routes: [route(more)],
  ...keys,
});

const publishWith = (account: object = ACCOUNT) =>
  publish({
    accounts: { default: account, sales: UNPACED },
    sources: {
      form: source(),
      german: source({}, { locale: 'de-DE' }),
      normal: source({ priority: 'normal' }),
      late: source({ delay: '10m' }),
      held: source({ on_uncertain: 'hold' }),
      twice: source({
        send: { kind: 'text', message: 'alert', fallback: [{ kind: 'text', message: 'in other words' }] },
      }),
      alerts: source({ incident: { key: '{{ payload.id }}', resolved: 'payload.is_resolved' } }),
      list: source({ each: 'payload.list', send: { kind: 'text', message: 'alert {{ item }}' } }),
    },
  });

let last = 4915112420000;

/** A number that nobody has used. */
const newPhone = (): string => String((last += 1));

async function post(from: string, phone: string, more: object = {}): Promise<string> {
  const response = await postJson(from, { phone: `+${phone}`, id: phone.slice(-2), ...more });
  const { messages } = await response.json<{ messages: string[] }>();
  return messages[0] ?? '';
}

/** The channel, as the status shows it. */
const shown = async () => (await admin<{ escape: object }>('GET', '/accounts/default/status')).body.escape;

const pause = () => admin('POST', '/accounts/default/pause');
const resume = () => admin('POST', '/accounts/default/resume');
const isEscaped = ({ escaped_at }: MessageJson): boolean => escaped_at !== undefined;

beforeAll(() => {
  watchOutside();
  vi.spyOn(Date, 'now').mockImplementation(() => real() + passed);
});
afterAll(() => vi.restoreAllMocks());

beforeEach(async () => {
  await resume();
  await publishWith();
  // Nothing of the tests before.
  await rows("DELETE FROM meta WHERE key = 'escape'");
  await rows('UPDATE messages SET escaped = 1 WHERE escaped IS NULL');
  await rows('DELETE FROM escapes');
  await evictDurableObject(outbox());
  await control('DELETE', '/_calls');
});

describe('an urgent message that is not sent in time', () => {
  it('goes to the escape channel once, in whole, and goes on waiting for its phone', async () => {
    await pause();
    const phone = newPhone();
    const id = await post('form', phone, { id: 'one\nand all of it' });
    await pass(3 * MINUTE + 1);
    await gotOnly(notHere('alert one\nand all of it'));
    expect(await message(id, isEscaped)).toMatchObject({ state: 'queued' });
    await pass(3 * MINUTE);
    await pass(60 * MINUTE);
    await gotOnly(notHere('alert one\nand all of it'));
    await resume();
    await message(id, isSent);
    expect(await callsTo(phone)).toHaveLength(1);
  });

  it.each<[string, string, Answer]>([
    ['is dead', 'form', status(400)],
    ['waits for its next attempt', 'form', status(500)],
    ['may have been sent, and a person has to decide', 'held', status(502)],
  ])('goes there when it %s', async (_what, from, answer) => {
    const phone = newPhone();
    gatewayAnswers(phone, answer);
    const id = await post(from, phone, { id: 'x' });
    await message(id, ({ attempts }) => attempts.length > 0);
    await pass(3 * MINUTE - 1_000);
    expect(await got()).toEqual([]);
    await pass(1_001);
    await gotOnly(notHere('alert x'));
    const { state } = await message(id, isEscaped);
    expect(['dead', 'retrying', 'uncertain']).toContain(state);
  });

  it('goes there while the circuit is open', async () => {
    await publishWith({ ...ACCOUNT, circuit: { failures: 1, probe: '1h' } });
    const [first, second] = [newPhone(), newPhone()];
    gatewayAnswers(first, status(500));
    await message(await post('normal', first), ({ state }) => state === 'retrying');
    const id = await post('form', second, { id: 'behind' });
    await pass(3 * MINUTE + 1);
    await gotOnly(notHere('alert behind'));
    await message(id, isEscaped);
    await resume();
  });

  it('does not go there if it is sent just before', async () => {
    await pause();
    const id = await post('form', newPhone());
    await pass(3 * MINUTE - 1_000);
    await resume();
    await message(id, isSent);
    await pass(3 * MINUTE);
    expect(await got()).toEqual([]);
    expect(await rows('SELECT * FROM escapes')).toEqual([]);
  });

  it('does not go there if it is of normal priority, was cancelled, or is not due yet', async () => {
    await pause();
    await post('normal', newPhone());
    const cancelled = await post('form', newPhone());
    await admin('POST', `/messages/${cancelled}/cancel`);
    await post('late', newPhone(), { id: 'late' });
    await pass(5 * MINUTE);
    expect(await got()).toEqual([]);
    await pass(8 * MINUTE);
    await gotOnly(notHere('alert late'));
  });

  it('is said in the language of its source', async () => {
    await pause();
    await post('german', newPhone(), { id: '7' });
    await pass(3 * MINUTE + 1);
    await gotOnly('Diese Nachricht ist vielleicht nicht auf dem Telefon: alert 7');
  });

  it('goes there after a restart, and not again after another one', async () => {
    await pause();
    await post('form', newPhone(), { id: 'kept' });
    await evictDurableObject(outbox());
    await pass(3 * MINUTE + 1);
    await gotOnly(notHere('alert kept'));
    await eventually(async () => expect(await rows('SELECT * FROM escapes')).toEqual([]));
    await evictDurableObject(outbox());
    await pass(10 * MINUTE);
    expect(await got()).toHaveLength(1);
  });

  it('goes there when its channel was published while it waited', async () => {
    await publishWith(UNPACED);
    await pause();
    await post('form', newPhone(), { id: 'before' });
    await pass(10 * MINUTE);
    await publishWith();
    await pass(1);
    await gotOnly(notHere('alert before'));
  });

  it('goes nowhere once the channel is removed', async () => {
    await pause();
    await post('form', newPhone());
    await publishWith(UNPACED);
    await pass(4 * MINUTE);
    await eventually(async () => expect(await rows('SELECT * FROM escapes')).toEqual([]));
    expect(await got()).toEqual([]);
  });

  it('goes there once although its fallback follows it, and not at all if that is sent', async () => {
    const phone = newPhone();
    gatewayAnswers(phone, status(400), status(400));
    await message(await post('twice', phone), ({ state }) => state === 'dead');
    const other = newPhone();
    gatewayAnswers(other, status(400));
    const first = await message(await post('twice', other), ({ fallback }) => fallback !== undefined);
    await message(first.fallback ?? '', isSent);
    await pass(3 * MINUTE + 1);
    await gotOnly(notHere('in other words'));
    await pass(10 * MINUTE);
    expect(await got()).toHaveLength(1);
  });

  it('is not notified: its incident stays owed, and one that opens later goes there as well', async () => {
    await pause();
    const phone = newPhone();
    await postJson('alerts', { phone: `+${phone}`, id: 'disk' });
    await pass(3 * MINUTE + 1);
    await eventually(async () => expect(await got()).toHaveLength(1));
    await eventually(async () => expect(await rows('SELECT * FROM escapes')).toEqual([]));
    await postJson('alerts', { phone: `+${phone}`, id: 'memory' });
    await pass(1_000);
    await pass(3 * MINUTE + 1);
    await eventually(async () => expect(await got()).toHaveLength(2));
    const { body } = await admin<{ items: { receivers: { notified_at?: string }[] }[] }>(
      'GET',
      '/incidents?state=open&source=alerts',
    );
    expect(body.items.flatMap(({ receivers }) => receivers.map(({ notified_at: at }) => at))).toEqual([
      undefined,
      undefined,
    ]);
    await resume();
    await eventually(async () => expect(await callsTo(phone)).toHaveLength(2));
  });
});

describe('the escape channel', () => {
  it('is tried again when it fails, which the status says meanwhile', async () => {
    await control('PUT', '/_answers', [500]);
    await pause();
    const id = await post('form', newPhone(), { id: 'again' });
    await pass(3 * MINUTE + 1);
    await eventually(async () =>
      expect(await shown()).toMatchObject({ failures: 1, last: { detail: 'it answered 500' } }),
    );
    const { body } = await admin<{ checks: { id: string; status: string }[] }>('GET', '/doctor');
    expect(body.checks).toContainEqual(
      expect.objectContaining({ id: 'account:default:escape', status: 'fail' }),
    );
    await pass(6_000);
    await message(id, isEscaped);
    expect(await got()).toHaveLength(2);
    expect(await shown()).toMatchObject({ failures: 0 });
  });

  it('is given up after a few tries, and holds up no message meanwhile', async () => {
    await control(
      'PUT',
      '/_answers',
      Array.from({ length: 99 }, () => 404),
    );
    await pause();
    const id = await post('form', newPhone());
    await pass(3 * MINUTE + 1);
    await eventually(async () => {
      await pass(MINUTE);
      expect(await rows('SELECT * FROM escapes')).toEqual([]);
    });
    expect(await got()).toHaveLength(5);
    expect(await messageNow(id)).not.toHaveProperty('escaped_at');
  });

  it('holds up no message while it hangs', async () => {
    await control('PUT', '/_answers', ['hang']);
    const dead = newPhone();
    gatewayAnswers(dead, status(400));
    await message(await post('form', dead), ({ state }) => state === 'dead');
    await pass(3 * MINUTE + 1);
    await eventually(async () => expect(await got()).toHaveLength(1));
    await message(await post('form', newPhone()), isSent);
    await message(await post('normal', newPhone()), isSent);
    // No later test waits for its limit of ten seconds.
    await control('DELETE', '/_calls');
  });

  it('makes a storm ten messages in whole and one summary', async () => {
    await pause();
    const list = Array.from({ length: 100 }, (_, n) => n + 1);
    await post('list', newPhone(), { list });
    await pass(3 * MINUTE + 1);
    await eventually(async () => expect(await got()).toHaveLength(11));
    const texts = await got();
    expect(texts.slice(0, 10)).toEqual(list.slice(0, 10).map((n) => notHere(`alert ${n}`)));
    expect(texts[10]).toBe(
      '90 more messages may not have arrived:\n• alert 11\n• alert 12\n• alert 13\n• alert 14\n• alert 15\n…',
    );
    await pass(60 * MINUTE);
    expect(await got()).toHaveLength(11);
    await post('form', newPhone(), { id: 'next' });
    await pass(3 * MINUTE + 1);
    await eventually(async () => expect((await got()).at(-1)).toBe(notHere('alert next')));
  });

  it('makes a call again whose object stopped meanwhile, once', async () => {
    await control('PUT', '/_answers', ['hang']);
    await pause();
    await post('form', newPhone(), { id: 'cut' });
    await pass(3 * MINUTE + 1);
    await eventually(async () => expect(await got()).toHaveLength(1));
    // It waits for no answer, as an eviction does.
    await abortAllDurableObjects();
    await pass(21_000);
    await gotOnly(notHere('alert cut'), notHere('alert cut'));
    await pass(30 * MINUTE);
    expect(await got()).toHaveLength(2);
  });
});

describe('another account as the escape channel', () => {
  it('sends the message to its own receiver, once, however urgent it is', async () => {
    await publishWith({ ...ACCOUNT, escape: { after: '3m', via: { account: 'sales' } } });
    await pause();
    const phone = newPhone();
    const id = await post('form', phone, { id: 'there' });
    await pass(3 * MINUTE + 1);
    await message(id, isEscaped);
    await eventually(async () => expect(await callsTo(phone)).toHaveLength(1));
    const [call] = await callsTo(phone);
    expect(call?.params['message']).toBe(notHere('alert there'));
    expect(await rows('SELECT escaped, priority FROM messages', 'sales')).toContainEqual({
      escaped: 0,
      priority: 1,
    });
  });

  it('sends it to the receiver that the document names', async () => {
    const to = newPhone();
    await publishWith({ ...ACCOUNT, escape: { after: '3m', via: { account: 'sales', to } } });
    await pause();
    await post('form', newPhone(), { id: 'owner' });
    await pass(3 * MINUTE + 1);
    await eventually(async () =>
      expect((await callsTo(to)).map(({ params }) => params['message'])).toEqual([notHere('alert owner')]),
    );
  });
});
