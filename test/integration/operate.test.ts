import { beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../src/lib/time.ts';
import { hurry, message, skip } from './hurry.ts';
import { gatewayAnswers, refusal, status, watchOutside, type Answer } from './outside.ts';
import { postTo, take } from './posted.ts';
import {
  admin,
  event,
  isSent,
  messageNow,
  publish,
  textsTo,
  UNPACED,
  type MessageJson,
  type ReceiptJson,
} from './relay.ts';
import { newPhone, open, text, toPhone } from './sources.ts';

interface Acted extends MessageJson {
  readonly actions?: readonly { action: string; by: string; at: string }[];
  readonly detail?: string;
}

const hang: Answer = () => new Promise<Response>(() => undefined);
const ACCOUNT = { ...UNPACED, retry: ['1s', '1s'], timeout: '1m', circuit: { failures: 1_000 } };
const KEYED = { dedupe: { key: '{{ payload.id }}' } };
const PAID = {
  name: 'paid',
  when: 'payload.status == "paid"',
  once: '{{ payload.id }}:paid',
  to: ['{{ payload.phone }}', '{{ payload.owner }}'],
  send: text('Order {{ payload.id }} is paid'),
};
const ONCE = { dedupe: { key: '{{ payload.delivery }}', window: '30d' } };

const SOURCES = {
  form: open([toPhone('hello')]),
  bulk: open([toPhone('hello')]),
  other: open([toPhone('hello')]),
  held: open([toPhone('hello', { on_uncertain: 'hold' })]),
  later: open([toPhone('hello', { delay: '1h' })]),
  bare: open([toPhone('hello')], { store: 'metadata' }),
  shop: open([PAID], ONCE),
};
/** The set, with a source that is replayed. */
const publishWith = (words: string | null) =>
  publish({
    accounts: { default: ACCOUNT },
    sources: { ...SOURCES, ...(words !== null && { replayed: open([toPhone(words)], KEYED) }) },
  });

hurry();
beforeAll(async () => {
  watchOutside();
  await publishWith('old: {{ payload.id }}');
});

const inState = (state: string) => (one: MessageJson) => one.state === state;

/** A message that the gateway rejected for good. */
async function deadTo(phone: string, source = 'form'): Promise<string> {
  gatewayAnswers(phone, status(400));
  const id = await postTo(source, phone);
  await message(id, inState('dead'));
  return id;
}
const retry = (id: string) => admin<Acted>('POST', `/messages/${id}/retry`);
const cancel = (id: string) => admin<Acted>('POST', `/messages/${id}/cancel`);

describe('POST /messages/{id}/retry', () => {
  it('sends a dead letter, and shows on it who asked and when', async () => {
    const phone = newPhone();
    const id = await deadTo(phone);
    const { status: code, body } = await retry(id);
    expect([code, body.actions]).toMatchObject([200, [{ action: 'retry', by: 'token' }]]);
    expect(Date.parse(body.actions?.[0]?.at ?? '')).not.toBeNaN();
    const sent = await message(id, isSent);
    expect(sent.attempts.map(({ outcome }) => outcome)).toEqual(['rejected', 'sent']);
    expect(await textsTo(phone)).toEqual(['hello']);
  });

  it('gives it its whole schedule again, and counts refusals anew', async () => {
    const [failing, refused] = [newPhone(), newPhone()];
    gatewayAnswers(failing, ...Array.from({ length: 6 }, () => status(500)));
    gatewayAnswers(refused, ...Array.from({ length: 5 }, () => refusal));
    const ids = [await postTo('form', failing), await postTo('form', refused)];
    for (const id of ids) {
      await message(id, inState('dead'));
      await retry(id);
    }
    const dead = await message(ids[0] ?? '', (one) => one.state === 'dead' && one.attempts.length > 3);
    expect(dead.attempts.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(dead.reason).toContain('gave up after 3 attempts');
    expect((await message(ids[1] ?? '', isSent)).attempts).toHaveLength(6);
  });

  it('is 409 for what is sent, queued or being sent right now, where a cancel is, too, and 404 for what is not there', async () => {
    const [phone, hanging] = [newPhone(), newPhone()];
    const sent = await postTo('form', phone);
    await message(sent, isSent);
    const refused = await retry(sent);
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('sent already')]);
    expect((await cancel(sent)).status).toBe(409);
    expect(await textsTo(phone)).toEqual(['hello']);
    gatewayAnswers(hanging, hang);
    const sending = await postTo('form', hanging);
    await message(sending, inState('sending'));
    expect((await retry(sending)).status).toBe(409);
    const cancelled = await cancel(sending);
    expect([cancelled.status, cancelled.body.detail]).toEqual([409, expect.stringContaining('being sent')]);
    expect((await retry(await postTo('later', newPhone()))).status).toBe(409);
    expect((await retry('msg_0000000000000000')).status).toBe(404);
    expect((await cancel('nonsense')).status).toBe(404);
  });
});

describe('POST /messages/{id}/cancel', () => {
  it('takes a queued message out of delivery; only a retry brings it back', async () => {
    const phone = newPhone();
    const id = await postTo('later', phone);
    const { status: code, body } = await cancel(id);
    expect([code, body]).toMatchObject([200, { state: 'cancelled', reason: 'cancelled by token' }]);
    expect(body).not.toHaveProperty('next_attempt_at');
    expect((await cancel(id)).status).toBe(409);
    // Others go meanwhile, so the outbox has looked at its queue since.
    await message(await postTo('form', newPhone()), isSent);
    expect(await textsTo(phone)).toEqual([]);
    expect((await retry(id)).body.actions?.map(({ action }) => action)).toEqual(['cancel', 'retry']);
    await message(id, isSent);
  });
});

const bulk = async (filter: object) =>
  (await admin<{ retried: number; more: boolean }>('POST', '/messages/retry', filter)).body;

describe('POST /messages/retry', () => {
  it('retries those of a source, and leaves the others', async () => {
    const mine = await Promise.all([newPhone(), newPhone()].map((phone) => deadTo(phone, 'bulk')));
    const other = await deadTo(newPhone(), 'other');
    const done = await bulk({ state: 'dead', source: 'bulk', since: '1h' });
    expect(done).toEqual({ retried: 2, more: false, next_cursor: null });
    for (const id of mine) await message(id, isSent);
    expect((await messageNow(other)).state).toBe('dead');
    const since = new Date(Date.now() + 60_000).toISOString();
    expect(await bulk({ state: 'dead', since })).toMatchObject({ retried: 0 });
    expect(await bulk({ state: 'dead', source: 'other' })).toMatchObject({ retried: 1 });
    await message(other, isSent);
  });
});

const stateOf = async (id: string) => (await messageNow(id)).state;

describe('POST /messages/cancel', () => {
  interface Done {
    readonly cancelled: number;
    readonly in_flight: number;
    readonly looked_at: number;
    readonly next_cursor: string | null;
  }
  const cancelMany = (body: object, query = '') => admin<Done>('POST', `/messages/cancel${query}`, body);

  it('cancels what waits of a source, after it was counted, and shows on each who asked', async () => {
    const waiting = [await postTo('later', newPhone()), await postTo('later', newPhone())];
    const sent = await postTo('other', newPhone());
    await message(sent, isSent);
    const filter = { source: 'later', state: 'queued', since: '1h' };
    const counted = await cancelMany(filter, '?dry_run=true');
    expect(counted.body).toMatchObject({ in_flight: 0, next_cursor: null });
    expect(counted.body.cancelled).toBeGreaterThanOrEqual(2);
    expect((await cancelMany(filter)).body).toMatchObject({ cancelled: counted.body.cancelled });
    const cancelled = { state: 'cancelled', actions: [{ action: 'cancel', by: 'token' }] };
    for (const id of waiting) expect(await messageNow(id)).toMatchObject(cancelled);
    expect((await cancelMany(filter)).body.cancelled).toBe(0);
    expect(await stateOf(sent)).toBe('sent');
  });

  it('goes on where it was, and takes no request without a filter for one that means all', async () => {
    const id = await postTo('later', newPhone());
    const none = { cancelled: 0, in_flight: 0, looked_at: 0, next_cursor: null };
    expect((await cancelMany({ all: true, cursor: `default:${10 ** 14}` })).body).toEqual(none);
    for (const wrong of [
      {},
      { all: true, source: 'later' },
      { state: 'dead' },
      { all: true, cursor: 'nobody:7' },
    ])
      expect((await cancelMany(wrong)).status).toBe(422);
    expect(await stateOf(id)).toBe('queued');
    expect((await cancelMany({ all: true })).body.cancelled).toBeGreaterThanOrEqual(1);
    expect(await stateOf(id)).toBe('cancelled');
  });
});

interface Replayed extends ReceiptJson {
  readonly replay_of: string;
  readonly detail?: string;
}
const replay = (id: string, body?: object) => admin<Replayed>('POST', `/events/${id}/replay`, body);

describe('replaying an event', () => {
  it('renders it with today’s configuration, sends it again, and links it to the original', async () => {
    const phone = newPhone();
    const first = await take('replayed?via=test', { id: 'one', phone: `+${phone}` });
    await message(first.messages[0] ?? '', isSent);
    const before = await event(first.event);
    await publishWith('new: {{ payload.id }} {{ query.via }} {{ event.received_at }} {{ event.dedupe_key }}');
    const { status: code, body } = await replay(first.event);
    expect([code, body]).toMatchObject([202, { replay_of: first.event }]);
    expect(body.event).not.toBe(first.event);
    await message(body.messages[0] ?? '', isSent);
    const at = String(Reflect.get(before, 'received_at'));
    expect(await textsTo(phone)).toEqual(['old: one', `new: one test ${at} one`]);
    const stored = await event(body.event);
    const by = { replay_of: first.event, replayed_by: 'token', state: 'routed', duplicates: 0 };
    expect(stored).toMatchObject({ ...by, payload: before.payload });
    expect(Reflect.get(stored, 'config_version')).toBeGreaterThan(
      Number(Reflect.get(before, 'config_version')),
    );
    expect(await event(first.event)).toEqual(before);
    expect((await replay(body.event)).body.replay_of).toBe(body.event);
  });

  it('is not taken for a duplicate, as often as it is asked for, and takes no claim', async () => {
    const phone = newPhone();
    const payload = { id: 'two', phone: `+${phone}` };
    const first = await take('replayed', payload);
    const replays = await Promise.all([replay(first.event), replay(first.event)]);
    expect(new Set(replays.map(({ body }) => body.event)).size).toBe(2);
    for (const { body } of replays) await message(body.messages[0] ?? '', isSent);
    expect(await textsTo(phone)).toHaveLength(3);
    expect(await take('replayed', payload)).toMatchObject({ event: first.event, duplicate: true });
  });

  it('is 409 where no payloads are kept or the source is gone, and 404 for an event that never was', async () => {
    const bare = await replay((await take('bare', { phone: `+${newPhone()}` })).event);
    expect([bare.status, bare.body.detail]).toEqual([409, expect.stringContaining('store: metadata')]);
    const { event: id } = await take('replayed', { id: 'six', phone: `+${newPhone()}`, word: 'x' });
    await publishWith(null);
    const gone = await replay(id);
    expect([gone.status, gone.body.detail]).toEqual([409, expect.stringContaining('publish it')]);
    expect((await replay('evt_00000000000000000000000000')).status).toBe(404);
  });
});

const [phone, owner] = [newPhone(), newPhone()];

const paid = (id: number, more: object = {}) => ({ id, status: 'paid', ...more });

describe('an order that is paid, edited, and paid again', () => {
  let delivery = 0;
  const post = (source: string, payload: object) =>
    take(source, { delivery: (delivery += 1), phone: `+${phone}`, owner: `+${owner}`, ...payload });
  const countOf = async (source: string, payload: object) => (await post(source, payload)).messages.length;

  it('is reported to each receiver once; another order is another message', async () => {
    const first = await post('shop', paid(1042));
    const edited = await post('shop', paid(1042, { note: 'ring twice' }));
    await post('shop', { id: 1042, status: 'refunded' });
    const again = await post('shop', paid(1042));
    const other = await post('shop', paid(1043));
    expect([first, edited, again, other].map(({ messages }) => messages.length)).toEqual([2, 0, 0, 2]);
    for (const id of [...first.messages, ...other.messages]) await message(id, isSent);
    for (const one of [phone, owner])
      expect(await textsTo(one)).toEqual(['Order 1042 is paid', 'Order 1043 is paid']);
    const reason = `left out 2 of its 2 messages: their \`once\` value arrived before, in ${first.event}`;
    expect(await event(edited.event)).toMatchObject({
      state: 'routed',
      duplicates: 0,
      messages: [],
      reason,
    });
    // A person’s replay sends it again, and consumes no key.
    for (const { event: id } of [first, edited]) expect((await replay(id)).body.messages.length).toBe(2);
    expect((await replay(edited.event, { only: 'failed' })).status).toBe(409);
    const fresh = await post('shop', { id: 2002, status: 'open' });
    await replay(fresh.event);
    expect(await countOf('shop', paid(2002))).toBe(2);
  });

  it('is reported again once the window is over', async () => {
    expect(await countOf('shop', paid(4001))).toBe(2);
    await skip(30 * DAY - 60_000);
    expect(await countOf('shop', paid(4001))).toBe(0);
    await skip(120_000);
    expect(await countOf('shop', paid(4001))).toBe(2);
  });
});
