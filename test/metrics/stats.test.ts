import { describe, expect, it } from 'vitest';
import { Counts } from '../../src/counts/counts.ts';
import { stats } from '../../src/metrics/stats.ts';
import { configOf } from '../ingest/support.ts';
import { accountOf, collectedOf } from './support.ts';

const NOW = Date.now();

const TOTALS = {
  'event shop routed': 3,
  'event shop failed': 1,
  'duplicate shop': 2,
  'last shop': NOW - 1_000,
  'message shop queued': 4,
  'message form queued': 1,
  'message shop sent': 2,
  'attempt sent': 2,
  'latency 0.5': 1,
  'latency 1': 1,
};

describe('the statistics', () => {
  it('have each source with the outcome of its webhooks', () => {
    const rejections = new Counts({ 'rejection shop stale': 2, 'rejection form stale': 7 });
    const accounts = new Map([['default', accountOf(TOTALS)]]);
    expect(stats(collectedOf({ accounts, rejections }), NOW).sources).toEqual({
      shop: {
        account: 'default',
        events: { routed: 3, partly_failed: 0, unmatched: 0, failed: 1 },
        duplicates: 2,
        rejections: { stale: 2 },
        last_event_at: new Date(NOW - 1_000).toISOString(),
      },
    });
  });

  it('have each account with its messages, attempts, queue and latency', () => {
    const account = accountOf(TOTALS, {
      queue: { queued: 1, retrying: 2, sending: 0, uncertain: 0, dead: 0 },
      oldestMs: { queued: 1_000, retrying: 2_500 },
    });
    const { accounts } = stats(collectedOf({ accounts: new Map([['default', account]]) }), NOW);
    expect(accounts['default']).toMatchObject({
      messages: { queued: 5, sent: 2, dead: 0 },
      attempts: { sent: 2, busy: 0 },
      queue: { queued: 1, retrying: 2 },
      oldest_waiting_seconds: 2.5,
      latency_seconds: { median: 0.5, p95: 0.95 },
    });
  });

  it('know nothing of a latency before the first message is sent', () => {
    expect(stats(collectedOf(), NOW).accounts['default']?.latency_seconds).toBeNull();
  });

  it('say of a source with a heartbeat whether it is overdue', () => {
    const config = configOf({ shop: { verify: { scheme: 'none' }, heartbeat: '24h' } });
    expect(stats(collectedOf({ config }), NOW).sources['shop']?.heartbeat).toEqual({
      expected: '1d',
      overdue: false,
    });
  });

  it('have null where an account or the registry could not be read: 0 would be a lie', () => {
    const { sources, accounts } = stats(
      collectedOf({ accounts: new Map([['default', null]]), rejections: null }),
      NOW,
    );
    expect(accounts).toEqual({ default: null });
    expect(sources['shop']).toEqual({
      account: 'default',
      events: null,
      duplicates: null,
      rejections: null,
      last_event_at: null,
    });
  });
});
