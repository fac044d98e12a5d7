import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY } from '../../src/lib/duration.ts';
import { admin, callsTo, event, isSent, message, postJson, publish, UNPACED } from './relay.ts';

/** Numbers that no other test uses. */
const SHOP = '491713920211';
const OWNER = '491713920212';
const CREW = '491713920213';
const QUIET = '491713920214';

const ROUTE = {
  name: 'paid',
  when: 'payload.status == "paid"',
  once: '{{ payload.id }}:paid',
  send: { kind: 'text', message: 'Order {{ payload.id }} is paid' },
};
const SOURCE = { verify: { scheme: 'none' }, dedupe: { key: '{{ payload.delivery }}', window: '30d' } };
const batch = { each: 'payload', once: '{{ item.contact }}', to: CREW };

beforeAll(() =>
  publish({
    accounts: { default: UNPACED, sales: UNPACED },
    sources: {
      shop: { ...SOURCE, routes: [{ ...ROUTE, to: [SHOP, OWNER] }] },
      metadata: { ...SOURCE, store: 'metadata', routes: [{ ...ROUTE, to: SHOP }] },
      hushed: { ...SOURCE, routes: [{ ...ROUTE, to: QUIET }] },
      crew: { ...SOURCE, routes: [{ ...ROUTE, to: CREW, throttle: { max: 9, per: '1h' } }] },
      contacts: {
        provider: 'sendgrid',
        verify: { scheme: 'none' },
        routes: [{ name: 'mail', ...batch, send: { kind: 'text', message: '{{ item.contact }}' } }],
      },
    },
    silences: { migration: { when: 'event.source == "hushed" and payload.migrated' } },
  }),
);

interface Answer {
  readonly event: string;
  readonly duplicate: boolean;
  readonly messages: readonly string[];
  readonly waiting?: number;
}

let delivery = 0;
async function take(source: string, payload: object): Promise<Answer> {
  delivery += 1;
  const body = Array.isArray(payload) ? payload : { delivery, ...payload };
  const response = await postJson(source, body);
  expect(response.status).toBe(202);
  return response.json<Answer>();
}
const paid = (id: number, more: object = {}) => ({ id, status: 'paid', ...more });

describe('an order that is paid, edited, and paid again', () => {
  it('is reported to each receiver once; another order is another message', async () => {
    const first = await take('shop', paid(1042));
    const edited = await take('shop', paid(1042, { note: 'ring twice' }));
    await take('shop', { id: 1042, status: 'refunded' });
    const again = await take('shop', paid(1042));
    const other = await take('shop', paid(1043));
    expect([first, edited, again, other].map(({ messages }) => messages.length)).toEqual([2, 0, 0, 2]);
    for (const id of [...first.messages, ...other.messages]) await message(id, isSent);
    for (const phone of [SHOP, OWNER])
      expect((await callsTo(phone)).map(({ params }) => params['message'])).toEqual([
        'Order 1042 is paid',
        'Order 1043 is paid',
      ]);
    expect(await event(edited.event)).toMatchObject({
      state: 'routed',
      duplicates: 0,
      messages: [],
      reason: `left out 2 of its 2 messages: their \`once\` value arrived before, in ${first.event}`,
    });
  });

  it('is sent again by a person’s replay, which consumes no key', async () => {
    const first = await take('shop', paid(2001));
    const edited = await take('shop', paid(2001));
    for (const { event: id } of [first, edited]) {
      const { body } = await admin<Answer>('POST', `/events/${id}/replay`);
      expect(body.messages).toHaveLength(2);
    }
    const fresh = await take('shop', { id: 2002, status: 'open' });
    await admin('POST', `/events/${fresh.event}/replay`);
    expect((await take('shop', paid(2002))).messages).toHaveLength(2);
  });

  it('is not reported again by a replay of what failed, where it was left out', async () => {
    await take('shop', paid(2003));
    const edited = await take('shop', paid(2003));
    const { status } = await admin('POST', `/events/${edited.event}/replay`, { only: 'failed' });
    expect(status).toBe(409);
  });

  it('is reported once where nothing of it is kept', async () => {
    const answers = [await take('metadata', paid(1)), await take('metadata', paid(1))];
    expect(answers.map(({ messages }) => messages.length)).toEqual([1, 0]);
  });

  it('is reported once where it is reported later', async () => {
    const answers = [await take('crew', paid(1)), await take('crew', paid(1))];
    expect(answers.map(({ waiting = 0, messages }) => waiting + messages.length)).toEqual([1, 0]);
  });

  it('is reported by the next event where a silence took the first', async () => {
    const hushed = await take('hushed', paid(1, { migrated: true }));
    expect((await take('hushed', paid(1))).messages).toHaveLength(1);
    expect((await take('hushed', paid(1))).messages).toHaveLength(0);
    expect((await event(hushed.event)).items).toMatchObject([{ outcome: 'silenced' }]);
  });
});

const of = (id: string, contact: string) => ({ sg_event_id: id, sg_message_id: 'm', contact });

describe('elements with ids of their own', () => {
  it('are reported once by their ids, and once by `once`', async () => {
    const counts = [];
    for (const list of [
      [of('a', 'ada'), of('b', 'bob'), of('c', 'ada')],
      [of('b', 'bob'), of('d', 'bob'), of('e', 'eve')],
    ])
      counts.push((await take('contacts', list)).messages.length);
    expect(counts).toEqual([2, 1]);
  });
});

const ask = (payload: object) =>
  admin<{ messages: { once?: string }[]; warnings: { parameter: string; message: string }[] }>(
    'POST',
    '/sources/shop/preview',
    { payload },
  );

describe('a preview', () => {
  it('shows the key, claims nothing, and says what is missing in it', async () => {
    for (let n = 0; n < 2; n += 1) {
      const { body } = await ask(paid(3001));
      expect(body.messages.map(({ once }) => once)).toEqual(['3001:paid', '3001:paid']);
    }
    const { body } = await ask({ status: 'paid' });
    const said = body.warnings.filter(({ parameter }) => parameter === 'once');
    expect(said.map(({ message: words }) => words)).toEqual([
      expect.stringContaining('other events may get the same key'),
    ]);
    expect((await take('shop', paid(3001))).messages).toHaveLength(2);
  });
});

describe('once the window is over', () => {
  afterEach(() => vi.restoreAllMocks());

  it('it is reported again', async () => {
    expect((await take('shop', paid(4001))).messages).toHaveLength(2);
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now');
    clock.mockReturnValue(now + 30 * DAY - 60_000);
    expect((await take('shop', paid(4001))).messages).toHaveLength(0);
    clock.mockReturnValue(now + 30 * DAY + 60_000);
    expect((await take('shop', paid(4001))).messages).toHaveLength(2);
  });
});
