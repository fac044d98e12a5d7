import help from '../../assets/metrics.json';
import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../src/gateway/outcome.ts';
import { Counts } from '../../src/counts/counts.ts';
import { families } from '../../src/metrics/families.ts';
import { exposition } from '../../src/metrics/prometheus.ts';
import type { Collected } from '../../src/metrics/collect.ts';
import { configOf } from '../ingest/support.ts';
import { parseExposition } from './exposition.ts';
import { accountOf, collectedOf } from './support.ts';

const NOW = Date.now();

const read = (over: Partial<Collected> = {}) =>
  parseExposition(exposition(families(collectedOf(over), NOW, help)));

/** The lines of one metric as `labels value`, those of 0 left out. */
const valuesOf = (over: Partial<Collected>, name: string): readonly string[] =>
  (read(over).get(name)?.lines ?? []).flatMap(({ name: line, labels, value }) =>
    value === 0 ? [] : [`${line.slice(name.length)}${Object.values(labels).join(' ')} ${value}`],
  );

const withTotals = (totals: Record<string, number>): Partial<Collected> => ({
  accounts: new Map([['default', accountOf(totals)]]),
});

describe('counters', () => {
  it('begin at 0 for what is configured, so that a rate sees the first one', () => {
    const metrics = read();
    expect(metrics.get('hookbell_events_total')?.lines).toEqual(
      ['routed', 'partly_failed', 'unmatched', 'failed'].map((state) => ({
        name: 'hookbell_events_total',
        labels: { account: 'default', source: 'shop', state },
        value: 0,
      })),
    );
    expect(metrics.get('hookbell_messages_total')?.lines).toHaveLength(9);
    expect(metrics.get('hookbell_attempts_total')?.lines).toHaveLength(OUTCOMES.length);
  });

  it('are by source and state, account and outcome', () => {
    const over = withTotals({
      'event shop routed': 3,
      'duplicate shop': 2,
      'message shop dead': 1,
      'message _admin sent': 4,
      'attempt busy': 5,
    });
    expect(valuesOf(over, 'hookbell_events_total')).toEqual(['default shop routed 3']);
    expect(valuesOf(over, 'hookbell_event_duplicates_total')).toEqual(['default shop 2']);
    expect(valuesOf(over, 'hookbell_messages_total')).toEqual([
      'default shop dead 1',
      'default _admin sent 4',
    ]);
    expect(valuesOf(over, 'hookbell_attempts_total')).toEqual(['default busy 5']);
  });

  it('of a source that is gone from the configuration stay as they were', () => {
    expect(valuesOf(withTotals({ 'event gone routed': 3 }), 'hookbell_events_total')).toEqual([
      'default gone routed 3',
    ]);
  });

  it('of rejections are by source and reason', () => {
    const rejections = new Counts({ 'rejection shop stale': 2 });
    expect(valuesOf({ rejections }, 'hookbell_rejections_total')).toEqual(['shop stale 2']);
    expect(read({ rejections: null }).has('hookbell_rejections_total')).toBe(false);
  });
});

describe('histograms', () => {
  it('are whole, in seconds, and only there for what happened', () => {
    const over = withTotals({
      'took sent 0.5': 2,
      'took sent +Inf': 1,
      'took sent ms': 130_500,
      'latency 1': 3,
      'latency ms': 2_100,
    });
    expect(valuesOf(over, 'hookbell_attempt_duration_seconds').slice(-3)).toEqual([
      '_bucketdefault sent +Inf 3',
      '_sumdefault sent 130.5',
      '_countdefault sent 3',
    ]);
    expect(valuesOf(over, 'hookbell_message_latency_seconds').slice(-2)).toEqual([
      '_sumdefault 2.1',
      '_countdefault 3',
    ]);
    expect(read().has('hookbell_attempt_duration_seconds')).toBe(false);
  });
});

describe('gauges', () => {
  it('say how the queue and the account stand', () => {
    const account = accountOf(
      {},
      {
        queue: { queued: 1, retrying: 2, sending: 3, uncertain: 4, dead: 5 },
        oldestMs: { queued: 1_500, retrying: 2_000 },
        paused: true,
        circuitOpen: true,
      },
    );
    const over = { accounts: new Map([['default', account]]) };
    expect(valuesOf(over, 'hookbell_queue_messages')).toEqual([
      'default queued 1',
      'default retrying 2',
      'default sending 3',
      'default uncertain 4',
      'default dead 5',
    ]);
    expect(valuesOf(over, 'hookbell_queue_oldest_seconds')).toEqual([
      'default queued 1.5',
      'default retrying 2',
    ]);
    expect(valuesOf(over, 'hookbell_account_paused')).toEqual(['default 1']);
    expect(valuesOf(over, 'hookbell_circuit_open')).toEqual(['default 1']);
    expect(valuesOf(over, 'hookbell_config_version')).toEqual([' 7']);
  });

  it('say that an account could not be read, which then has nothing else', () => {
    const accounts = new Map([['default', null]]);
    const metrics = read({ accounts });
    expect(metrics.get('hookbell_account_up')?.lines).toMatchObject([{ value: 0 }]);
    expect([...metrics.keys()].toSorted()).toEqual(['hookbell_account_up', 'hookbell_config_version']);
  });

  it('say when a configured source was heard of last, and whether it is overdue', () => {
    const config = configOf({
      shop: { verify: { scheme: 'none' }, heartbeat: '1h' },
      form: { verify: { scheme: 'none' } },
    });
    const watched = new Map([['shop', NOW - 3 * 3_600_000]]);
    const account = accountOf({ 'last shop': NOW - 3_600_001, 'last gone': NOW }, { watched });
    const over = { config, accounts: new Map([['default', account]]) };
    expect(valuesOf(over, 'hookbell_source_last_event_timestamp_seconds')).toEqual([
      `default shop ${(NOW - 3_600_001) / 1_000}`,
    ]);
    expect(valuesOf(over, 'hookbell_source_overdue')).toEqual(['default shop 1']);
    expect(read(over).get('hookbell_source_overdue')?.lines).toHaveLength(1);
  });
});
