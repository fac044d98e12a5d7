import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OutboxMetrics } from '../../src/outbox/read/gauges.ts';
import { collect } from '../../src/metrics/collect.ts';
import { configOf, envWith } from '../ingest/support.ts';

const part = (over: Partial<OutboxMetrics> = {}): OutboxMetrics => ({
  totals: { 'event shop routed': 1, 'last shop': 5 },
  queue: { queued: 1, retrying: 2, sending: 3, uncertain: 4, dead: 5 },
  oldestMs: { queued: 10, retrying: 0 },
  circuitOpen: false,
  paused: false,
  storage: { bytes: 1_000, maxBytes: 10_000, state: 'ok' },
  watched: {},
  incidents: { open: 2, waiting: 3 },
  ...over,
});

/** Objects that answer, or fail, when they are asked; and who was asked. */
function stage(objects: Readonly<Record<string, OutboxMetrics | null>>, registry: () => Promise<object>) {
  const asked: string[] = [];
  const metrics = (name: string) => async () => {
    asked.push(name);
    const answer = objects[name] ?? null;
    if (answer === null) throw new Error('overloaded');
    return answer;
  };
  const env = envWith({
    OUTBOX: { getByName: (name: string) => ({ metrics: metrics(name) }) },
    REGISTRY: { getByName: () => ({ rejectionTotals: registry }) },
  });
  return { env, asked };
}

const config = configOf({}, { accounts: { default: {}, sales: { shards: 2 } } });
const noRejections = async () => ({});

afterEach(() => vi.restoreAllMocks());

describe('a scrape', () => {
  it('asks each object of each configured account once, and no other', async () => {
    const { env, asked } = stage({ default: part(), sales: part(), 'sales#1': part() }, noRejections);
    await collect(env, config);
    expect(asked).toEqual(['default', 'sales', 'sales#1']);
  });

  it('adds up what an account’s objects have; of what can differ it has the worst', async () => {
    const other = part({
      totals: { 'event shop routed': 2, 'event form failed': 1, 'last shop': 3 },
      oldestMs: { queued: 4, retrying: 9 },
      paused: true,
      circuitOpen: true,
      watched: { shop: 1 },
      storage: { bytes: 9_600, maxBytes: 10_000, state: 'full' },
    });
    const { env } = stage({ default: part(), sales: part(), 'sales#1': other }, noRejections);
    const sales = (await collect(env, config)).accounts.get('sales');
    expect(sales?.counts.toJSON()).toEqual({
      'event shop routed': 3,
      'event form failed': 1,
      'last shop': 5,
    });
    expect(sales).toMatchObject({
      queue: { queued: 2, retrying: 4, sending: 6, uncertain: 8, dead: 10 },
      oldestMs: { queued: 10, retrying: 9 },
      paused: true,
      circuitOpen: true,
      storage: { bytes: 10_600, usedRatio: 0.96, full: true },
    });
    expect(sales?.watched).toEqual(new Map([['shop', 1]]));
  });

  it('has all of an account or nothing: without one of its objects its counters would fall', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { env } = stage({ default: part(), sales: part(), 'sales#1': null }, noRejections);
    const { accounts } = await collect(env, config);
    expect(accounts.get('sales')).toBeNull();
    expect(accounts.get('default')).not.toBeNull();
  });

  it('goes on without the registry, and logs that', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const objects = { default: part(), sales: part(), 'sales#1': part() };
    const { env } = stage(objects, () => Promise.reject(new Error('it is away')));
    const { rejections, accounts } = await collect(env, config);
    expect(rejections).toBeNull();
    expect(accounts.get('default')).not.toBeNull();
    expect(logged.mock.calls).toEqual([
      ['{"stage":"metrics.read.failed","outbox":"registry","error":"Error: it is away"}'],
    ]);
  });
});
