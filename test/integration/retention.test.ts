import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { gatewayAnswers, status, watchOutside } from './outside.ts';
import { admin, event, isSent, message, postJson, publish, UNPACED } from './relay.ts';

const route = {
  name: 'all',
  to: '{{ payload.phone }}',
  send: { kind: 'text', message: '{{ payload.words }}' },
};
const HOUR = 60 * 60_000;

const outbox = () => env.OUTBOX.getByName('default');
let sweeps = 0;
/** An hour after the last time the object's own alarm rings. */
async function sweep(): Promise<void> {
  sweeps += 1;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + sweeps * HOUR);
  await runDurableObjectAlarm(outbox());
  clock.mockRestore();
}

/** Makes all that stands there by now so much older: the ids of events carry their time. */
const age = (ms: number) =>
  runInDurableObject(outbox(), (_outbox, { storage: { sql } }) => {
    sql.exec('UPDATE messages SET created_at = created_at - ?', ms);
    sql.exec("UPDATE events SET id = 'evt_00' || substr(id, 7)");
    sql.exec("UPDATE dedupe_claims SET event_id = 'evt_00' || substr(event_id, 7)");
  });

async function postOne(source: string, payload: object): Promise<{ event: string; messages: string[] }> {
  return (await postJson(source, payload)).json();
}

/** Everything that the outbox has on disk, as text. */
const disk = () =>
  runInDurableObject(outbox(), (_outbox, { storage: { sql } }) =>
    JSON.stringify(
      ['events', 'messages', 'dedupe_claims', 'checkpoint', 'meta', 'notices'].map((table) =>
        sql.exec(`SELECT * FROM ${table}`).toArray(),
      ),
    ),
  );

beforeAll(async () => {
  watchOutside();
  await publish({
    accounts: { default: { ...UNPACED, retention: '2h', retry: ['1h'] } },
    sources: {
      form: { verify: { scheme: 'none' }, routes: [route] },
      claimed: {
        verify: { scheme: 'none' },
        dedupe: { key: '{{ payload.id }}', window: '3d' },
        routes: [route],
      },
      later: { verify: { scheme: 'none' }, routes: [{ ...route, delay: '2d' }] },
      secretive: {
        verify: { scheme: 'none' },
        store: 'metadata',
        routes: [route, { ...route, name: 'later', delay: '1h' }],
      },
    },
  });
});

describe('the retention', () => {
  it('deletes what is old and final at the next sweep, and keeps what can still be sent', async () => {
    const old = await postOne('form', { phone: '+4915112352001', words: 'x' });
    const open = await postOne('later', { phone: '+4915112352002', words: 'x' });
    await message(old.messages[0] ?? '', isSent);
    await age(4 * HOUR);
    const young = await postOne('form', { phone: '+4915112352003', words: 'x' });
    await message(young.messages[0] ?? '', isSent);
    await sweep();
    expect((await admin('GET', `/messages/${old.messages[0]}`)).status).toBe(404);
    expect((await admin('GET', `/messages/${open.messages[0]}`)).status).toBe(200);
    expect((await admin('GET', `/messages/${young.messages[0]}`)).status).toBe(200);
    const { body } = await admin<{ items: { source: string }[] }>('GET', '/events');
    expect(body.items.map(({ source }) => source)).toEqual(['form', 'later']);
  });

  it('keeps an event as long as its claim, so that a late duplicate sends nothing', async () => {
    const first = await postOne('claimed', { id: 'one', phone: '+4915112352004', words: 'x' });
    await message(first.messages[0] ?? '', isSent);
    await age(4 * HOUR);
    await sweep();
    expect((await admin('GET', `/messages/${first.messages[0]}`)).status).toBe(404);
    const again = await postOne('claimed', { id: 'one', phone: '+4915112352004', words: 'x' });
    expect(again).toMatchObject({ duplicate: true, messages: first.messages });
    const { body } = await admin<{ items: unknown[] }>('GET', '/messages?phone=4915112352004');
    expect(body.items).toEqual([]);
  });
});

describe('a source that keeps no payloads', () => {
  const WORDS = 'Geheimnis-4711';
  const post = (phone: string) =>
    postOne('secretive', { phone: `+${phone}`, words: WORDS, other: 'Beifang-0815' });

  it('has neither payload, headers nor query on disk, and parameters only until the message is sent', async () => {
    const { event: id, messages } = await post('4915112352011');
    const sent = await message(messages[0] ?? '', isSent);
    expect(sent.params).toEqual({ phone: '4915112352011' });
    expect(await event(id)).toMatchObject({ stored: false, payload: null, headers: null, query: null });
    const waiting = await message(messages[1] ?? '', () => true);
    expect(waiting.params['message']).toBe(WORDS);
    expect(await disk()).not.toContain('Beifang');

    await admin('POST', `/messages/${waiting.id}/cancel`);
    const cancelled = await message(waiting.id, ({ state }) => state === 'cancelled');
    expect(cancelled.params).toEqual({ phone: '4915112352011' });
    expect(await disk()).not.toContain(WORDS);
    const retried = await admin<{ detail: string }>('POST', `/messages/${waiting.id}/retry`);
    expect(retried.status).toBe(409);
    expect(retried.body.detail).toContain('stores no payloads');
  });

  it('keeps the parameters of one that died, which a person can still have sent', async () => {
    gatewayAnswers('4915112352012', status(400));
    const { messages } = await post('4915112352012');
    const dead = await message(messages[0] ?? '', ({ state }) => state === 'dead');
    expect(dead.params['message']).toBe(WORDS);
    await admin('POST', `/messages/${dead.id}/retry`);
    expect((await message(dead.id, isSent)).params).toEqual({ phone: '4915112352012' });
    await admin('POST', `/messages/${messages[1]}/cancel`);
    expect(await disk()).not.toContain(WORDS);
  });
});
