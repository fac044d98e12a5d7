import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { admin, postJson, publish, UNPACED, type EventJson, type MessageJson } from './relay.ts';

interface ItemJson {
  readonly route: string;
  readonly index: number;
  readonly phone?: string;
  readonly key?: string;
  readonly outcome: string;
  readonly message?: string;
  readonly silence?: string;
  readonly incident?: string;
}

interface Accepted {
  readonly event: string;
  readonly duplicate: boolean;
  readonly messages: readonly string[];
  readonly waiting?: number;
}

const MESSAGE =
  '{{ count }} firing{% for one in new %}, new {{ one.item.name }}{% endfor %}{% for one in resolved %}, ended {{ one.item.name }}{% endfor %}';

let used = 0;

/** A receiver that no other test has. */
const newPhone = (): string => String(4_915_112_381_000 + (used += 1));

/** A route that no other test has: who joins a route’s receivers is notified of what is open in it. */
let routeName = '';

const route = (to: string | readonly string[], over: object = {}): object => ({
  name: routeName,
  each: 'payload.alerts',
  to,
  incident: { key: '{{ item.name }}', resolved: 'item.status == "resolved"' },
  send: { kind: 'text', message: MESSAGE },
  ...over,
});

const publishRoutes = (routes: readonly object[], over: object = {}): Promise<void> =>
  publish({
    accounts: { default: UNPACED },
    sources: {
      alerts: { verify: { scheme: 'none' }, limit: false, dedupe: { key: '{{ payload.id }}' }, routes },
    },
    ...over,
  });

const firing = (...names: readonly string[]): readonly object[] =>
  names.map((name) => ({ name, status: 'firing' }));
const resolved = (...names: readonly string[]): readonly object[] =>
  names.map((name) => ({ name, status: 'resolved' }));

let posted = 0;

const post = async (alerts: readonly object[], id = `p${(posted += 1)}`): Promise<Accepted> =>
  (await postJson('alerts', { id, alerts })).json<Accepted>();

const textsOf = async (phone: string): Promise<readonly string[]> =>
  (await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${phone}`)).body.items
    .filter(({ state }) => state === 'sent')
    .map(({ params }) => params['message'] ?? '')
    .toReversed();

const reports = (phone: string, ...texts: readonly string[]): Promise<void> =>
  eventually(async () => expect(await textsOf(phone)).toEqual(texts));

const itemsOf = async ({ event }: Accepted): Promise<readonly ItemJson[]> =>
  (await admin<EventJson & { items?: readonly ItemJson[] }>('GET', `/events/${event}`)).body.items ?? [];

const outcomesOf = async (accepted: Accepted): Promise<readonly string[]> =>
  (await itemsOf(accepted)).map(({ outcome }) => outcome);

let phone = '';

beforeEach(() => {
  phone = newPhone();
  routeName = `on-call-${used}`;
});

const cluster = (status: string): Promise<Response> =>
  postJson('alerts', { id: `c${status}`, cluster: true, alerts: [{ name: 'eu', status }] });

/** A minute of the day as `HH:MM`. */
const at = (minute: number): string =>
  [Math.floor(minute / 60) % 24, minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

describe('an incident', () => {
  it('is reported when it opens and when it ends, and its event has the outcome of each item', async () => {
    await publishRoutes([route(phone)]);
    const first = await post(firing('disk'));
    expect(first).toMatchObject({ messages: [], waiting: 1 });
    await reports(phone, '1 firing, new disk');
    const again = await post(firing('disk'));
    expect(await outcomesOf(again)).toEqual(['waiting']);
    const last = await post(resolved('disk'));
    await reports(phone, '1 firing, new disk', '0 firing, ended disk');
    expect(await itemsOf(first)).toEqual([
      expect.objectContaining({ route: routeName, index: 1, phone, key: 'disk', outcome: 'notified' }),
    ]);
    expect([await outcomesOf(again), await outcomesOf(last)]).toEqual([['summarized'], ['notified']]);
  });

  it('does not fire again when its webhook is delivered again', async () => {
    await publishRoutes([route(phone)]);
    const first = await post(firing('twice'), 'same');
    const again = await post(firing('twice'), 'same');
    expect(again).toEqual({ ...first, duplicate: true });
    await reports(phone, '1 firing, new twice');
  });

  it('goes to each receiver, and ends for each', async () => {
    const phones = Array.from({ length: 4 }, newPhone);
    await publishRoutes([route(phones)]);
    const first = await post(firing('shared'));
    expect(first.waiting).toBe(4);
    for (const one of phones) await reports(one, '1 firing, new shared');
    await post(resolved('shared'));
    for (const one of phones) await reports(one, '1 firing, new shared', '0 firing, ended shared');
    const items = await itemsOf(first);
    expect(items.map(({ outcome }) => outcome)).toEqual(['notified', 'notified', 'notified', 'notified']);
    expect(new Set(items.map((item) => item.phone))).toEqual(new Set(phones));
    expect(new Set(items.map(({ incident }) => incident)).size).toBe(1);
  });

  it('holds others back', async () => {
    const lead = newPhone();
    const other = newPhone();
    await publishRoutes([
      route(lead, { name: 'cluster', when: 'payload.cluster' }),
      route(other, {
        when: 'payload.cluster == null',
        incident: {
          key: '{{ item.name }}',
          resolved: 'item.status == "resolved"',
          inhibited_by: 'cluster/eu',
        },
      }),
    ]);
    await cluster('firing');
    await reports(lead, '1 firing, new eu');
    const held = await post(firing('a', 'b'));
    const gone = await post(resolved('a'));
    await eventually(async () => expect(await outcomesOf(gone)).toEqual(['inhibited']));
    expect(await outcomesOf(held)).toEqual(['inhibited', 'waiting']);
    await cluster('resolved');
    await reports(other, '1 firing, new b');
    await reports(lead, '1 firing, new eu', '0 firing, ended eu');
  });
});

describe('a silence', () => {
  it('that a person adds holds back what matches, and lets what is still open be reported when it is ended', async () => {
    await publishRoutes([route(phone)]);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const added = await admin<{ id: string }>('POST', '/silences', {
      when: 'item.name contains "quiet"',
      until,
      reason: 'works on the network',
    });
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
    await publishRoutes(
      [
        {
          name: 'plain',
          each: 'payload.alerts',
          to: phone,
          send: { kind: 'text', message: '{{ item.name }}' },
        },
      ],
      { silences: { staging: { when: 'item.name == "staging"' } } },
    );
    const taken = await post(firing('staging', 'live'));
    expect(taken.messages).toHaveLength(1);
    await reports(phone, 'live');
    expect(await itemsOf(taken)).toEqual([
      { route: 'plain', index: 1, outcome: 'silenced', silence: 'staging' },
    ]);
  });
});

describe('a publish', () => {
  it('that ends quiet hours leaves those that are running', async () => {
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
});
