import { describe, expect, it } from 'vitest';
import { mergeStatus } from '../../../src/outbox/read/merge-status.ts';
import type { OutboxStatus } from '../../../src/outbox/read/status.ts';
import { MINUTE, START } from '../support.ts';

const part = (over: Partial<OutboxStatus> = {}): OutboxStatus => ({
  account: 'sales',
  queued: 1,
  retrying: 2,
  sending: 3,
  uncertain: 4,
  dead: 5,
  waiting: 6,
  open_incidents: 7,
  circuit: { state: 'closed', failures: 0 },
  paused: null,
  rate: { per_minute: 10, burst: 2 },
  storage: { bytes: 1_000, max_bytes: 9_000, state: 'ok' },
  drain_seconds: 7,
  ...over,
});

const after = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();
const atCap = (next: number, last: number) => ({
  receivers_at_cap: { receivers: 1, messages: 4, per_hour: 30, next_at: after(next), last_at: after(last) },
});

describe('the status of several objects', () => {
  it('is the one’s own, and null for none', () => {
    expect(mergeStatus([part()])).toEqual(part());
    expect(mergeStatus([])).toBeNull();
  });

  it('adds up what can be counted, and takes the longest wait', () => {
    expect(mergeStatus([part(), part({ drain_seconds: null })])?.drain_seconds).toBeNull();
    expect(mergeStatus([part(), part({ drain_seconds: 9 }), part()])).toEqual(
      part({
        queued: 3,
        retrying: 6,
        sending: 9,
        uncertain: 12,
        dead: 15,
        waiting: 18,
        open_incidents: 21,
        rate: { per_minute: 30, burst: 6 },
        drain_seconds: 9,
      }),
    );
  });

  it('adds up the receivers at their cap, from the first message that may go to the last', () => {
    const early = atCap(0, 60);
    const late = atCap(30, 40);
    expect(mergeStatus([part(late), part(), part(early)])?.receivers_at_cap).toEqual({
      receivers: 2,
      messages: 8,
      per_hour: 30,
      next_at: after(0),
      last_at: after(60),
    });
    expect(mergeStatus([part(), part()])).not.toHaveProperty('receivers_at_cap');
  });

  it('may take longer when a part may', () => {
    expect(mergeStatus([part(), part({ drain_at_least: true })])?.drain_at_least).toBe(true);
  });

  it('is as inexact as its parts', () => {
    const parts = [part({ inexact: ['dead'] }), part({ inexact: ['queued'] }), part()];
    expect(mergeStatus(parts)?.inexact).toEqual(['queued', 'dead']);
  });

  it('shows how full the fullest is, which is the one that refuses', () => {
    const full = { bytes: 8_900, max_bytes: 9_000, state: 'full' } as const;
    expect(mergeStatus([part(), part({ storage: full }), part()])?.storage).toEqual(full);
  });

  it('shows an open circuit and a pause wherever they are', () => {
    const open = { state: 'open', failures: 5, probe_at: new Date(START + MINUTE).toISOString() } as const;
    const paused = { since: new Date(START).toISOString(), by: 'gateway', reason: 'not your key' };
    expect(mergeStatus([part(), part({ circuit: open }), part({ paused })])).toMatchObject({
      circuit: open,
      paused,
    });
  });
});
