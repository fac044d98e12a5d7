import { env } from 'cloudflare:workers';
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Handed } from '../../src/outbox/state/handed.ts';
import { draft } from '../outbox/support.ts';
import { gatewayAnswers, OWNER_URL, reported, status, watchOutside, eventually } from './outside.ts';
import {
  admin,
  callsTo,
  event,
  isSent,
  message,
  messageNow,
  postJson,
  publish,
  UNPACED,
  type MessageJson,
} from './relay.ts';

const TEXT = { kind: 'text', message: 'order {{ payload.id }}' };
const OTHER = { kind: 'text', message: 'by another way: order {{ payload.id }}' };

const source = (fallback: readonly object[], more: object = {}, route: object = {}) => ({
  verify: { scheme: 'none' },
  routes: [{ name: 'all', to: '{{ payload.phone }}', send: { ...TEXT, fallback }, ...route }],
  ...more,
});

const ALERT = { incident: { key: '{{ payload.id }}', resolved: 'payload.is_resolved' } };
const SALES = { ...OTHER, account: 'sales' };
const ACCOUNT = {
  ...UNPACED,
  retry: ['100ms'],
  circuit: { failures: 1_000 },
  notify: { url: OWNER_URL, secret: 'NOTIFY_PATH' },
};

beforeAll(async () => {
  watchOutside();
  await publish({
    accounts: { default: ACCOUNT, sales: ACCOUNT, 'with-ntfy': { ...ACCOUNT, gateway: 'ntfy' } },
    recipients: {
      team: { people: { anna: { phone: '4915112390002', address: { ntfy: 'anna-k3x9q2vb' } } } },
    },
    sources: {
      shop: source([SALES]),
      chain: source([SALES, { ...OTHER, message: 'back home' }]),
      team: source([{ ...OTHER, account: 'with-ntfy' }], {}, { to: 'team' }),
      soon: source([{ ...SALES, after: '1s' }]),
      bare: source([SALES], { store: 'metadata' }),
      alerts: source([SALES], {}, ALERT),
    },
  });
});

beforeEach(() => void (reported.length = 0));

async function post(from: string, phone: string, more: object = {}) {
  const response = await postJson(from, { phone: `+${phone}`, id: `o-${phone.slice(-4)}`, ...more });
  return response.json<{ event: string; messages: string[] }>();
}

async function handed(id: string): Promise<MessageJson> {
  await expect.poll(async () => (await messageNow(id)).fallback).toBeDefined();
  return messageNow(id);
}

const outbox = (account: string) => env.OUTBOX.getByName(account);
const rowsOf = (account: string, sql: string) =>
  runInDurableObject(outbox(account), (_, { storage }) => storage.sql.exec(sql).toArray());

describe('a message whose fallback names another account', () => {
  it('is sent by that account when it is dead; both say which message is the other', async () => {
    const phone = '4915112390001';
    gatewayAnswers(phone, status(400));
    const accepted = await post('shop', phone);
    const first = await handed(accepted.messages[0] ?? '');
    expect(first).toMatchObject({ state: 'dead', account: 'default', fallback_account: 'sales' });
    await message(first.fallback ?? '', isSent);
    const second = await messageNow(first.fallback ?? '');
    expect(second).toMatchObject({
      account: 'sales',
      event: accepted.event,
      fallback_of: first.id,
      fallback_of_account: 'default',
      params: { phone, message: 'by another way: order o-0001' },
    });
    expect((await callsTo(phone)).map(({ params }) => params['email'] ?? 'masked')).toHaveLength(1);
    expect((await event(accepted.event)).messages.map(({ id, state }) => [id, state])).toEqual([
      [first.id, 'dead'],
      [second.id, 'sent'],
    ]);
    expect(await rowsOf('default', 'SELECT * FROM handings')).toEqual([]);
  });

  it('goes to the address that its receiver has there', async () => {
    gatewayAnswers('4915112390002', status(400));
    const first = await handed((await post('team', '4915112390002')).messages[0] ?? '');
    const sent = await message(first.fallback ?? '', isSent);
    expect(sent.phone).toBe('anna-k3x9q2vb');
    expect((await callsTo('anna-k3x9q2vb')).at(-1)?.params['message']).toContain('by another way');
  });

  it('comes back to its own account when that one cannot send it either', async () => {
    const phone = '4915112390003';
    gatewayAnswers(phone, status(400), status(400));
    const first = await handed((await post('chain', phone)).messages[0] ?? '');
    const second = await handed(first.fallback ?? '');
    const third = await message(second.fallback ?? '', isSent);
    expect([second, await messageNow(third.id)]).toMatchObject([
      { account: 'sales', state: 'dead', fallback_account: 'default' },
      { account: 'default', fallback_of: second.id, fallback_of_account: 'sales' },
    ]);
    expect(third.params['message']).toBe('back home');
  });

  it('waits there like any other message, where a person can cancel it', async () => {
    const phone = '4915112390004';
    await admin('POST', '/accounts/sales/pause');
    gatewayAnswers(phone, status(400));
    const first = await handed((await post('shop', phone)).messages[0] ?? '');
    expect(await messageNow(first.fallback ?? '')).toMatchObject({
      state: 'queued',
      waits: { for: 'pause' },
    });
    await admin('POST', `/messages/${first.fallback}/cancel`);
    await admin('POST', '/accounts/sales/resume');
    expect(await messageNow(first.fallback ?? '')).toMatchObject({ state: 'cancelled' });
    expect(await callsTo(phone)).toEqual([]);
  });

  it('is given once, however often it comes', async () => {
    const phone = '4915112390005';
    const id = 'msg_0000000017777777';
    const given: Handed = {
      id,
      draft: draft({ phone, params: { message: 'once' }, from: { account: 'default', message: id } }),
      origin: { event: null, source: null, since: Date.now(), configVersion: 1 },
    };
    const [one] = await outbox('sales').takeHanded([given]);
    await evictDurableObject(outbox('sales'));
    const [two] = await outbox('sales').takeHanded([given, given]);
    expect(two).toEqual(one);
    await message(one !== undefined && 'message' in one ? one.message : '', isSent);
    expect(await callsTo(phone)).toHaveLength(1);
  });

  it('is given although its object stops after it is dead, and before the other account has answered', async () => {
    const phone = '4915112390006';
    gatewayAnswers(phone, status(400));
    const { id } = await handed((await post('shop', phone)).messages[0] ?? '');
    const { fallback } = await messageNow(id);
    // As it was before the answer came.
    await runInDurableObject(outbox('default'), (_, { storage }) => {
      const { seq } = storage.sql.exec<{ seq: number }>('SELECT max(seq) AS seq FROM messages').one();
      const handing = {
        id,
        draft: draft({ phone, params: { message: 'again' } }),
        origin: { event: null, source: null, since: 0, configVersion: 1 },
      };
      storage.sql.exec(
        "INSERT INTO handings (seq, phase, account, what, since, next_at) VALUES (?, 'leaves', 'sales', ?, ?, ?)",
        seq,
        JSON.stringify(handing),
        Date.now(),
        Date.now(),
      );
    });
    await evictDurableObject(outbox('default'));
    await outbox('default').look();
    await eventually(async () => expect(await rowsOf('default', 'SELECT * FROM handings')).toEqual([]));
    expect((await messageNow(id)).fallback).toBe(fallback);
    await message(fallback ?? '', isSent);
    expect(await callsTo(phone)).toHaveLength(1);
  });

  it('keeps nothing of it where its source keeps no payloads', async () => {
    const phone = '4915112390007';
    gatewayAnswers(phone, status(400));
    const first = await handed((await post('bare', phone)).messages[0] ?? '');
    await message(first.fallback ?? '', isSent);
    expect((await messageNow(first.fallback ?? '')).params).toEqual({ phone });
    const rows = await rowsOf('default', 'SELECT fallback FROM messages');
    expect(JSON.stringify([rows, await rowsOf('default', 'SELECT * FROM handings')])).not.toContain('o-0007');
  });

  it('says so, and its owner is notified, when that account does not take it', async () => {
    const phone = '4915112390008';
    gatewayAnswers(phone, status(400));
    const [id = ''] = (await post('shop', phone)).messages;
    const { fallback } = await handed(id);
    await message(fallback ?? '', isSent);
    // An account that is not there refuses for two minutes before that is final.
    await runInDurableObject(outbox('default'), (_, { storage }) => {
      const { seq } = storage.sql.exec<{ seq: number }>('SELECT max(seq) AS seq FROM messages').one();
      const what = { id: `${id.slice(0, -1)}x`, draft: { phone, params: {}, fallback: [] }, origin: {} };
      storage.sql.exec(
        "INSERT INTO handings (seq, phase, account, what, since, next_at) VALUES (?, 'leaves', 'nowhere', ?, 1, 1)",
        seq,
        JSON.stringify(what),
      );
    });
    await outbox('default').look();
    await message(id, ({ reason }) => reason?.includes('its fallback was refused') === true);
    expect((await messageNow(id)).reason).toContain('there is no account `nowhere`');
    await eventually(() => expect(reported.map(({ notice }) => notice.kind)).toContain('fallback.refused'));
  });
});

interface Listed {
  readonly id: string;
  readonly counts?: { readonly sent: number; readonly failed: number; readonly waiting: number };
}

const listed = async (query: string): Promise<readonly (readonly [string, string])[]> =>
  (await admin<{ items: MessageJson[] }>('GET', `/messages?${query}`)).body.items.map(({ id, state }) => [
    id,
    state,
  ]);

const countsOf = async (id: string) =>
  (await admin<{ items: Listed[] }>('GET', '/events?source=chain')).body.items.find((one) => one.id === id)
    ?.counts;

describe('an event whose message another account sends', () => {
  it('lists the messages of all accounts, filtered like any others, page by page', async () => {
    const phone = '4915112390030';
    gatewayAnswers(phone, status(400), status(400));
    const accepted = await post('chain', phone);
    const first = await handed(accepted.messages[0] ?? '');
    const second = await handed(first.fallback ?? '');
    const third = await message(second.fallback ?? '', isSent);
    const whole = [
      [third.id, 'sent'],
      [second.id, 'dead'],
      [first.id, 'dead'],
    ];
    expect(await listed(`event=${accepted.event}`)).toEqual(whole);
    expect(await listed(`event=${accepted.event}&state=dead`)).toEqual(whole.slice(1));
    expect(await listed(`event=${accepted.event}&phone=4915112399999`)).toEqual([]);
    const page = await admin<{ items: MessageJson[]; next_cursor: string }>(
      'GET',
      `/messages?event=${accepted.event}&limit=1`,
    );
    expect(page.body.items.map(({ id }) => id)).toEqual([third.id]);
    expect(await listed(`event=${accepted.event}&cursor=${page.body.next_cursor}`)).toEqual(whole.slice(1));
    expect((await event(accepted.event)).messages.map(({ id }) => id)).toEqual([
      first.id,
      second.id,
      third.id,
    ]);
  });

  it('is counted in lists by what that account has sent, and not as failed', async () => {
    const phone = '4915112390031';
    gatewayAnswers(phone, status(400));
    await admin('POST', '/accounts/sales/pause');
    const accepted = await post('chain', phone);
    const first = await handed(accepted.messages[0] ?? '');
    expect(await countsOf(accepted.event)).toEqual({ sent: 0, failed: 0, waiting: 1 });
    await admin('POST', '/accounts/sales/resume');
    await message(first.fallback ?? '', isSent);
    expect(await countsOf(accepted.event)).toEqual({ sent: 1, failed: 0, waiting: 0 });
  });

  it('has failed where the other account failed, too, and is then replayed with what failed', async () => {
    const phone = '4915112390032';
    gatewayAnswers(phone, status(400), status(400));
    const accepted = await post('shop', phone);
    const first = await handed(accepted.messages[0] ?? '');
    await message(first.fallback ?? '', ({ state }) => state === 'dead');
    const replayed = await admin<{ messages: string[] }>('POST', `/events/${accepted.event}/replay`, {
      only: 'failed',
    });
    expect(replayed.body.messages).toHaveLength(1);
    await message(replayed.body.messages[0] ?? '', isSent);
  });
});

describe('a message that is not sent for the time that its fallback names', () => {
  it('is another account’s from then on, while its own is refused by the gateway, and is not sent later', async () => {
    const phone = '4915112390010';
    gatewayAnswers(phone, status(401));
    const first = await handed((await post('soon', phone)).messages[0] ?? '');
    expect(first).toMatchObject({ state: 'superseded', fallback_account: 'sales' });
    expect(first.reason).toContain('the account `sales` sends its fallback');
    await message(first.fallback ?? '', isSent);
    await admin('POST', '/accounts/default/resume');
    await runDurableObjectAlarm(outbox('default'));
    expect((await callsTo(phone)).map(({ params }) => params['message'])).toEqual([
      'by another way: order o-0010',
    ]);
    expect((await admin('POST', `/messages/${first.id}/retry`)).status).toBe(409);
  });

  it('waits while a person has paused the account', async () => {
    const phone = '4915112390011';
    await admin('POST', '/accounts/default/pause');
    const [id = ''] = (await post('soon', phone)).messages;
    await runInDurableObject(outbox('default'), (_, { storage }) =>
      storage.sql.exec('UPDATE handings SET next_at = 1'),
    );
    await runDurableObjectAlarm(outbox('default'));
    expect(await messageNow(id)).toMatchObject({ state: 'queued' });
    await admin('POST', '/accounts/default/resume');
    await message(id, isSent);
    expect((await messageNow(id)).fallback_account).toBeUndefined();
    expect(await rowsOf('default', 'SELECT * FROM handings')).toEqual([]);
  });
});

const outcomes = async (id: string) => (await event(id)).items?.map(({ outcome }) => outcome);

describe('a notification that another account sends', () => {
  it('has notified its receiver once that account has sent it, and not before', async () => {
    const phone = '4915112390020';
    await admin('POST', '/accounts/sales/pause');
    gatewayAnswers(phone, status(400));
    const opened = await post('alerts', phone, { is_resolved: false });
    const listed = async () =>
      (await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${phone}`)).body.items;
    await expect
      .poll(async () => (await listed()).map(({ account }) => account).sort())
      .toEqual(['default', 'sales']);
    await evictDurableObject(outbox('default'));
    expect(await outcomes(opened.event)).toEqual(['waiting']);
    await admin('POST', '/accounts/sales/resume');
    await expect.poll(() => outcomes(opened.event)).toEqual(['notified']);
    const resolved = await post('alerts', phone, { is_resolved: true });
    await expect.poll(() => outcomes(resolved.event)).toEqual(['notified']);
    expect(await callsTo(phone)).toHaveLength(2);
    expect(await rowsOf('default', 'SELECT * FROM handings')).toEqual([]);
    expect(await rowsOf('sales', 'SELECT * FROM handings')).toEqual([]);
  });

  it('is known to have notified its receiver although the report is the first thing that a new instance hears', async () => {
    const phone = '4915112390022';
    await admin('POST', '/accounts/sales/pause');
    gatewayAnswers(phone, status(400));
    const opened = await post('alerts', phone, { is_resolved: false });
    const listed = async () =>
      (await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${phone}`)).body.items;
    await expect.poll(async () => (await listed()).find(({ account }) => account === 'sales')).toBeDefined();
    const { id, fallback = '' } = (await listed()).find(({ account }) => account === 'default') ?? {};
    await evictDurableObject(outbox('default'));
    const by = { account: 'sales', message: fallback };
    await outbox('default').endedElsewhere([{ id: id ?? '', by, state: 'sent', outcome: 'sent' }]);
    expect(await outcomes(opened.event)).toEqual(['notified']);
    await admin('POST', '/accounts/sales/resume');
    await expect.poll(async () => (await callsTo(phone)).length).toBe(1);
    expect(await listed()).toHaveLength(2);
  });

  it('has notified nobody if that account cannot send it either', async () => {
    const phone = '4915112390021';
    gatewayAnswers(phone, status(400), status(400));
    const opened = await post('alerts', phone, { is_resolved: false });
    await expect
      .poll(async () => (await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${phone}`)).body.items)
      .toHaveLength(2);
    await expect.poll(() => rowsOf('default', 'SELECT * FROM handings')).toEqual([]);
    expect(await outcomes(opened.event)).toEqual(['waiting']);
  });
});
