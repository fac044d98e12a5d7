import { expect, it } from 'vitest';
import { Rejections, SPAM_KEPT_MS, SPAM_OF_SOURCE, type NewSpam } from '../../src/registry/rejections.ts';
import type { RejectionEntry, SpamKind } from '../../src/answers/api-registry.ts';
import { iso } from '../../src/lib/time.ts';
import { tables } from './tables.ts';

const entry = (over: Partial<RejectionEntry> = {}): RejectionEntry => ({
  at: new Date().toISOString(),
  source: 'shop',
  status: 401,
  code: 'mismatch',
  detail: 'no signature matches',
  ...over,
});

/** A time, in seconds. */
const at = (second: number): string => new Date(second * 1_000).toISOString();

/** Nothing yet; `restarted`: what one knows then that was thrown out of memory. */
function open() {
  const { sql } = tables();
  const restarted = () => new Rejections(sql);
  return { sql, rejections: restarted(), restarted };
}

it('recorded rejections are counted by source and code, also when they are not listed any more, and after a restart', () => {
  const { rejections, restarted } = open();
  for (let n = 0; n < 300; n += 1) rejections.recordRejection(entry({ source: `r${n}` }));
  rejections.recordRejection(entry({ source: 'form' }));
  expect(rejections.rejections(999, null)).toHaveLength(200);
  expect(rejections.rejections(2, 300).map(({ n }) => n)).toEqual([299, 298]);
  const totals = { 'rejection r0 mismatch': 1, 'rejection r299 mismatch': 1, 'rejection form mismatch': 1 };
  for (const one of [rejections, restarted()]) expect(one.rejectionTotals()).toMatchObject(totals);
});

it('recorded rejections with the same code are one row of the list, which says how many and since when', () => {
  const { rejections, restarted } = open();
  for (let n = 0; n < 6; n += 1) rejections.recordRejection(entry({ source: 'other', at: at(1_000 + n) }));
  for (let n = 0; n < 24; n += 1)
    rejections.recordRejection(entry({ at: at(1_010 + n), detail: `${n} s old`, from: `192.0.2.${n}` }));
  expect(rejections.rejections(999, null).map((one) => one.entry)).toMatchObject([
    { source: 'shop', times: 24, first_at: at(1_010), at: at(1_033), detail: '23 s old', from: '192.0.2.23' },
    { source: 'other', times: 6 },
  ]);
  // An old row goes on, and the sums stay right.
  rejections.recordRejection(entry({ source: 'other', at: at(1_040) }));
  expect(rejections.rejections(1, null)).toMatchObject([{ n: 31, entry: { source: 'other' } }]);
  expect([30, 31].map((n) => rejections.rejectionsAfter(n).length)).toEqual([1, 0]);
  const totals = { 'rejection other mismatch': 7, 'rejection shop mismatch': 24 };
  expect(restarted().rejectionTotals()).toEqual(totals);
});

it('recorded rejections for another status, and after an hour, are a row of their own', () => {
  const { rejections } = open();
  rejections.recordRejection(entry({ at: at(0) }));
  rejections.recordRejection(entry({ at: at(3_599) }));
  rejections.recordRejection(entry({ at: at(3_599), status: 400 }));
  rejections.recordRejection(entry({ at: at(3_600) }));
  expect(rejections.rejections(999, null).map((one) => one.entry.times ?? 1)).toEqual([1, 1, 2]);
});

it('recorded rejections of very many sources are counted together from some point on', () => {
  const { sql, rejections, restarted } = open();
  rejections.recordRejection(entry());
  const totals = Array.from({ length: 990 }, (_, n) => [`rejection source-${n} mismatch`, 1] as const);
  sql.exec('UPDATE rejections SET totals = ?', JSON.stringify(Object.fromEntries(totals)));
  const full = restarted();
  for (let n = 980; n < 1_020; n += 1) full.recordRejection(entry({ source: `source-${n}` }));
  full.recordRejection(entry({ source: 'source-0' }));
  expect(full.rejectionTotals()).toMatchObject({
    'rejection _other _other': 20,
    'rejection source-0 mismatch': 2,
  });
});

const limited = (seconds: number, times: number, over: Partial<RejectionEntry> = {}) => ({
  ...entry({ status: 429, code: 'limited', at: new Date(seconds * 1_000).toISOString(), ...over }),
  times,
});

it('a flood over a source’s limit is one line of the list in an hour, however long it is, and all of it is counted', () => {
  const { rejections, restarted } = open();
  rejections.recordRejection(entry());
  for (let second = 0; second < 180; second += 2) rejections.recordLimited([limited(1_000 + second, 500)]);
  const listed = rejections.rejections(999, null).map((one) => one.entry.code);
  expect(listed.join(' ')).toBe('limited mismatch');
  expect(rejections.rejections(1, null)[0]?.entry).toMatchObject({ times: 45_000 });
  expect(restarted().rejectionTotals()).toMatchObject({ 'rejection shop limited': 45_000 });
});

it('names that no source has push out nothing else, nor random ones the one that keeps coming', () => {
  const { rejections } = open();
  rejections.recordRejection(entry());
  for (let n = 0; n < 999; n += 1)
    for (const source of [`random-${n}`, ...(n % 100 < 2 ? ['removed'] : [])])
      rejections.recordLimited([limited(10 * n, 1, { source, near: null })]);
  expect(rejections.rejections(99, null)).toHaveLength(9);
  expect(JSON.stringify(rejections.rejections(99, null, { source: 'removed' }))).toContain('"times":20');
  expect(rejections.rejectionTotals()).toEqual({
    'rejection _other limited': 1_019,
    'rejection shop mismatch': 1,
  });
});

it('a flood over a source’s limit is listed for each source, and again with each row of its own', () => {
  const { rejections, restarted } = open();
  rejections.recordLimited([limited(1_000, 1), limited(1_001, 1, { source: 'form' }), limited(1_002, 1)]);
  // A registry that was thrown out of memory knows it from the list.
  restarted().recordLimited([limited(1_003, 1)]);
  rejections.recordLimited([limited(4_600, 1)]);
  expect(rejections.rejectionsAfter(2)).toMatchObject([{ n: 5 }, { n: 4 }]);
});

const AT = 1_790_000_000_000; // fixed date: the clock is an argument of what is tested
let made = 0;

const spamOf = (
  kind: SpamKind,
  over: { source?: string; digest?: string; at?: number; bytes?: number } = {},
): NewSpam => ({
  entry: {
    at: iso(over.at ?? AT),
    source: over.source ?? 'contact',
    status: 202,
    code: 'spam',
    spam: kind,
    detail: `${kind}: x`,
  },
  event: `evt_${(made += 1)}`,
  digest: over.digest ?? `digest ${made}`,
  sameMs: 60_000,
  form: 'x'.repeat(over.bytes ?? 10),
});

const kindsOf = (rejections: Rejections, source: string): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(rejections.rejections(9_999, null, { source }), ({ entry }) => entry.spam ?? '')].map(
      ([kind, entries]) => [kind, entries.length],
    ),
  );

it('spam is listed among the other rejections by its number, and pushes none of them out', () => {
  const { rejections } = open();
  const other = { at: iso(AT), source: 'shop', status: 401, code: 'mismatch', detail: 'x' } as const;
  for (let n = 0; n < 150; n += 1) {
    rejections.recordRejection({ ...other, source: `r${n}` });
    rejections.recordSpam(spamOf('links'));
  }
  for (let n = 0; n < 500; n += 1) rejections.recordSpam(spamOf('links'));
  expect(rejections.rejections(9_999, null, { isSpam: false })).toHaveLength(150);
  const numbers = rejections.rejections(9_999, null).map(({ n }) => n);
  expect(numbers).toEqual(Array.from({ length: 800 }, (_, at) => 800 - at));
  // The ring of the others is full, and goes on in order.
  for (let n = 0; n < 60; n += 1) rejections.recordRejection({ ...other, source: `s${n}` });
  const others = rejections.rejections(9_999, null, { isSpam: false }).map(({ n }) => n);
  expect(others).toHaveLength(200);
  expect(others.toSorted((a, b) => b - a)).toEqual(others);
  expect(others.at(-1)).toBe(21);
});

it('spam of one source is bounded, and the oldest of its most frequent kind goes first', () => {
  const { rejections, restarted } = open();
  rejections.recordSpam(spamOf('links'));
  rejections.recordSpam(spamOf('links', { source: 'booking' }));
  for (let n = 0; n < SPAM_OF_SOURCE.rows + 100; n += 1) rejections.recordSpam(spamOf('honeypot'));
  expect(kindsOf(rejections, 'contact')).toEqual({ links: 1, honeypot: SPAM_OF_SOURCE.rows - 1 });
  expect(kindsOf(rejections, 'booking')).toEqual({ links: 1 });
  expect(kindsOf(restarted(), 'contact')['links']).toBe(1);
});

it('spam of one source is bounded in bytes', () => {
  const { sql, restarted } = open();
  for (let n = 0; n < 20; n += 1) {
    const rejections = restarted();
    rejections.recordSpam(spamOf('time', { bytes: 100 }));
    rejections.recordSpam(spamOf('honeypot', { bytes: 500_000 }));
  }
  const held = sql.exec<{ sum: number }>('SELECT sum(length(form)) AS sum FROM spam').one().sum;
  expect(held).toBeLessThanOrEqual(SPAM_OF_SOURCE.bytes);
  expect(kindsOf(restarted(), 'contact')).toEqual({ time: 20, honeypot: 8 });
  expect(restarted().rejectionTotals()).toEqual({ 'rejection contact spam': 40 });
});

it('spam is the same as the same form a minute before, and another one later', () => {
  const { rejections } = open();
  const [first, same] = [AT, AT + 59_000, AT + 60_000].map((at) =>
    rejections.recordSpam(spamOf('links', { at, digest: 'same' })),
  );
  expect(same).toBe(first);
  expect(rejections.rejections(9, null)).toHaveLength(2);
});

it('spam is deleted after fourteen days, and no number is used twice', () => {
  const { rejections } = open();
  rejections.recordSpam(spamOf('links'));
  rejections.spam.sweep(AT + SPAM_KEPT_MS);
  expect(rejections.rejections(9, null)).toHaveLength(1);
  rejections.spam.sweep(AT + SPAM_KEPT_MS + 1);
  expect(rejections.rejections(9, null)).toEqual([]);
  rejections.recordSpam(spamOf('links'));
  expect(rejections.rejections(9, null)).toMatchObject([{ n: 2 }]);
  expect(rejections.rejectionTotals()).toEqual({ 'rejection contact spam': 2 });
});

it('spam is released once; a release that was cut off makes the same event', () => {
  const { rejections } = open();
  const { spam } = rejections;
  rejections.recordSpam(spamOf('links'));
  expect(spam.startRelease(1, 'evt_a')).toBe('evt_a');
  expect(spam.readSpam(1)?.entry.released).toBeUndefined();
  expect(spam.startRelease(1, 'evt_b')).toBe('evt_a');
  expect([spam.endRelease(1, AT), spam.endRelease(1, AT)]).toEqual([true, false]);
  expect(spam.readSpam(1)?.entry.released).toBe('evt_a');
  expect(spam.startRelease(2, 'evt_c')).toBeNull();
});
