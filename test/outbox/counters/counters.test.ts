import { describe, expect, it } from 'vitest';
import { BY_HAND, Counters, MAX_SOURCES, OTHER } from '../../../src/outbox/counters/counters.ts';
import { newSeries, Series } from '../../../src/counts/series.ts';
import { ALL_COUNTERS } from '../../../src/outbox/counters/counters.ts';
import { readFact } from '../../../src/outbox/state/facts.ts';
import { accepted, HOUR, START } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const fresh = (): Counters => new Counters({ totals: {}, nextSeq: 1 });

const SENT = { at: START, outcome: 'sent', duration_ms: 300, http_status: 200 };

describe('the counters', () => {
  it('count events by source and state, and know when a source was heard of last', () => {
    const counters = fresh();
    counters.event(accepted());
    counters.event(accepted({ state: 'failed', receivedAt: START + 5 }));
    counters.duplicate('shop', START + 9);
    expect(counters.totals).toEqual({
      'event shop routed': 1,
      'event shop failed': 1,
      'duplicate shop': 1,
      'last shop': START + 9,
    });
    expect(counters.lastEventAt('shop')).toBe(START + 9);
    expect(counters.lastEventAt('form')).toBeNull();
  });

  it('take no replay for a sign of life', () => {
    const counters = fresh();
    counters.event(accepted({ replay: { of: 'evt_1', by: 'token' } }));
    expect(counters.totals).toEqual({ 'event shop routed': 1 });
  });

  it('count messages by the states that they come to; a refused login brings them nowhere', () => {
    const counters = fresh();
    counters.queued('shop', 2, START);
    counters.queued(null, 1, START);
    counters.attempt('shop', { at: START, outcome: 'unauthorized', duration_ms: 3 }, 'queued', null);
    counters.attempt('shop', { at: START, outcome: 'busy', duration_ms: 3 }, 'retrying', null);
    counters.reached('shop', 'expired', START);
    expect(counters.totals).toMatchObject({
      'message shop queued': 2,
      [`message ${BY_HAND} queued`]: 1,
      'message shop retrying': 1,
      'message shop expired': 1,
      'attempt unauthorized': 1,
      'attempt busy': 1,
    });
  });

  it('put durations and latencies into buckets, with their sums', () => {
    const counters = fresh();
    counters.attempt('shop', SENT, 'sent', 700);
    counters.attempt('shop', { ...SENT, duration_ms: 60_000 }, 'sent', 400_000_000);
    expect(counters.totals).toMatchObject({
      'took sent 0.5': 1,
      'took sent 60': 1,
      'took sent ms': 60_300,
      'latency 1': 1,
      'latency +Inf': 1,
      'latency ms': 400_000_700,
    });
  });

  it('have no duration of a call that was never made', () => {
    const counters = fresh();
    counters.attempt('shop', { at: START, outcome: 'uncertain', duration_ms: 0 }, 'retrying', null);
    counters.attempt('shop', { ...SENT, duration_ms: 0 }, 'sent', 0);
    expect(Object.keys(counters.totals).filter((key) => key.startsWith('took'))).toEqual([
      'took sent 0.05',
      'took sent ms',
    ]);
  });
});

/** As a checkpoint writes them. */
function kept(counters: Counters, sql: SqlStorage): unknown {
  const text = counters.write(sql);
  counters.written();
  return JSON.parse(text);
}

describe('counters have to be kept', () => {
  it('when something was counted that no row reports', () =>
    inStorage(({ storage: { sql } }) => {
      for (const count of [
        (counters: Counters) => counters.duplicate('shop', START),
        (counters: Counters) => counters.reached('shop', 'cancelled', START),
        (counters: Counters) => counters.keepNow(),
      ]) {
        const counters = fresh();
        count(counters);
        expect(counters.mustKeep).toBe(true);
        kept(counters, sql);
        expect(counters.mustKeep).toBe(false);
      }
    }));

  it('not for events with messages and for attempts, until a thousand messages are behind', () =>
    inStorage(({ storage: { sql } }) => {
      const counters = fresh();
      counters.event(accepted());
      counters.queued('shop', 999, START);
      counters.countedTo(1_000);
      counters.attempt('shop', SENT, 'sent', 1);
      expect(counters.mustKeep).toBe(false);
      expect(counters.isChanged).toBe(true);
      counters.countedTo(1_001);
      expect(counters.mustKeep).toBe(true);
      kept(counters, sql);
      expect([counters.mustKeep, counters.isChanged]).toEqual([false, false]);
    }));
});

const ofSources = (counters: Counters, many: number): void => {
  for (let n = 0; n < many; n += 1) counters.event(accepted({ source: `source-${n}` }));
};
const all = (sql: SqlStorage): unknown => JSON.parse(readFact(sql, ALL_COUNTERS) ?? 'null');

describe('what is kept', () => {
  it('is what was counted since all was written, which is read back as it was', () =>
    inStorage(({ storage: { sql } }) => {
      const counters = fresh();
      counters.queued('shop', 3, START);
      counters.event(accepted());
      counters.countedTo(4);
      const since = { 'message shop queued': 3, 'event shop routed': 1, 'last shop': START };
      expect(kept(counters, sql)).toEqual([4, since]);
      expect(all(sql)).toBeNull();
      expect(new Counters({ totals: { 'message shop queued': 2 }, since, nextSeq: 4 }).totals).toEqual({
        ...since,
        'message shop queued': 5,
      });
    }));

  it('is all of it once that is long, and little after that', () =>
    inStorage(({ storage: { sql } }) => {
      const counters = fresh();
      ofSources(counters, 150);
      expect(kept(counters, sql)).toEqual([1, {}]);
      expect(all(sql)).toEqual([counters.totals, null]);
      counters.queued('shop', 1, START);
      expect(kept(counters, sql)).toEqual([1, { 'message shop queued': 1 }]);
    }));

  it('is all of it when an hour is over, or sources were forgotten', () =>
    inStorage(({ storage: { sql } }) => {
      const series = new Series(sql, newSeries(0));
      const counters = new Counters({ totals: {}, nextSeq: 1 }, series);
      counters.queued('shop', 1, START);
      kept(counters, sql);
      expect(all(sql)).toBeNull();
      counters.queued('shop', 1, START + HOUR);
      expect(kept(counters, sql)).toEqual([1, {}]);
      expect(all(sql)).toMatchObject([{ 'message shop queued': 2 }, {}]);
      ofSources(counters, 120);
      kept(counters, sql);
      counters.forgetSources(() => false);
      expect(kept(counters, sql)).toEqual([1, {}]);
    }));

  it('is the same again when the write did not stand', () =>
    inStorage(({ storage: { sql } }) => {
      const counters = fresh();
      ofSources(counters, 150);
      counters.write(sql);
      expect(kept(counters, sql)).toEqual([1, {}]);
      counters.queued('shop', 1, START);
      const text = counters.write(sql);
      expect(counters.write(sql)).toBe(text);
    }));
});

/** Of as many sources as are counted apart. */
const full = (): Counters => {
  const counters = fresh();
  for (let n = 0; n < MAX_SOURCES; n += 1) counters.queued(`source-${n}`, 1, START);
  return counters;
};

describe('an account of very many sources', () => {
  it('counts N apart, and the rest together', () => {
    const counters = full();
    counters.queued('one-more', 1, START);
    counters.queued('and-another', 1, START);
    counters.queued('source-0', 1, START);
    expect(counters.totals).toMatchObject({ [`message ${OTHER} queued`]: 2, 'message source-0 queued': 2 });
    expect(Object.keys(counters.totals)).toHaveLength(MAX_SOURCES + 1);
  });

  it('still knows after a restart which those were', () => {
    const counters = new Counters({ totals: full().totals, nextSeq: 1 });
    counters.queued('one-more', 1, START);
    expect(counters.totals).toMatchObject({ [`message ${OTHER} queued`]: 1 });
  });

  it('makes room by forgetting sources that are gone, and nothing else', () => {
    const counters = full();
    counters.attempt(null, SENT, 'sent', 1);
    counters.digest();
    counters.forgetSources((source) => source === 'source-7');
    counters.queued('one-more', 1, START);
    expect(counters.totals).toMatchObject({ 'message source-7 queued': 1, 'message one-more queued': 1 });
    expect(counters.totals).toMatchObject({ 'attempt sent': 1, digest: 1, [`message ${BY_HAND} sent`]: 1 });
    expect(Object.keys(counters.totals).filter((key) => key.startsWith('message source'))).toHaveLength(1);
  });

  it('forgets nothing while there is room: a source may be published again', () => {
    const counters = fresh();
    counters.queued('gone', 1, START);
    counters.forgetSources(() => false);
    expect(counters.totals).toEqual({ 'message gone queued': 1 });
  });
});
