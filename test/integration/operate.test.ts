import { beforeAll, describe, expect, it } from 'vitest';
import { gatewayAnswers, refusal, status, watchOutside, type Answer } from './outside.ts';
import { admin, callsTo, isSent, message, postJson, publish, UNPACED, type MessageJson } from './relay.ts';

interface Acted extends MessageJson {
  readonly actions?: readonly { action: string; by: string; at: string }[];
  readonly detail?: string;
}

const hang: Answer = () => new Promise<Response>(() => undefined);

async function postTo(phone: string, source = 'form'): Promise<string> {
  const response = await postJson(source, { phone: `+${phone}` });
  return (await response.json<{ messages: string[] }>()).messages[0] ?? '';
}

/** A message that the gateway rejected for good. */
async function deadTo(phone: string, source = 'form'): Promise<string> {
  gatewayAnswers(phone, status(400));
  const id = await postTo(phone, source);
  await message(id, ({ state }) => state === 'dead');
  return id;
}

const retry = (id: string) => admin<Acted>('POST', `/messages/${id}/retry`);
const cancel = (id: string) => admin<Acted>('POST', `/messages/${id}/cancel`);

const route = { name: 'all', to: '{{ payload.phone }}', send: { kind: 'text', message: 'hello' } };

beforeAll(async () => {
  watchOutside();
  await publish({
    accounts: {
      default: { ...UNPACED, retry: ['200ms', '200ms'], timeout: '1m', circuit: { failures: 1_000 } },
    },
    sources: {
      form: { verify: { scheme: 'none' }, routes: [route] },
      bulk: { verify: { scheme: 'none' }, routes: [route] },
      other: { verify: { scheme: 'none' }, routes: [route] },
      held: { verify: { scheme: 'none' }, routes: [{ ...route, on_uncertain: 'hold' }] },
      later: { verify: { scheme: 'none' }, routes: [{ ...route, delay: '1h' }] },
    },
  });
});

describe('POST /messages/{id}/retry', () => {
  it('sends a dead letter, and shows on it who asked and when', async () => {
    const id = await deadTo('4915112350001');
    const { status: code, body } = await retry(id);
    expect(code).toBe(200);
    expect(body.actions).toMatchObject([{ action: 'retry', by: 'token' }]);
    expect(Date.parse(body.actions?.[0]?.at ?? '')).not.toBeNaN();
    const sent = await message(id, isSent);
    expect(sent.attempts.map(({ outcome }) => outcome)).toEqual(['rejected', 'sent']);
    expect(await callsTo('4915112350001')).toHaveLength(1);
  });

  it('gives it its whole schedule again', async () => {
    const phone = '4915112350002';
    gatewayAnswers(phone, ...Array.from({ length: 6 }, () => status(500)));
    const id = await postTo(phone);
    await message(id, ({ state }) => state === 'dead');
    await retry(id);
    const dead = await message(id, ({ state, attempts }) => state === 'dead' && attempts.length > 3);
    expect(dead.attempts.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(dead.reason).toContain('gave up after 3 attempts');
  });

  it('counts refusals anew as well', async () => {
    const phone = '4915112350003';
    gatewayAnswers(phone, ...Array.from({ length: 5 }, () => refusal));
    const id = await postTo(phone);
    await message(id, ({ state }) => state === 'dead');
    await retry(id);
    expect((await message(id, isSent)).attempts).toHaveLength(6);
  });

  it('sends what waits as uncertain for a person', async () => {
    const phone = '4915112350004';
    gatewayAnswers(phone, () => new Response('<html>'));
    const id = await postTo(phone, 'held');
    await message(id, ({ state }) => state === 'uncertain');
    expect((await retry(id)).status).toBe(200);
    await message(id, isSent);
  });

  it('is 409 for what is sent, and sends nothing', async () => {
    const id = await postTo('4915112350005');
    await message(id, isSent);
    const { status: code, body } = await retry(id);
    expect(code).toBe(409);
    expect(body.detail).toContain('sent already');
    expect(await callsTo('4915112350005')).toHaveLength(1);
  });

  it('is 409 for what is being sent right now, and so is a cancel', async () => {
    const phone = '4915112350006';
    gatewayAnswers(phone, hang);
    const id = await postTo(phone);
    await message(id, ({ state }) => state === 'sending');
    expect((await retry(id)).status).toBe(409);
    const cancelled = await cancel(id);
    expect(cancelled.status).toBe(409);
    expect(cancelled.body.detail).toContain('being sent');
  });

  it('is 409 for what is queued, and 404 for what is not there', async () => {
    const id = await postTo('4915112350007', 'later');
    expect((await retry(id)).status).toBe(409);
    expect((await retry('msg_0000000000000000')).status).toBe(404);
    expect((await cancel('nonsense')).status).toBe(404);
  });
});

describe('POST /messages/{id}/cancel', () => {
  it('takes a queued message out of delivery; only a retry brings it back', async () => {
    const phone = '4915112350010';
    const id = await postTo(phone, 'later');
    const { status: code, body } = await cancel(id);
    expect(code).toBe(200);
    expect(body).toMatchObject({ state: 'cancelled', reason: 'cancelled by token' });
    expect(body).not.toHaveProperty('next_attempt_at');
    expect((await cancel(id)).status).toBe(409);
    // Others go meanwhile, so the outbox has looked at its queue since.
    await message(await postTo('4915112350011'), isSent);
    expect(await callsTo(phone)).toEqual([]);
    expect((await retry(id)).body.actions?.map(({ action }) => action)).toEqual(['cancel', 'retry']);
    await message(id, isSent);
  });

  it('ends the attempts at one that is retrying', async () => {
    const phone = '4915112350012';
    gatewayAnswers(phone, () => new Response('{}', { status: 503, headers: { 'retry-after': '3600' } }));
    const id = await postTo(phone);
    await message(id, ({ state }) => state === 'retrying');
    expect((await cancel(id)).status).toBe(200);
    await message(await postTo('4915112350013'), isSent);
    expect((await message(id, () => true)).state).toBe('cancelled');
    expect(await callsTo(phone)).toEqual([]);
  });

  it('is 409 for what is sent', async () => {
    const id = await postTo('4915112350014');
    await message(id, isSent);
    expect((await cancel(id)).status).toBe(409);
  });
});

const bulk = (filter: object) => admin<{ retried: number; more: boolean }>('POST', '/messages/retry', filter);

describe('POST /messages/retry', () => {
  it('retries those of a source, and leaves the others', async () => {
    const mine = await Promise.all(['4915112350021', '4915112350022'].map((phone) => deadTo(phone, 'bulk')));
    const other = await deadTo('4915112350023', 'other');
    expect(await bulk({ state: 'dead', source: 'bulk', since: '1h' })).toEqual({
      status: 200,
      body: { retried: mine.length, more: false, next_cursor: null },
    });
    for (const id of mine) await message(id, isSent);
    expect((await message(other, () => true)).state).toBe('dead');
    const since = new Date(Date.now() + 60_000).toISOString();
    expect((await bulk({ state: 'dead', since })).body).toEqual({
      retried: 0,
      more: false,
      next_cursor: null,
    });
    expect((await bulk({ state: 'dead', source: 'other' })).body.retried).toBe(1);
    await message(other, isSent);
  });

  it.each([
    [{}, 'state'],
    [{ state: 'sent' }, 'state'],
    [{ state: 'dead', since: 'yesterday' }, 'since'],
    [{ state: 'dead', sauce: 'form' }, 'sauce'],
  ])('says what is wrong with %o', async (filter, path) => {
    const { status: code, body } = await admin<{ errors: { path: string }[] }>(
      'POST',
      '/messages/retry',
      filter,
    );
    expect(code).toBe(422);
    expect(body.errors.map((error) => error.path)).toEqual([path]);
  });
});

describe('POST /messages/cancel', () => {
  interface Done {
    readonly cancelled: number;
    readonly in_flight: number;
    readonly looked_at: number;
    readonly next_cursor: string | null;
  }
  const cancelMany = (body: object, query = '') => admin<Done>('POST', `/messages/cancel${query}`, body);

  it('cancels what waits of a source, after it was counted, and shows on each who asked', async () => {
    const waiting = await Promise.all(
      ['4915112350041', '4915112350042'].map((phone) => postTo(phone, 'later')),
    );
    const sent = await postTo('4915112350043', 'other');
    await message(sent, isSent);
    const filter = { source: 'later', state: 'queued', since: '1h' };
    const counted = await cancelMany(filter, '?dry_run=true');
    expect(counted.body).toMatchObject({ in_flight: 0, next_cursor: null });
    expect(counted.body.cancelled).toBeGreaterThanOrEqual(2);
    expect((await cancelMany(filter)).body).toMatchObject({ cancelled: counted.body.cancelled });
    for (const id of waiting) {
      const { body } = await admin<Acted>('GET', `/messages/${id}`);
      expect(body).toMatchObject({ state: 'cancelled', actions: [{ action: 'cancel', by: 'token' }] });
    }
    expect((await cancelMany(filter)).body.cancelled).toBe(0);
    expect((await admin<Acted>('GET', `/messages/${sent}`)).body.state).toBe('sent');
  });

  it('takes no request without a filter for one that means all', async () => {
    expect((await cancelMany({})).status).toBe(422);
    expect((await cancelMany({ all: true, source: 'later' })).status).toBe(422);
    expect((await cancelMany({ state: 'dead' })).status).toBe(422);
    expect((await cancelMany({ all: true, cursor: 'nobody:7' })).status).toBe(422);
    const id = await postTo('4915112350044', 'later');
    expect((await cancelMany({ all: true })).body.cancelled).toBeGreaterThanOrEqual(1);
    expect((await admin<Acted>('GET', `/messages/${id}`)).body.state).toBe('cancelled');
  });

  it('goes on where it was', async () => {
    const id = await postTo('4915112350045', 'later');
    const behind = { all: true, cursor: `default:${10 ** 14}` };
    expect((await cancelMany(behind)).body).toEqual({
      cancelled: 0,
      in_flight: 0,
      looked_at: 0,
      next_cursor: null,
    });
    expect((await admin<Acted>('GET', `/messages/${id}`)).body.state).toBe('queued');
  });
});
