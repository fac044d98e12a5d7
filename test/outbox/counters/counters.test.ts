import { parseOwnJson } from '../../../src/lib/json.ts';
import { expect } from 'vitest';
import type { Totals } from '../../../src/counts/counts.ts';
import { newSeries, Series } from '../../../src/counts/series.ts';
import {
  ALL_COUNTERS,
  BY_HAND,
  Counters,
  MAX_SOURCES,
  OTHER,
} from '../../../src/outbox/counters/counters.ts';
import { readFact } from '../../../src/outbox/state/meta.ts';
import { it } from '../it.ts';
import { accepted, HOUR, START } from '../support.ts';

const fresh = (): Counters => new Counters();

const SHOP = { source: 'shop', about: null };
const SENT = { at: START, outcome: 'sent', duration_ms: 300, http_status: 200 };

it('durations and latencies are in buckets, with their sums; a call that was never made has none', () => {
  const counters = fresh();
  counters.attempt(SHOP, SENT, 'sent', 700);
  counters.attempt(SHOP, { ...SENT, duration_ms: 60_000 }, 'sent', 400_000_000);
  counters.attempt(SHOP, { ...SENT, duration_ms: 0 }, 'sent', 0);
  counters.attempt(SHOP, { at: START, outcome: 'uncertain', duration_ms: 0 }, 'retrying', null);
  const timed = Object.entries(counters.totals).filter(([key]) => /^(took|latency)/.test(key));
  expect(Object.fromEntries(timed)).toEqual({
    'took sent 0.05': 1,
    'took sent 0.5': 1,
    'took sent 60': 1,
    'took sent ms': 60_300,
    'latency 0.1': 1,
    'latency 1': 1,
    'latency +Inf': 1,
    'latency ms': 400_000_700,
  });
});

/** As a checkpoint writes them. */
function kept(counters: Counters, sql: SqlStorage): unknown {
  const text = counters.write(sql);
  counters.written();
  return JSON.parse(text);
}

const all = (sql: SqlStorage): unknown => JSON.parse(readFact(sql, ALL_COUNTERS) ?? 'null');

it('what a start can count again from the records of calls is not missing on disk', ({ sql }) => {
  const counters = fresh();
  counters.attempt(SHOP, SENT, 'sent', 1);
  expect(counters.isUnkept).toBe(false);
  for (const count of [
    () => counters.event(accepted()),
    () => counters.queued('shop', 1, START),
    () => counters.duplicate('shop', START),
    () => counters.reached('shop', 'cancelled', START),
    () => counters.escape('taken', 1),
  ]) {
    count();
    counters.attempt(SHOP, SENT, 'sent', 1);
    expect(counters.isUnkept).toBe(true);
    kept(counters, sql);
    expect(counters.isUnkept).toBe(false);
  }
});

const ofSources = (counters: Counters, many: number): void => {
  for (let n = 0; n < many; n += 1) counters.event(accepted({ source: `source-${n}` }));
};

it('what is kept is what was counted since all was written, which is read back as it was', ({ sql }) => {
  const counters = fresh();
  counters.queued('shop', 3, START);
  counters.event(accepted());
  const since = { 'message shop queued': 3, 'event shop routed': 1, 'last shop': START };
  expect([kept(counters, sql), all(sql)]).toEqual([since, null]);
  const again = new Counters({ 'message shop queued': 2 }, since);
  expect(again.totals).toEqual({ ...since, 'message shop queued': 5 });
});

it('all is kept once that is long, an hour is over, or sources were forgotten', ({ sql }) => {
  const counters = new Counters({}, {}, new Series(sql, newSeries(0)));
  counters.queued('shop', 1, START);
  kept(counters, sql);
  expect(all(sql)).toBeNull();
  counters.queued('shop', 1, START + HOUR);
  expect(kept(counters, sql)).toEqual({});
  expect(all(sql)).toMatchObject([{ 'message shop queued': 2 }, {}]);
  ofSources(counters, 150);
  // What did not stand is the same again.
  counters.write(sql);
  expect(kept(counters, sql)).toEqual({});
  expect(all(sql)).toMatchObject([counters.totals, {}]);
  counters.queued('shop', 1, START);
  expect(counters.write(sql)).toBe(counters.write(sql));
  expect(kept(counters, sql)).toMatchObject({ 'message shop queued': 1 });
  counters.forgetSources(() => false);
  expect(kept(counters, sql)).toEqual({});
});

/** Of as many sources as are counted apart. */
const full = (): Counters => {
  const counters = fresh();
  for (let n = 0; n < MAX_SOURCES; n += 1) counters.queued(`source-${n}`, 1, START);
  return counters;
};

it('so many sources are counted apart, and the rest together, after a restart too', () => {
  const counters = full();
  for (const source of ['one-more', 'and-another', 'source-0']) counters.queued(source, 1, START);
  expect(counters.totals).toMatchObject({ [`message ${OTHER} queued`]: 2, 'message source-0 queued': 2 });
  expect(Object.keys(counters.totals)).toHaveLength(MAX_SOURCES + 1);
  const again = new Counters(full().totals);
  again.queued('one-more', 1, START);
  expect(again.totals).toMatchObject({ [`message ${OTHER} queued`]: 1 });
});

it('the time of its last webhook is kept of each source, until it is gone', ({ sql }) => {
  const counters = new Counters(full().totals);
  for (const source of ['one-more', 'gone']) counters.event(accepted({ source }));
  counters.duplicate('one-more', START + 1);
  const since = parseOwnJson<Totals>(counters.write(sql));
  counters.written();
  const again = new Counters(full().totals, since);
  for (const one of [counters, again]) {
    one.forgetSources((source) => source !== 'gone');
    const times = ['one-more', 'gone', 'source-1', OTHER].map((source) => one.lastEventAt(source));
    expect(times).toEqual([START + 1, null, null, null]);
    expect(one.totals).toMatchObject({ [`event ${OTHER} routed`]: 2, [`duplicate ${OTHER}`]: 1 });
  }
});

it('sources that are gone are forgotten to make room, and nothing else; none while there is room', () => {
  const counters = full();
  counters.attempt({ source: null, about: '{"form":"digest"}' }, SENT, 'sent', 1);
  counters.forgetSources((source) => source === 'source-7');
  counters.queued('one-more', 1, START);
  expect(counters.totals).toMatchObject({ 'message source-7 queued': 1, 'message one-more queued': 1 });
  expect(counters.totals).toMatchObject({ 'attempt sent': 1, digest: 1, [`message ${BY_HAND} sent`]: 1 });
  expect(Object.keys(counters.totals).filter((key) => key.startsWith('message source'))).toHaveLength(1);
  const few = fresh();
  few.queued('gone', 1, START);
  few.forgetSources(() => false);
  expect(few.totals).toEqual({ 'message gone queued': 1 });
});
