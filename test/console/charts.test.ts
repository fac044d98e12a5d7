import { describe, expect, test } from 'vitest';
import {
  deliveryTimes,
  lacksOlder,
  isRange,
  RANGES,
  spanOf,
  successOf,
} from '../../console/pages/charts/figures.ts';
import { stormsOf } from '../../console/pages/charts/storms.ts';
import { bandOf, piecesOf } from '../../console/ui/chart-lines.ts';

const HOUR = 3_600_000;
const FROM = Date.UTC(2026, 0, 1);
const at = (ms: number): string => new Date(FROM + ms).toISOString();

describe('a range', () => {
  test('ends with the step that has begun', () => {
    expect(spanOf(RANGES['24h'], FROM + 1)).toEqual({ from: FROM - 23 * HOUR, to: FROM + HOUR });
    for (const { ms, stepMs } of Object.values(RANGES)) expect(ms % stepMs).toBe(0);
  });

  test('is one of three', () => {
    expect([isRange('7d'), isRange('toString'), isRange('')]).toEqual([true, false, false]);
  });
});

test('the share of sent messages is unknown where none was sent and none failed', () => {
  expect(successOf([0, 3, 0], [0, 1, 2])).toEqual([null, 0.75, 0]);
});

test('delivery times are those of each step, and of no other', () => {
  const sent = (created: number, took: number) => ({ created_at: at(created), sent_at: at(created + took) });
  const messages = [
    ...Array.from({ length: 20 }, (_, n) => sent(HOUR, (n + 1) * 1_000)),
    sent(5 * HOUR, 500),
    sent(-HOUR, 500),
    { created_at: at(0) },
  ];
  const { p50, p95 } = deliveryTimes(messages, FROM, RANGES['24h']);
  expect([p50[1], p95[1]]).toEqual([10_000, 19_000]);
  expect([p50[5], p95[5]]).toEqual([500, 500]);
  expect(p50.filter((one) => one !== null)).toHaveLength(2);
});

test('delivery times lack older messages only if the newest do not reach back to the beginning of the range', () => {
  const newest = [3, 2].map((n) => ({ created_at: new Date(n * 1_000).toISOString() }));
  expect(lacksOlder(newest, 1_000, true)).toBe(true);
  expect(lacksOlder(newest, 1_000, false)).toBe(false);
  expect(lacksOlder(newest, 2_500, true)).toBe(false);
});

test('a line has a gap where nothing is known', () => {
  expect(piecesOf([1, null, 2, 4], 4)).toEqual(['0,75 10,75', '25,50 35,0']);
  expect(piecesOf([null], 1)).toEqual([]);
});

const about = (id: string, ...incidents: readonly string[]) => ({
  id,
  about: { form: 'group' as const, new: 1, resolved: 0, firing: 1, incidents: [...incidents] },
});

const receivers = (message?: string) => [
  { phone: '1', state: 'notified' as const, items: {}, ...(message !== undefined && { message }) },
];

const incident = (n: number, started: number, more: object = {}) => ({
  id: `inc_${n}`,
  source: 'monitor',
  started_at: at(started),
  heard_at: at(started + 1_000),
  occurrences: 1,
  receivers: receivers('msg_a'),
  ...more,
});

const band = (from: number, to: number) => bandOf({ from, to }, 0, 100, 10);

describe('a storm', () => {
  test('is all alerts of a source that came together, and each of its messages once', () => {
    const incidents = Array.from({ length: 12 }, (_, n) => incident(n, n * 60_000));
    expect(stormsOf(incidents.toReversed(), [])).toEqual([
      { source: 'monitor', from: FROM, to: FROM + 661_000, alerts: 12, messages: 1 },
    ]);
    // The first message about them was followed by another one, which incidents name.
    const messages = [about('msg_first', 'inc_3'), about('msg_a', 'inc_1'), about('msg_other', 'inc_99')];
    expect(stormsOf(incidents, messages)).toMatchObject([{ alerts: 12, messages: 2 }]);
  });

  test('is one incident that fires again and again, too', () => {
    expect(stormsOf([incident(1, 0, { occurrences: 300 })], [])).toMatchObject([
      { alerts: 300, messages: 1 },
    ]);
  });

  test('is neither a few alerts, nor those of another source or another time, nor many with a message each', () => {
    const nine = Array.from({ length: 9 }, (_, n) => incident(n, 0));
    expect(stormsOf(nine, [])).toEqual([]);
    expect(stormsOf([...nine, incident(9, 0, { source: 'shop' }), incident(10, HOUR)], [])).toEqual([]);
    const each = Array.from({ length: 20 }, (_, n) => incident(n, 0, { receivers: receivers(`msg_${n}`) }));
    expect(stormsOf(each, [])).toEqual([]);
  });

  test('of which nobody was notified says so', () => {
    const silenced = Array.from({ length: 10 }, (_, n) => incident(n, 0, { receivers: receivers() }));
    expect(stormsOf(silenced, [])).toMatchObject([{ alerts: 10, messages: 0 }]);
  });

  test('is a band of whole steps within the picture', () => {
    expect(band(200, 420)).toEqual({ x: 20, width: 30 });
    expect(band(250, 251)).toEqual({ x: 20, width: 10 });
    expect(band(-500, 5_000)).toEqual({ x: 0, width: 100 });
    expect(band(1_000, 1_000)).toEqual({ x: 90, width: 10 });
  });
});
