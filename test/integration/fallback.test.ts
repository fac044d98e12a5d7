import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually, hurry, message } from './hurry.ts';
import { gatewayAnswers, OWNER_URL, reported, status, watchOutside } from './outside.ts';
import { outbox, take } from './posted.ts';
import {
  admin,
  callsTo,
  event,
  isSent,
  listOf,
  messageNow,
  publish,
  textsTo,
  UNPACED,
  type MessageJson,
} from './relay.ts';
import { newPhone, open, text, toPhone } from './sources.ts';

hurry();

const TEXT = text('order {{ payload.id }}');
const OTHER = text('by another way: order {{ payload.id }}');
const SALES = { ...OTHER, account: 'sales' };
const KINDS = [{ kind: 'link-preview', url: 'https://a.example/{{ payload.id }}' }, TEXT];
const IMAGE = { kind: 'image', image_url: 'https://a.example/{{ payload.id }}.png', fallback: KINDS };
const to = (fallback: readonly object[], route: object = {}, more: object = {}) =>
  open([toPhone({ ...TEXT, fallback }, route)], more);
const ALERT = { incident: { key: '{{ payload.id }}', resolved: 'payload.is_resolved' } };
const ACCOUNT = {
  ...UNPACED,
  retry: ['100ms'],
  timeout: '1m',
  circuit: { failures: 1_000 },
  notify: { url: OWNER_URL, secret: 'NOTIFY_PATH' },
};
const PICTURE = { kind: 'image', image_url: '{{ payload.picture }}', fallback: [TEXT] };
const listed = newPhone();

beforeAll(async () => {
  watchOutside();
  await publish({
    accounts: { default: ACCOUNT, sales: ACCOUNT, 'with-ntfy': { ...ACCOUNT, gateway: 'ntfy' } },
    recipients: { team: { people: { anna: { phone: listed, address: { ntfy: 'anna-k3x9q2vb' } } } } },
    sources: {
      kinds: open([toPhone(IMAGE)]),
      'kinds-held': open([toPhone(IMAGE, { on_uncertain: 'hold' })]),
      pictures: open([toPhone(PICTURE)]),
      shop: to([SALES]),
      chain: to([SALES, text('back home')]),
      team: to([{ ...OTHER, account: 'with-ntfy' }], { to: 'team' }),
      soon: to([{ ...SALES, after: '1s' }]),
      bare: to([SALES], {}, { store: 'metadata' }),
      alerts: to([SALES], ALERT),
    },
  });
});
beforeEach(() => void (reported.length = 0));

const post = (from: string, phone: string, more: object = {}) =>
  take(from, { phone: `+${phone}`, id: `o-${phone.slice(-4)}`, ...more });
/** Posts to a receiver that the gateway answers so. */
async function rejected(from: string, phone: string, ...codes: readonly number[]) {
  gatewayAnswers(phone, ...codes.map(status));
  const { event: id, messages } = await post(from, phone);
  return { event: id, first: messages[0] ?? '' };
}
/** The message, once another one is sent for it; and that one. */
const handed = (id: string) => message(id, ({ fallback }) => fallback !== undefined);
const fallbackOf = async (id: string, until = isSent): Promise<MessageJson> =>
  message((await handed(id)).fallback ?? '', until);
const isDead = ({ state }: MessageJson): boolean => state === 'dead';

const rowsOf = (account: string, sql: string) =>
  runInDurableObject(outbox(account), (_, { storage }) => storage.sql.exec(sql).toArray());
const nothingIsHandedOn = (account = 'default') =>
  eventually(async () => expect(await rowsOf(account, 'SELECT * FROM handings')).toEqual([]));
const messagesOf = async (id: string) =>
  (await event(id)).messages.map(({ kind, account, state }) => `${kind} ${account} ${state}`);
const pause = (account: string) => admin('POST', `/accounts/${account}/pause`);
const resume = (account: string) => admin('POST', `/accounts/${account}/resume`);

const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '600' } });

describe('a message with fallbacks', () => {
  it('is tried as the next kind when it is rejected, until one is sent', async () => {
    const phone = newPhone();
    const { first, event: id } = await rejected('kinds', phone, 400, 422);
    const second = await fallbackOf(first, isDead);
    const third = await fallbackOf(second.id);
    expect([second.fallback_of, third.fallback_of]).toEqual([first, second.id]);
    expect(third).toMatchObject({ kind: 'text', event: id });
    expect(third.fallback).toBeUndefined();
    expect((await callsTo(phone)).map(({ kind }) => kind)).toEqual(['text']);
    const all = ['image default dead', 'link-preview default dead', 'text default sent'];
    expect(await messagesOf(id)).toEqual(all);
    expect(await listOf(`/messages?event=${id}`)).toHaveLength(3);
  });

  it('brings its fallback once, when its schedule is used up, too, however often a person tries it again', async () => {
    const phone = newPhone();
    const { first } = await rejected('kinds', phone, 500, 500);
    const { id, kind } = await fallbackOf(first);
    expect(kind).toBe('link-preview');
    gatewayAnswers(phone, status(400));
    await admin('POST', `/messages/${first}/retry`);
    await message(first, ({ attempts, state }) => attempts.length === 3 && state === 'dead');
    expect((await messageNow(first)).fallback).toBe(id);
    expect(await callsTo(phone)).toHaveLength(1);
  });

  it('that cannot be rendered is its fallback from the start, and says so', async () => {
    const accepted = await post('pictures', newPhone());
    const sent = await message(accepted.messages[0] ?? '', isSent);
    const { state, reason } = await event(accepted.event);
    expect([sent.kind, state]).toEqual(['text', 'routed']);
    expect([reason, sent.reason]).toEqual(Array(2).fill(expect.stringContaining('its fallback is sent')));
  });

  it('that is sent, uncertain or cancelled has none', async () => {
    for (const [state, from, ...answers] of [
      ['sent', 'kinds'],
      ['uncertain', 'kinds-held', () => new Response('?', { status: 200 })],
      ['retrying', 'kinds', busy],
    ] as const) {
      const phone = newPhone();
      gatewayAnswers(phone, ...answers);
      const [first = ''] = (await post(from, phone)).messages;
      await message(first, (one) => one.state === state);
      if (state === 'retrying') await admin('POST', `/messages/${first}/cancel`);
      expect((await messageNow(first)).fallback).toBeUndefined();
    }
  });
});

describe('a message whose fallback names another account', () => {
  it('is sent by that account when it is dead, to the address that its receiver has there', async () => {
    const phone = newPhone();
    const { first, event: id } = await rejected('shop', phone, 400);
    const second = await fallbackOf(first);
    expect(await handed(first)).toMatchObject({
      state: 'dead',
      account: 'default',
      fallback_account: 'sales',
    });
    const words = expect.stringMatching(/^by another way: order o-/) as unknown;
    expect(second).toMatchObject({
      account: 'sales',
      event: id,
      fallback_of: first,
      fallback_of_account: 'default',
      params: { phone, message: words },
    });
    expect(await textsTo(phone)).toEqual([words]);
    expect(await messagesOf(id)).toEqual(['text default dead', 'text sales sent']);
    await nothingIsHandedOn();
    gatewayAnswers(listed, status(400));
    const { messages } = await post('team', listed);
    expect((await fallbackOf(messages[0] ?? '')).phone).toBe('anna-k3x9q2vb');
    expect(await textsTo('anna-k3x9q2vb')).toEqual([words]);
  });

  it('comes back to its own account when that one cannot send it either; lists and pages have them all', async () => {
    const { first, event: id } = await rejected('chain', newPhone(), 400, 400);
    const second = await fallbackOf(first, isDead);
    const third = await fallbackOf(second.id);
    expect([second, third]).toMatchObject([
      { account: 'sales', fallback_account: 'default' },
      { account: 'default', fallback_of: second.id, fallback_of_account: 'sales' },
    ]);
    expect(third.params['message']).toBe('back home');
    const idsOf = async (query: string) =>
      (await listOf<MessageJson>(`/messages?event=${id}${query}`)).map((one) => one.id);
    expect(await idsOf('')).toEqual([third.id, second.id, first]);
    expect(await idsOf('&state=dead')).toEqual([second.id, first]);
    expect(await idsOf(`&phone=${newPhone()}`)).toEqual([]);
    const page = await admin<{ next_cursor: string }>('GET', `/messages?event=${id}&limit=1`);
    expect(await idsOf(`&cursor=${page.body.next_cursor}`)).toEqual([second.id, first]);
    expect((await event(id)).messages.map((one) => one.id)).toEqual([first, second.id, third.id]);
  });

  it('waits there like any other message, where a person can cancel it, and its event is counted as waiting', async () => {
    interface Listed {
      readonly id: string;
      readonly counts?: object;
    }
    const countsOf = async (id: string) =>
      (await listOf<Listed>('/events?source=shop')).find((one) => one.id === id)?.counts;
    for (const ends of ['cancelled', 'sent']) {
      const phone = newPhone();
      await pause('sales');
      const { first, event: id } = await rejected('shop', phone, 400);
      const { fallback = '' } = await handed(first);
      expect(await messageNow(fallback)).toMatchObject({ state: 'queued', waits: { for: 'pause' } });
      expect(await countsOf(id)).toEqual({ sent: 0, failed: 0, waiting: 1 });
      if (ends === 'cancelled') await admin('POST', `/messages/${fallback}/cancel`);
      await resume('sales');
      await message(fallback, ({ state }) => state === ends);
      if (ends === 'sent') expect(await countsOf(id)).toEqual({ sent: 1, failed: 0, waiting: 0 });
      else expect(await textsTo(phone)).toEqual([]);
    }
  });

  it('keeps nothing of it where its source keeps no payloads', async () => {
    const phone = newPhone();
    const { first } = await rejected('bare', phone, 400);
    expect((await fallbackOf(first)).params).toEqual({ phone });
    const kept = await rowsOf('default', 'SELECT fallback FROM messages ORDER BY seq DESC LIMIT 1');
    expect(JSON.stringify(kept)).not.toContain('o-');
    await nothingIsHandedOn();
  });
});

describe('a message that is not sent for the time that its fallback names', () => {
  it('is another account’s from then on, while its own is refused by the gateway, and is not sent later', async () => {
    const phone = newPhone();
    const { first } = await rejected('soon', phone, 401);
    await fallbackOf(first);
    const superseded = await messageNow(first);
    expect(superseded).toMatchObject({ state: 'superseded', fallback_account: 'sales' });
    expect(superseded.reason).toContain('the account `sales` sends its fallback');
    await resume('default');
    await runDurableObjectAlarm(outbox());
    expect(await textsTo(phone)).toEqual([expect.stringMatching(/^by another way: order o-/)]);
    expect((await admin('POST', `/messages/${first}/retry`)).status).toBe(409);
  });

  it('waits while a person has paused the account', async () => {
    await pause('default');
    const [id = ''] = (await post('soon', newPhone())).messages;
    await rowsOf('default', 'UPDATE handings SET next_at = 1');
    await runDurableObjectAlarm(outbox());
    expect(await messageNow(id)).toMatchObject({ state: 'queued' });
    await resume('default');
    expect((await message(id, isSent)).fallback_account).toBeUndefined();
    await nothingIsHandedOn();
  });
});

const messagesTo = (phone: string) => listOf<MessageJson>(`/messages?phone=${phone}`);

/** An incident whose message the other account has, and does not send yet. */
async function waitsThere(phone: string) {
  await pause('sales');
  gatewayAnswers(phone, status(400));
  const opened = await post('alerts', phone, { is_resolved: false });
  await eventually(async () =>
    expect((await messagesTo(phone)).map(({ account }) => account).toSorted()).toEqual(['default', 'sales']),
  );
  const ours = (await messagesTo(phone)).find(({ account }) => account === 'default');
  await message(ours?.id ?? '', ({ fallback }) => fallback !== undefined);
  await evictDurableObject(outbox());
  return { event: opened.event, ours: await messageNow(ours?.id ?? '') };
}

const outcomesAre = (id: string, ...outcomes: readonly string[]) =>
  eventually(async () => expect((await event(id)).items?.map(({ outcome }) => outcome)).toEqual(outcomes));

describe('a notification that another account sends', () => {
  it('has notified its receiver once that account has sent it, and not before', async () => {
    const phone = newPhone();
    const opened = await waitsThere(phone);
    await outcomesAre(opened.event, 'waiting');
    await resume('sales');
    await outcomesAre(opened.event, 'notified');
    await outcomesAre((await post('alerts', phone, { is_resolved: true })).event, 'notified');
    expect(await callsTo(phone)).toHaveLength(2);
    for (const account of ['default', 'sales']) await nothingIsHandedOn(account);
  });

  it('is known to have notified its receiver although the report is the first thing that a new instance hears', async () => {
    const phone = newPhone();
    const { event: id, ours } = await waitsThere(phone);
    const by = { account: 'sales', message: ours.fallback ?? '' };
    await outbox().endedElsewhere([{ id: ours.id, by, state: 'sent', outcome: 'sent' }]);
    await outcomesAre(id, 'notified');
    await resume('sales');
    await eventually(async () => expect(await callsTo(phone)).toHaveLength(1));
    expect(await messagesTo(phone)).toHaveLength(2);
  });

  it('has notified nobody if that account cannot send it either', async () => {
    const phone = newPhone();
    // However often it is tried anew.
    gatewayAnswers(phone, ...Array.from({ length: 1_000 }, () => status(400)));
    const opened = await post('alerts', phone, { is_resolved: false });
    await eventually(async () => {
      const accounts = (await messagesTo(phone)).filter(isDead).map(({ account }) => account);
      expect(new Set(accounts)).toEqual(new Set(['default', 'sales']));
    });
    await outcomesAre(opened.event, 'waiting');
    expect(await callsTo(phone)).toEqual([]);
  });
});
