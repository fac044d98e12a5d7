import { beforeEach, describe, expect, it } from 'vitest';
import { eventually, hurry, pass } from './hurry.ts';
import { take } from './posted.ts';
import { admin, event, listOf, publish, UNPACED, type MessageJson, type ReceiptJson } from './relay.ts';
import { newPhone, open, text } from './sources.ts';

interface ItemJson {
  readonly route: string;
  readonly index: number;
  readonly phone?: string;
  readonly outcome: string;
  readonly silence?: string;
  readonly incident?: string;
}

hurry();

const MESSAGE =
  '{{ count }} firing{% for one in new %}, new {{ one.item.name }}{% endfor %}{% for one in resolved %}, ended {{ one.item.name }}{% endfor %}';
const INCIDENT = { key: '{{ item.name }}', resolved: 'item.status == "resolved"' };

/** Of each test: a receiver, and a route: who joins a route’s receivers is notified of what is open in it. */
let phone = '';
let routeName = '';
beforeEach(() => {
  phone = newPhone();
  routeName = `on-call-${phone}`;
});

const route = (to: string | readonly string[], over: object = {}): object => ({
  name: routeName,
  each: 'payload.alerts',
  to,
  incident: INCIDENT,
  send: text(MESSAGE),
  ...over,
});
const publishRoutes = (routes: readonly object[], over: object = {}): Promise<void> =>
  publish({
    accounts: { default: UNPACED },
    sources: { alerts: open(routes, { dedupe: { key: '{{ payload.id }}' } }) },
    ...over,
  });

const alerts = (status: string, names: readonly unknown[]) => names.map((name) => ({ name, status }));
const firing = (...names: readonly unknown[]): readonly object[] => alerts('firing', names);
const resolved = (...names: readonly unknown[]): readonly object[] => alerts('resolved', names);
let posted = 0;
const post = (list: readonly object[], id = `p${(posted += 1)}`, more: object = {}) =>
  take('alerts', { id, alerts: list, ...more });

const textsOf = async (to: string) =>
  (await listOf<MessageJson>(`/messages?phone=${to}&state=sent`))
    .map(({ params }) => params['message'] ?? '')
    .toReversed();
const reports = (to: string, ...texts: readonly string[]): Promise<void> =>
  eventually(async () => expect(await textsOf(to)).toEqual(texts));
const itemsOf = async ({ event: id }: ReceiptJson): Promise<readonly ItemJson[]> =>
  (await admin<{ items?: readonly ItemJson[] }>('GET', `/events/${id}`)).body.items ?? [];
const outcomesOf = async (accepted: ReceiptJson) => (await itemsOf(accepted)).map(({ outcome }) => outcome);

describe('an incident', () => {
  it('is reported when it opens and when it ends, and its event has the outcome of each item', async () => {
    await publishRoutes([route(phone)]);
    const first = await post(firing('disk'), 'same');
    expect(first).toMatchObject({ messages: [], waiting: 1 });
    // It does not fire again when its webhook is delivered again.
    expect(await post(firing('disk'), 'same')).toEqual({ ...first, duplicate: true });
    await reports(phone, '1 firing, new disk');
    const again = await post(firing('disk'));
    expect(await outcomesOf(again)).toEqual(['waiting']);
    const last = await post(resolved('disk'));
    await reports(phone, '1 firing, new disk', '0 firing, ended disk');
    const item = { route: routeName, index: 1, phone, key: 'disk', outcome: 'notified' };
    expect(await itemsOf(first)).toMatchObject([item]);
    expect([await outcomesOf(again), await outcomesOf(last)]).toEqual([['summarized'], ['notified']]);
  });

  it('goes to each receiver, and ends for each', async () => {
    const phones = [phone, newPhone(), newPhone()];
    await publishRoutes([route(phones)]);
    const first = await post(firing('shared'));
    expect(first.waiting).toBe(3);
    for (const one of phones) await reports(one, '1 firing, new shared');
    await post(resolved('shared'));
    for (const one of phones) await reports(one, '1 firing, new shared', '0 firing, ended shared');
    const items = await itemsOf(first);
    expect(items.map(({ outcome }) => outcome)).toEqual(Array(3).fill('notified'));
    expect(new Set(items.map((item) => item.phone))).toEqual(new Set(phones));
    expect(new Set(items.map(({ incident }) => incident)).size).toBe(1);
  });

  it('holds others back', async () => {
    const other = newPhone();
    await publishRoutes([
      route(phone, { name: 'cluster', when: 'payload.cluster' }),
      route(other, {
        when: 'payload.cluster == null',
        incident: { ...INCIDENT, inhibited_by: 'cluster/eu' },
      }),
    ]);
    await post(firing('eu'), 'c1', { cluster: true });
    await reports(phone, '1 firing, new eu');
    const held = await post(firing('a', 'b'));
    const gone = await post(resolved('a'));
    await eventually(async () => expect(await outcomesOf(gone)).toEqual(['inhibited']));
    expect(await outcomesOf(held)).toEqual(['inhibited', 'waiting']);
    await post(resolved('eu'), 'c2', { cluster: true });
    await reports(other, '1 firing, new b');
    await reports(phone, '1 firing, new eu', '0 firing, ended eu');
  });
});

describe('a silence', () => {
  it('that a person adds holds back what matches, and lets what is still open be reported when it is ended', async () => {
    await publishRoutes([route(phone)]);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const silence = { when: 'item.name contains "quiet"', until, reason: 'works on the network' };
    const added = await admin<{ id: string }>('POST', '/silences', silence);
    expect(added.status).toBe(201);
    const held = await post(firing('quiet-1', 'quiet-2', 'loud'));
    await reports(phone, '1 firing, new loud');
    await post(resolved('quiet-1'));
    await eventually(async () => expect(await outcomesOf(held)).toEqual(['silenced', 'waiting', 'notified']));
    expect((await itemsOf(held))[0]?.silence).toBe(added.body.id);
    await admin('DELETE', `/silences/${added.body.id}`);
    await reports(phone, '1 firing, new loud', '1 firing, new quiet-2');
  });

  it('lets the end of what was reported before pass', async () => {
    await publishRoutes([route(phone)]);
    await post(firing('before'));
    await reports(phone, '1 firing, new before');
    await publishRoutes([route(phone)], { silences: { all: { when: 'event.source == "alerts"' } } });
    await post(resolved('before'));
    await reports(phone, '1 firing, new before', '0 firing, ended before');
  });

  it('takes items of a route that makes its messages at once', async () => {
    const plain = { name: 'plain', each: 'payload.alerts', to: phone, send: text('{{ item.name }}') };
    await publishRoutes([plain], { silences: { staging: { when: 'item.name == "staging"' } } });
    const taken = await post(firing('staging', 'live'));
    expect(taken.messages).toHaveLength(1);
    await reports(phone, 'live');
    const silenced = { route: 'plain', index: 1, outcome: 'silenced', silence: 'staging' };
    expect(await itemsOf(taken)).toEqual([silenced]);
  });
});

const at = (of: number): string =>
  [Math.floor(of / 60) % 24, of % 60].map((part) => String(part).padStart(2, '0')).join(':');

it('a publish that ends quiet hours leaves those that are running', async () => {
  const minute = Math.floor(Date.now() / 60_000) % 1_440;
  const quiet = { from: at(minute + 1_439), to: at(minute + 30), timezone: 'UTC' };
  await publishRoutes([route(phone, { quiet })]);
  const held = await post(firing('night'));
  expect(await outcomesOf(held)).toEqual(['waiting']);
  await publishRoutes([route(phone)]);
  const other = await post(firing('other'));
  expect([await outcomesOf(held), await outcomesOf(other)]).toEqual([['waiting'], ['waiting']]);
  expect(await textsOf(phone)).toEqual([]);
});

const some = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);

it('a message says what the sender left out of its list, or leaves that to its template', async () => {
  const alertmanager = (name: string, over: object, more: object = {}) =>
    open([route(phone, { name, group: { wait: '1s', interval: '1s' }, ...over })], {
      provider: 'alertmanager',
      ...more,
    });
  const publishAs = (more: object, over: object = {}) =>
    publish({ accounts: { default: UNPACED }, sources: { alerts: alertmanager(routeName, over, more) } });
  await publishAs({});
  const { event: id } = await post(firing('a', 'b'), undefined, { truncatedAlerts: 48 });
  const first = '2 firing, new a, new b\nThe sender left out 48 more: nothing is known of them.';
  await reports(phone, first);
  expect((await event(id)).reason).toContain('the sender left out 48 more elements of `payload.alerts`');
  await post(resolved('a', 'b'), undefined, { truncatedAlerts: 0 });
  const over = '0 firing, ended a, ended b';
  await reports(phone, first, over);
  await publishAs({ locale: '{{ payload.locale }}' });
  await post(firing('c'), undefined, { truncatedAlerts: 3, locale: 'de' });
  const german = '1 firing, new c\nDer Absender hat 3 weitere weggelassen: Von ihnen ist nichts bekannt.';
  await reports(phone, first, over, german);
  await publishAs({}, { send: text('{{ count }}+{{ event.left_out }}') });
  await post(firing('d'), undefined, { truncatedAlerts: 7 });
  await reports(phone, first, over, german, '2+7');
});

/** Posts alerts of more than a kilobyte, with a token. */
const postAll = (status: string, names: readonly unknown[]) => {
  const list = alerts(status, names).map((one) => ({ ...one, description: 'hot '.repeat(330) }));
  return take('alerts', { alerts: list }, { 'x-token': 'hook-secret' });
};

describe('a storm of alerts', () => {
  const GROUPED = {
    group: { wait: '1s', interval: '1s' },
    send: text('{{ count }} firing, {{ new.size }} new, {{ resolved.size }} over'),
  };

  it('of more than a megabyte is heard of as any other, and so is its end', async () => {
    const token = { verify: { scheme: 'token', in: 'header', name: 'x-token' }, secrets: ['HOOK_SECRET'] };
    await publish({
      accounts: { default: UNPACED },
      sources: { alerts: open([route(phone, GROUPED)], token) },
    });
    await postAll('firing', ['fan']);
    await reports(phone, '1 firing, 1 new, 0 over');
    await postAll('firing', ['fan', ...some(900)]);
    await reports(phone, '1 firing, 1 new, 0 over', '901 firing, 900 new, 0 over');
    await postAll('resolved', ['fan', ...some(900)]);
    await reports(
      phone,
      '1 firing, 1 new, 0 over',
      '901 firing, 900 new, 0 over',
      '0 firing, 0 new, 901 over',
    );
  });

  it('notifies each of three receivers of a thousand items, and of all that is over, in one message', async () => {
    const phones = [phone, newPhone(), newPhone()];
    await publishRoutes([route(phones, GROUPED)]);
    const first = await post(firing(...some(334)));
    expect(first).toMatchObject({ messages: [], waiting: 1_002 });
    expect(await event(first.event)).toMatchObject({ state: 'routed' });
    for (const one of phones) await reports(one, '334 firing, 334 new, 0 over');
    await post(resolved(...some(334)));
    for (const one of phones) await reports(one, '334 firing, 334 new, 0 over', '0 firing, 0 new, 334 over');
  });

  it('of more than a thousand notifies of the first that are new, and resolves what the rest resolves', async () => {
    await publishRoutes([route(phone, GROUPED)]);
    const open1000 = await post(firing(...some(1_000)));
    expect(open1000.waiting).toBe(1_000);
    await reports(phone, '1000 firing, 1000 new, 0 over');
    const mixed = [...firing(...some(400, 600), ...some(1_112, 2_000)), ...resolved(...some(600))];
    const again = await post(mixed);
    expect(await event(again.event)).toMatchObject({
      state: 'routed',
      reason:
        '112 items are only counted: a webhook may bring 1000 new ones, and an account may have 10000 open incidents, of which a source has a share',
    });
    await reports(phone, '1000 firing, 1000 new, 0 over', '1400 firing, 1000 new, 600 over');
  });

  it('of strangers leaves room for what is signed: it is notified by name, and what is urgent escalates', async () => {
    const [nurse, doctor, boss] = [newPhone(), newPhone(), newPhone()];
    const signed = { verify: { scheme: 'token', in: 'header', name: 'x-token' }, secrets: ['HOOK_SECRET'] };
    const urgent = { when: 'payload.urgent', priority: 'high', escalate: [{ after: '1m', to: [boss] }] };
    await publish({
      accounts: { default: UNPACED },
      sources: {
        alerts: open([route(phone, GROUPED)]),
        ward: open([route(nurse), route(doctor, { ...urgent, name: 'urgent' })], signed),
      },
    });
    for (let n = 0; n < 11; n += 1) await take('alerts', { alerts: firing(...some(1_000, n * 1_000)) });
    await take('ward', { alerts: firing('monitor 7'), urgent: true }, { 'x-token': 'hook-secret' });
    for (const one of [nurse, doctor]) await reports(one, '1 firing, new monitor 7');
    await pass(61_000);
    await eventually(async () =>
      expect(await textsOf(boss)).toEqual([expect.stringMatching(/new monitor 7/)]),
    );
  });
});
