import type { AccountMetrics, Collected } from '../../src/metrics/collect.ts';
import { Counts, type Totals } from '../../src/counts/counts.ts';
import { configOf } from '../ingest/support.ts';

/** An account that has counted this, with nothing in its queue. */
export const accountOf = (totals: Totals = {}, over: Partial<AccountMetrics> = {}): AccountMetrics => ({
  counts: new Counts(totals),
  queue: { queued: 0, retrying: 0, sending: 0, uncertain: 0, dead: 0 },
  oldestMs: { queued: 0, retrying: 0 },
  circuitOpen: false,
  paused: false,
  storage: { bytes: 1_000, maxBytes: 10_000, state: 'ok' },
  watched: new Map(),
  incidents: { open: 0, waiting: 0 },
  ...over,
});

/** The source `shop`, and what else a test says; one account. */
export const collectedOf = (over: Partial<Collected> = {}): Collected => ({
  config: configOf({ shop: { verify: { scheme: 'none' } } }),
  accounts: new Map([['default', accountOf()]]),
  rejections: new Counts(),
  ...over,
});
