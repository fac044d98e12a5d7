import { env } from 'cloudflare:workers';
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually, hurry, message, skip } from './hurry.ts';
import { gatewayAnswers, status, watchOutside } from './outside.ts';
import { outbox, postTo as post, take } from './posted.ts';
import { admin, isSent, listOf, publish, textsTo, UNPACED, type MessageJson } from './relay.ts';
import { newPhone, open, text, toPhone } from './sources.ts';

hurry();

const MINUTE = 60_000;
/** As long as a message waits before it escapes. */
const AFTER = 3 * MINUTE;

const control = (method: string, path: string, body?: unknown) =>
  fetch(new URL(path, String(Reflect.get(env, 'NOTIFY_ESCAPE'))), {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
/** Sets how the channel answers the next calls. */
const answers = (...all: readonly (number | 'hang')[]) => control('PUT', '/_answers', all);

/** The texts that the channel got. */
const got = async (): Promise<readonly string[]> =>
  (await (await control('GET', '/_calls')).json<{ text: string }[]>()).map(({ text: words }) => words);
const count = async () => (await got()).length;
const notHere = (words: string): string => `This message may not have arrived: ${words}`;
const gotOnly = (...texts: readonly string[]) =>
  eventually(async () => expect(await got()).toEqual(texts.map(notHere)));

const rows = (sql: string, account?: string) =>
  runInDurableObject(outbox(account), (_, { storage }) => storage.sql.exec(sql).toArray());
const noneWaits = () => eventually(async () => expect(await rows('SELECT * FROM escapes')).toEqual([]));

const ACCOUNT = {
  ...UNPACED,
  retry: ['1h', '1h'],
  escape: { after: '3m', via: { kind: 'webhook', secret: 'NOTIFY_ESCAPE' } },
};
const source = (more: object = {}, keys: object = {}) =>
  open([toPhone('alert {{ payload.id }}', { priority: 'high', ...more })], keys);

const publishWith = (account: object = ACCOUNT) =>
  publish({
    accounts: { default: account, sales: UNPACED },
    sources: {
      form: source(),
      german: source({}, { locale: 'de-DE' }),
      normal: source({ priority: 'normal' }),
      late: source({ delay: '10m' }),
      held: source({ on_uncertain: 'hold' }),
      twice: source({ send: { ...text('alert'), fallback: [text('in other words')] } }),
      alerts: source({ incident: { key: '{{ payload.id }}', resolved: 'payload.is_resolved' } }),
      list: source(
        { each: 'payload.list', send: text('alert {{ item }}') },
        { verify: { scheme: 'token', in: 'header', name: 'x-token' }, secrets: ['HOOK_SECRET'] },
      ),
    },
  });

/** The channel, as the status shows it. */
const shown = async () => (await admin<{ escape: object }>('GET', '/accounts/default/status')).body.escape;
const pause = () => admin('POST', '/accounts/default/pause');
const resume = () => admin('POST', '/accounts/default/resume');
const isEscaped = ({ escaped_at }: MessageJson): boolean => escaped_at !== undefined;

beforeAll(watchOutside);
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
  it('goes to the escape channel once, in whole, after a restart, too, and goes on waiting for its phone', async () => {
    await pause();
    const phone = newPhone();
    const id = await post('form', phone, { id: 'one\nand all of it' });
    await evictDurableObject(outbox());
    await skip(AFTER + 1);
    await gotOnly('alert one\nand all of it');
    expect(await message(id, isEscaped)).toMatchObject({ state: 'queued' });
    await evictDurableObject(outbox());
    for (const ms of [AFTER, 60 * MINUTE]) await skip(ms);
    expect(await count()).toBe(1);
    await resume();
    await message(id, isSent);
    expect(await textsTo(phone)).toHaveLength(1);
  });

  it('goes there when it is dead, waits for its next attempt, or for a person to decide', async () => {
    for (const [from, answer, state] of [
      ['form', status(400), 'dead'],
      ['form', status(500), 'retrying'],
      ['held', () => new Response('<html>'), 'uncertain'],
    ] as const) {
      await control('DELETE', '/_calls');
      const phone = newPhone();
      gatewayAnswers(phone, answer);
      const id = await post(from, phone, { id: state });
      await message(id, ({ attempts }) => attempts.length > 0);
      await skip(AFTER - 1_000);
      expect(await got()).toEqual([]);
      await skip(1_001);
      await gotOnly(`alert ${state}`);
      expect((await message(id, isEscaped)).state).toBe(state);
    }
  });

  it('does not go there if it is of normal priority, was cancelled, or is not due yet', async () => {
    await pause();
    await post('normal', newPhone());
    const cancelled = await post('form', newPhone());
    await admin('POST', `/messages/${cancelled}/cancel`);
    await post('late', newPhone(), { id: 'late' });
    await skip(5 * MINUTE);
    expect(await got()).toEqual([]);
    await skip(8 * MINUTE);
    await gotOnly('alert late');
  });

  it('goes there once although its fallback follows it, and not at all if that is sent', async () => {
    const [phone, other] = [newPhone(), newPhone()];
    gatewayAnswers(phone, status(400), status(400));
    await message(await post('twice', phone), ({ state }) => state === 'dead');
    gatewayAnswers(other, status(400));
    const first = await message(await post('twice', other), ({ fallback }) => fallback !== undefined);
    await message(first.fallback ?? '', isSent);
    await skip(AFTER + 1);
    await gotOnly('in other words');
    await skip(10 * MINUTE);
    expect(await count()).toBe(1);
  });

  it('is not notified: its incident stays owed, and one that opens later goes there as well', async () => {
    await pause();
    const phone = newPhone();
    await take('alerts', { phone: `+${phone}`, id: 'disk' });
    await skip(AFTER + 1);
    await eventually(async () => expect(await count()).toBe(1));
    await noneWaits();
    await take('alerts', { phone: `+${phone}`, id: 'memory' });
    await skip(1_000);
    await skip(AFTER + 1);
    await eventually(async () => expect(await count()).toBe(2));
    const open = await listOf<{ receivers: { notified_at?: string }[] }>(
      '/incidents?state=open&source=alerts',
    );
    const notified = open.flatMap(({ receivers }) => receivers.map(({ notified_at: at }) => at));
    expect(notified).toEqual([undefined, undefined]);
    await resume();
    await eventually(async () => expect(await textsTo(phone)).toHaveLength(2));
  });
});

describe('the escape channel', () => {
  it('is tried again when it fails, which the status says meanwhile', async () => {
    await answers(500);
    await pause();
    const id = await post('form', newPhone(), { id: 'again' });
    await skip(AFTER + 1);
    await eventually(async () =>
      expect(await shown()).toMatchObject({ failures: 1, last: { detail: 'it answered 500' } }),
    );
    const { body } = await admin<{ checks: object[] }>('GET', '/doctor');
    const failed: unknown = expect.objectContaining({ id: 'account:default:escape', status: 'fail' });
    expect(body.checks).toContainEqual(failed);
    await skip(6_000);
    await message(id, isEscaped);
    expect([await count(), await shown()]).toMatchObject([2, { failures: 0 }]);
  });

  it('holds up no message while it hangs', async () => {
    await answers('hang');
    const dead = newPhone();
    gatewayAnswers(dead, status(400));
    await message(await post('form', dead), ({ state }) => state === 'dead');
    await skip(AFTER + 1);
    await eventually(async () => expect(await count()).toBe(1));
    for (const from of ['form', 'normal']) await message(await post(from, newPhone()), isSent);
    // No later test waits for its limit of ten seconds.
    await control('DELETE', '/_calls');
  });

  it('makes a storm ten messages in whole and one summary', async () => {
    await pause();
    const list = Array.from({ length: 100 }, (_, n) => n + 1);
    await take('list', { phone: `+${newPhone()}`, list }, { 'x-token': 'hook-secret' });
    await skip(AFTER + 1);
    await eventually(async () => expect(await count()).toBe(11));
    const texts = await got();
    expect(texts.slice(0, 10)).toEqual(list.slice(0, 10).map((n) => notHere(`alert ${n}`)));
    expect(texts[10]).toBe(
      '90 more messages may not have arrived:\n• alert 11\n• alert 12\n• alert 13\n• alert 14\n• alert 15\n…',
    );
    await skip(60 * MINUTE);
    expect(await count()).toBe(11);
    await post('form', newPhone(), { id: 'next' });
    await skip(AFTER + 1);
    await eventually(async () => expect((await got()).at(-1)).toBe(notHere('alert next')));
  });

  it('makes a call again whose object stopped meanwhile, once', async () => {
    await answers('hang');
    await pause();
    await post('form', newPhone(), { id: 'cut' });
    await skip(AFTER + 1);
    await eventually(async () => expect(await count()).toBe(1));
    // It waits for no answer, as an eviction does.
    await abortAllDurableObjects();
    await skip(21_000);
    await gotOnly('alert cut', 'alert cut');
    await skip(30 * MINUTE);
    expect(await count()).toBe(2);
  });
});

it('another account as the escape channel sends the message to its own receiver, once, or to whom the document names', async () => {
  const escape = { after: '3m', via: { account: 'sales' } };
  const [phone, to] = [newPhone(), newPhone()];
  await publishWith({ ...ACCOUNT, escape });
  await pause();
  const id = await post('form', phone, { id: 'there' });
  await skip(AFTER + 1);
  await message(id, isEscaped);
  await eventually(async () => expect(await textsTo(phone)).toEqual([notHere('alert there')]));
  const there = await rows('SELECT escaped, priority FROM messages', 'sales');
  expect(there).toContainEqual({ escaped: 0, priority: 1 });
  await publishWith({ ...ACCOUNT, escape: { ...escape, via: { account: 'sales', to } } });
  await post('form', newPhone(), { id: 'owner' });
  await skip(AFTER + 1);
  await eventually(async () => expect(await textsTo(to)).toEqual([notHere('alert owner')]));
});
