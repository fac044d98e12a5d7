import { expect, test } from 'vitest';
import type { IncidentAnswer } from '../../console/api/types.ts';
import { piecesOf } from '../../console/ui/chart.tsx';
import {
  deliveryTimes,
  lacksOlder,
  RANGES,
  stormsOf,
  successOf,
} from '../../console/pages/charts/charts.tsx';
import { timelineOf } from '../../console/pages/incidents/incidents.tsx';
import { nameOf } from '../../console/parts/incident.tsx';

const HOUR = 3_600_000;
const FROM = Date.UTC(2026, 0, 1);
const at = (ms: number): string => new Date(FROM + ms).toISOString();
const minute = (n: number): string => at(n * 60_000);

type Receiver = IncidentAnswer['receivers'][number];
const ANNA: Receiver = { phone: '4915112345678', state: 'notified', items: {}, message: 'msg_1' };
const receiver = (part: Partial<Receiver> = {}): Receiver => ({ ...ANNA, ...part });
const NAMED = { account: 'default', source: 'monitor', route: 'on-call', key: '000000000000012b' };
const TIMES = { started_at: at(0), heard_at: at(0), occurrences: 1 };
const HEARD = { ...TIMES, id: 'inc_1', event: 'evt_1', flapping: false, critical: false };
const incident = (part: Partial<IncidentAnswer> = {}): IncidentAnswer => ({
  ...NAMED,
  ...HEARD,
  state: 'open',
  receivers: [receiver()],
  ...part,
});
const lines = (one: IncidentAnswer): readonly string[] => timelineOf(one).map(({ is }) => is);

test('the timeline of an incident says in order when it opened, who was notified, who has it and who resolved it', () => {
  const notifications: Receiver['notifications'] = [
    { message: 'msg_1', items: 1, state: 'sent', created_at: minute(1), sent_at: minute(2) },
    { message: 'msg_2', items: 1, state: 'queued', created_at: minute(9) },
  ];
  const one = incident({
    state: 'resolved',
    acknowledged_at: minute(5),
    acknowledged_by: 'anna',
    resolved_at: minute(9),
    resolved_by: 'ben',
    receivers: [receiver({ notifications })],
  });
  expect(lines(one)).toEqual(['opened', 'notified', 'acknowledged', 'notifying', 'resolvedBy']);
  expect(timelineOf(one).at(-1)).toMatchObject({ by: 'ben' });
});

test('the timeline of an incident has the steps that were taken and the next one, or what holds it back now', () => {
  const steps = [{ at: minute(10), step: 1, to: ['second-line'] }];
  expect(timelineOf(incident({ steps, next: { at: minute(30), step: 2, to: ['managers'] } }))).toEqual([
    { is: 'opened', at: at(0) },
    { is: 'escalated', at: minute(10), to: ['second-line'] },
    { is: 'next', at: minute(30), to: ['managers'] },
  ]);
  const receivers = [receiver({ state: 'held', silence: 'sil_1' }), receiver({ state: 'waiting' })];
  expect(lines(incident({ receivers }))).toEqual(['opened', 'silenced', 'waits']);
});

test('an incident is called by its title, and by its key only as the last resort', () => {
  expect(nameOf(incident({ title: 'HighLatency web-1' }))).toBe('HighLatency web-1');
  expect(nameOf(incident())).toBe('000000000000012b');
  expect(nameOf(incident({ title: 'hidden', key: 'hidden' }))).toBe('monitor · on-call');
});

test('the share of sent messages is unknown where none was sent and none failed, and a line has a gap there', () => {
  expect(successOf([0, 3, 0], [0, 1, 2])).toEqual([null, 0.75, 0]);
  expect(piecesOf([1, null, 2, 4], 4)).toEqual(['0,75 10,75', '25,50 35,0']);
  expect(piecesOf([null], 1)).toEqual([]);
});

test('delivery times are those of each step, and lack older ones only if the newest do not reach back far enough', () => {
  const sent = (created: number, took: number) => ({ created_at: at(created), sent_at: at(created + took) });
  const twenty = Array.from({ length: 20 }, (_, n) => sent(HOUR, (n + 1) * 1_000));
  const messages = [...twenty, sent(5 * HOUR, 500), sent(-HOUR, 500), { created_at: at(0) }];
  const { p50, p95 } = deliveryTimes(messages, FROM, RANGES['24h']);
  expect([p50[1], p95[1], p50[5], p95[5]]).toEqual([10_000, 19_000, 500, 500]);
  expect(p50.filter((one) => one !== null)).toHaveLength(2);
  const newest = [3, 2].map((n) => ({ created_at: new Date(n * 1_000).toISOString() }));
  expect([lacksOlder(newest, 1_000, true), lacksOlder(newest, 1_000, false)]).toEqual([true, false]);
  expect(lacksOlder(newest, 2_500, true)).toBe(false);
});

/** Alerts as the chart of storms has them. */
const alert = (n: number, started: number, more: Partial<IncidentAnswer> = {}) =>
  incident({ id: `inc_${n}`, started_at: at(started), heard_at: at(started + 1_000), ...more });
const alerts = (count: number, each: (n: number) => IncidentAnswer) =>
  Array.from({ length: count }, (_, n) => each(n));

// The first message about them was followed by another one, which incidents name.
const about = (id: string, ...incidents: string[]) => ({
  id,
  about: { form: 'group' as const, why: 'new' as const, new: 1, resolved: 0, firing: 1, incidents },
});

test('a storm is all alerts of a source that came together, with each message once, and neither a few, nor of another time, nor many with a message each', () => {
  const together = alerts(12, (n) => alert(n, n * 60_000));
  expect(stormsOf(together.toReversed(), [])).toEqual([
    { source: 'monitor', from: FROM, to: FROM + 661_000, alerts: 12, messages: 1 },
  ]);
  const messages = [about('msg_first', 'inc_3'), about('msg_1', 'inc_1'), about('msg_other', 'inc_99')];
  expect(stormsOf(together, messages)).toMatchObject([{ alerts: 12, messages: 2 }]);
  expect(stormsOf([alert(1, 0, { occurrences: 300 })], [])).toMatchObject([{ alerts: 300, messages: 1 }]);
  const { message: _, ...nobody } = receiver();
  const silenced = alerts(10, (n) => alert(n, 0, { receivers: [nobody] }));
  expect(stormsOf(silenced, [])).toMatchObject([{ alerts: 10, messages: 0 }]);
  const nine = alerts(9, (n) => alert(n, 0));
  const others = [alert(9, 0, { source: 'shop' }), alert(10, HOUR)];
  const each = alerts(20, (n) => alert(n, 0, { receivers: [receiver({ message: `msg_${n}` })] }));
  for (const one of [nine, [...nine, ...others], each]) expect(stormsOf(one, [])).toEqual([]);
});
