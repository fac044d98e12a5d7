import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OutboxMetrics } from '../../src/outbox/read/gauges.ts';
import { collect } from '../../src/metrics/collect.ts';
import { configOf } from '../ingest/support.ts';
import { bindings } from '../bindings.ts';

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

/** Outboxes that answer, or fail, when they are asked; and who was asked. */
function stage(outboxes: Readonly<Record<string, OutboxMetrics | null>>, registry: () => Promise<object>) {
  const asked: string[] = [];
  const metrics = (name: string) => async () => {
    asked.push(name);
    const answer = outboxes[name] ?? null;
    if (answer === null) throw new Error('overloaded');
    return answer;
  };
  const env = bindings({
    OUTBOX: { getByName: (name: string) => ({ metrics: metrics(name) }) },
    REGISTRY: { getByName: () => ({ rejectionTotals: registry }) },
  });
  return { env, asked };
}

const config = configOf({}, { accounts: { default: {}, sales: {} } });
const noRejections = async () => ({});

afterEach(() => vi.restoreAllMocks());

describe('a scrape', () => {
  it('asks the outbox of each account once, and no other', async () => {
    const { env, asked } = stage({ default: part(), sales: part() }, noRejections);
    await collect(env, config);
    expect(asked).toEqual(['default', 'sales']);
  });

  it('has what the outbox has, and the share of its size that it uses', async () => {
    const full = part({
      watched: { shop: 1 },
      storage: { bytes: 9_600, maxBytes: 10_000, state: 'full' },
    });
    const { env } = stage({ default: part(), sales: full }, noRejections);
    const sales = (await collect(env, config)).accounts.get('sales');
    expect(sales?.counts.toJSON()).toEqual(full.totals);
    expect(sales).toMatchObject({
      queue: full.queue,
      oldestMs: full.oldestMs,
      paused: false,
      circuitOpen: false,
      incidents: full.incidents,
      storage: { bytes: 9_600, maxBytes: 10_000, state: 'full' },
    });
    expect(sales?.watched).toEqual(new Map([['shop', 1]]));
  });

  it('goes on without an account that does not answer, and logs that', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { env } = stage({ default: part(), sales: null }, noRejections);
    const { accounts } = await collect(env, config);
    expect(accounts.get('sales')).toBeNull();
    expect(accounts.get('default')).not.toBeNull();
    expect(logged.mock.calls).toEqual([
      ['{"stage":"metrics.read.failed","account":"sales","error":"Error: overloaded"}'],
    ]);
  });

  it('goes on without the registry, and logs that', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { env } = stage({ default: part(), sales: part() }, () => Promise.reject(new Error('it is away')));
    const { rejections, accounts } = await collect(env, config);
    expect(rejections).toBeNull();
    expect(accounts.get('default')).not.toBeNull();
    expect(logged.mock.calls).toEqual([['{"stage":"metrics.read.failed","error":"Error: it is away"}']]);
  });
});
