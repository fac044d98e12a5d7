import { expect } from 'vitest';
import { incidentId } from '../../../src/outbox/incidents/store.ts';
import { whoHasMessages } from '../../../src/outbox/incidents/who-has.ts';
import { incidentsOf, linkedIncidents, type LinkedIncident } from '../../../src/outbox/links/read-link.ts';
import { parseOwnJson } from '../../../src/lib/json.ts';
import type { ReadContext } from '../../../src/outbox/read/read.ts';
import { IncidentsBench, item, PHONE, route } from '../incidents/bench.ts';
import { tables } from '../in-storage.ts';
import { it } from '../it.ts';
import { messageSample } from '../samples.ts';

const BEN = '4915100000002';
const PLACE = { source: 'alerts', route: 'on-call' };
const { sql: any } = tables();
const idOf = (key: string): string => incidentId(any, { ...PLACE, key });

const CONTEXT = parseOwnJson<Omit<ReadContext, 'sql'>>('{"tag":"k3x9q2vb","account":"default"}');

/** Two receivers of incidents, whose messages end so. */
async function fired(
  storage: DurableObjectStorage,
  ends: 'sent' | 'failed' | 'uncertain' | null,
  ...keys: string[]
) {
  const bench = new IncidentsBench(storage, [route({ to: [PHONE, BEN] })]);
  bench.ends = ends;
  await bench.fire(...keys);
  return { bench, context: () => ({ ...CONTEXT, sql: storage.sql, open: bench.incidents.open }) };
}

it('a link is about all that its message says is open or flaps, also beyond what it names, and leaves alone what it does not say', async ({
  storage,
}) => {
  const { context } = await fired(storage, 'sent', 'disk', 'cpu', 'net', 'fan');
  const says = JSON.stringify({
    incidents: Object.entries({ disk: 'open', cpu: 'flapping', fan: 'resolved' }),
  });
  for (const named of [['disk'], ['disk', 'cpu'], []]) {
    const about = JSON.stringify({ incidents: named.map(idOf) });
    const linked = incidentsOf(context(), messageSample({ ...PLACE, seq: 1, says, about }));
    expect(linked.map(({ id }) => id)).toEqual([idOf('disk'), idOf('cpu')]);
  }
});

it('a link is about all incidents that its message counts as open, also where it only reminds of them or adds one, and reads the items of those that a text names', async ({
  storage,
}) => {
  const incident = { key: '{{ item.name }}', repeat: '1m' };
  const send = { kind: 'text', message: '{{ count }} {{ actions.ack.url }}' };
  const bench = new IncidentsBench(storage, [
    route({ incident, group: { wait: '1s', interval: '1s' }, actions: { ack: {} }, send }),
  ]);
  const fire = (from: number, count: number) =>
    bench.take(
      ...Array.from({ length: count }, (_, n) => item(`a${from + n}`, { group: 'db', index: n + 1 })),
    );
  await fire(0, 500);
  await bench.pass(62_000);
  await fire(500, 1);
  await bench.pass(2_000);
  const linked = [1, 2, 3].map((seq) =>
    incidentsOf({ ...CONTEXT, sql: storage.sql, open: bench.incidents.open }, bench.rowOf(seq)),
  );
  expect(linked.map(({ length }) => length)).toEqual([500, 500, 501]);
  expect(linked.map((some) => some.filter(({ title }) => title !== '').length)).toEqual([5, 5, 5]);
});

it('a link asks of the last opening, though it was over for another later', async ({ storage, sql }) => {
  const { context } = await fired(storage, 'sent', 'disk', 'cpu');
  const set = (openedAt: number, resolvedAt: number, where: string): void => {
    const change = "json_set(state, '$.openedAt', ?, '$.resolvedAt', ?)";
    sql.exec(`UPDATE incidents SET state = ${change} WHERE ${where}`, openedAt, resolvedAt);
  };
  for (const phone of [PHONE, BEN]) {
    set(60_000, 300_000, 'true');
    set(120_000, 240_000, `phone = '${phone}'`);
    const startedAt = new Date(120_000).toISOString();
    expect(linkedIncidents(context(), PLACE, ['disk'])).toMatchObject([{ startedAt }]);
  }
});

/** The phones that hear who has the incident. */
const heardBy = (context: ReadContext): ReadonlySet<string> =>
  new Set(linkedIncidents(context, PLACE, ['disk']).flatMap(({ notified }) => notified));

it('who has an incident is heard by all who may have read of it', async ({ storage, sql }) => {
  for (const [ends, heard] of [
    // The gateway's answer was lost, or the call is under way.
    ['uncertain', [PHONE, BEN]],
    [null, [PHONE, BEN]],
    ['failed', []],
  ] as const) {
    for (const table of ['incidents', 'messages', 'events']) sql.exec(`DELETE FROM ${table}`);
    const { bench, context } = await fired(storage, ends, 'disk');
    expect([ends, heardBy(context())]).toEqual([ends, new Set(heard)]);
    bench.restart();
    if (ends !== null) expect([ends, heardBy(context())]).toEqual([ends, new Set(heard)]);
  }
});

it('who has an incident is not heard by those who may have read that it is over', async ({ storage }) => {
  const { bench, context } = await fired(storage, 'uncertain', 'disk');
  bench.ends = 'sent';
  await bench.retry();
  bench.ends = 'uncertain';
  await bench.resolve('disk');
  expect(heardBy(context())).toEqual(new Set());
});

const incident = (title: string, notified: readonly string[], over: Partial<LinkedIncident> = {}) => ({
  id: idOf(title),
  key: title,
  title,
  state: 'open' as const,
  startedAt: '',
  askedFrom: 0,
  acknowledged: null,
  resolvedAt: null,
  notified,
  ...over,
});

const texts = (incidents: readonly LinkedIncident[], only: readonly string[] | null = null) =>
  whoHasMessages(incidents, {
    route: 'on-call',
    who: 'Anna',
    not: '1',
    isBack: only !== null,
    only,
    locale: 'en',
    maxLength: undefined,
    priority: undefined,
    forget: false,
  }).map(({ phone, params }) => [phone, params['message']]);

it('who has an incident is told to all who were notified but whoever has it, and taken back with them', () => {
  expect(texts([incident('disk', ['1', '2']), incident('cpu', ['2', '3'])])).toEqual([
    ['2', 'Anna has it:\n• disk\n• cpu'],
    ['3', 'Anna has it: cpu'],
  ]);
  expect(texts([incident('disk', ['2'], { state: 'resolved' })])).toEqual([]);
  expect(texts([incident('disk', ['1', '2', '3'])], ['3'])).toEqual([['3', 'Anna no longer has it: disk']]);
});
