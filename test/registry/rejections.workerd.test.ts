import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { Rejections } from '../../src/registry/rejections.ts';
import type { RejectionEntry, SpamKind } from '../../src/registry/api-rejection.ts';
import { countRows } from '../outbox/support.ts';
import { iso } from '../../src/lib/iso.ts';
import { SPAM_KEPT_MS, SPAM_OF_SOURCE } from '../../src/registry/spam.ts';
import type { NewSpam } from '../../src/registry/spam-entry.ts';

const entry = (over: Partial<RejectionEntry> = {}): RejectionEntry => ({
  at: new Date().toISOString(),
  source: 'shop',
  status: 401,
  reason: 'mismatch',
  detail: 'no signature matches',
  ...over,
});

/** A time, in seconds. */
const at = (second: number): string => new Date(second * 1_000).toISOString();

/** Runs `body` on a registry's own storage. */
const inRegistry = (body: (sql: SqlStorage) => void): Promise<void> =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), (_, { storage: { sql } }) => {
    body(sql);
  });

it('recorded rejections are counted by source and reason, also when they are not listed any more', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    for (let n = 0; n < 300; n += 1) rejections.record(entry({ reason: `r${n}` }));
    rejections.record(entry({ source: 'form' }));
    expect(rejections.list(999, null)).toHaveLength(200);
    expect(rejections.list(2, 300).map(({ n }) => n)).toEqual([299, 298]);
    expect(rejections.totals).toMatchObject({
      'rejection shop r0': 1,
      'rejection shop r299': 1,
      'rejection form mismatch': 1,
    });
  }));

it('recorded rejections are still known after a restart', () =>
  inRegistry((sql) => {
    for (let n = 0; n < 205; n += 1) new Rejections(sql).record(entry());
    expect(new Rejections(sql).totals).toEqual({ 'rejection shop mismatch': 205 });
  }));

it('recorded rejections cost one row each', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    const rows = countRows(sql);
    for (let n = 0; n < 10; n += 1) rejections.record(entry());
    expect(rows.written()).toBe(10);
  }));

it('recorded rejections for the same reason are one row of the list, which says how many and since when', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    for (let n = 0; n < 6; n += 1) rejections.record(entry({ source: 'other', at: at(1_000 + n) }));
    for (let n = 0; n < 24; n += 1)
      rejections.record(entry({ at: at(1_010 + n), detail: `${n} s old`, from: `192.0.2.${n}` }));
    expect(rejections.list(999, null).map((one) => one.entry)).toMatchObject([
      {
        source: 'shop',
        times: 24,
        first_at: at(1_010),
        at: at(1_033),
        detail: '23 s old',
        from: '192.0.2.23',
      },
      { source: 'other', times: 6 },
    ]);
    // An old row goes on, and the sums stay right.
    expect(rejections.record(entry({ source: 'other', at: at(1_040) }))).toBe(31);
    expect(rejections.list(1, null).map((one) => one.entry.source)).toEqual(['other']);
    expect(new Rejections(sql).totals).toEqual({
      'rejection other mismatch': 7,
      'rejection shop mismatch': 24,
    });
  }));

it('recorded rejections for another status, and after an hour, are a row of their own', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    rejections.record(entry({ at: at(0) }));
    rejections.record(entry({ at: at(3_599) }));
    rejections.record(entry({ at: at(3_599), status: 400 }));
    rejections.record(entry({ at: at(3_600) }));
    expect(rejections.list(999, null).map((one) => one.entry.times ?? 1)).toEqual([1, 1, 2]);
  }));

it('recorded rejections of very many sources are counted together from some point on', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    for (let n = 0; n < 1_010; n += 1) rejections.record(entry({ source: `source-${n}` }));
    rejections.record(entry({ source: 'source-0' }));
    expect(rejections.totals).toMatchObject({
      'rejection _other _other': 10,
      'rejection source-0 mismatch': 2,
    });
  }));

const limited = (seconds: number, times: number, over: Partial<RejectionEntry> = {}) => ({
  ...entry({ status: 429, reason: 'limited', at: new Date(seconds * 1_000).toISOString(), ...over }),
  times,
});

it('a flood over a source’s limit is one line of the list in an hour, however long it is, and all of it is counted', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    rejections.record(entry());
    for (let second = 0; second < 180; second += 2) rejections.recordLimited(limited(1_000 + second, 500));
    const listed = rejections.list(999, null).map((one) => one.entry.reason);
    expect(listed.join(' ')).toBe('limited mismatch');
    expect(rejections.list(1, null)[0]?.entry).toMatchObject({ times: 45_000 });
    expect(new Rejections(sql).totals).toMatchObject({ 'rejection shop limited': 45_000 });
  }));

it('a flood over a source’s limit is listed for each source, and has its number if it was', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    expect(rejections.recordLimited(limited(1_000, 1))).toBe(1);
    expect(rejections.recordLimited(limited(1_001, 1, { source: 'form' }))).toBe(2);
    expect(rejections.recordLimited(limited(1_002, 1))).toBeNull();
    // A registry that was thrown out of memory knows it from the list.
    expect(new Rejections(sql).recordLimited(limited(1_003, 1))).toBeNull();
    expect(rejections.recordLimited(limited(4_600, 1))).toBe(5);
  }));

it('a flood over a source’s limit costs one row each time that it is reported', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    rejections.recordLimited(limited(1_000, 5));
    const rows = countRows(sql);
    rejections.recordLimited(limited(1_002, 5));
    expect(rows.written()).toBe(1);
  }));

const AT = 1_790_000_000_000; // fixed date: the clock is an argument of what is tested
let made = 0;

const spamOf = (
  kind: SpamKind,
  {
    source = 'contact',
    at = AT,
    bytes = 10,
    digest = '',
  }: Partial<Record<'source' | 'digest', string>> & Partial<Record<'at' | 'bytes', number>> = {},
): NewSpam => ({
  entry: { at: iso(at), source, status: 202, reason: 'spam', spam: kind, detail: `${kind}: x` },
  event: `evt_${(made += 1)}`,
  digest: digest === '' ? `digest ${made}` : digest,
  sameMs: 60_000,
  form: 'x'.repeat(bytes),
});

const kindsOf = (rejections: Rejections, source: string): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(rejections.list(9_999, null, { source }), ({ entry }) => entry.spam ?? '')].map(
      ([kind, entries]) => [kind, entries.length],
    ),
  );

it('spam is listed among the other rejections by its number, and pushes none of them out', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    const other = { at: iso(AT), source: 'shop', status: 401, reason: 'mismatch', detail: 'x' };
    for (let n = 0; n < 150; n += 1) {
      rejections.record({ ...other, reason: `r${n}` });
      rejections.recordSpam(spamOf('links'));
    }
    for (let n = 0; n < 500; n += 1) rejections.recordSpam(spamOf('links'));
    expect(rejections.list(9_999, null, { isSpam: false })).toHaveLength(150);
    const numbers = rejections.list(9_999, null).map(({ n }) => n);
    expect(numbers).toEqual(Array.from({ length: 800 }, (_, at) => 800 - at));
    // The ring of the others is full, and goes on in order.
    for (let n = 0; n < 60; n += 1) rejections.record({ ...other, reason: `s${n}` });
    const others = rejections.list(9_999, null, { isSpam: false }).map(({ n }) => n);
    expect(others).toHaveLength(200);
    expect(others.toSorted((a, b) => b - a)).toEqual(others);
    expect(others.at(-1)).toBe(21);
  }));

it('spam is counted, also after a restart', () =>
  inRegistry((sql) => {
    for (let n = 0; n < 5; n += 1) new Rejections(sql).recordSpam(spamOf('time'));
    expect(new Rejections(sql).totals).toEqual({ 'rejection contact spam': 5 });
  }));

it('spam of one source is bounded, and the oldest of its most frequent kind goes first', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    rejections.recordSpam(spamOf('links'));
    rejections.recordSpam(spamOf('links', { source: 'booking' }));
    for (let n = 0; n < SPAM_OF_SOURCE.rows + 100; n += 1) rejections.recordSpam(spamOf('honeypot'));
    expect(kindsOf(rejections, 'contact')).toEqual({ links: 1, honeypot: SPAM_OF_SOURCE.rows - 1 });
    expect(kindsOf(rejections, 'booking')).toEqual({ links: 1 });
    expect(kindsOf(new Rejections(sql), 'contact')['links']).toBe(1);
  }));

it('spam of one source is bounded in bytes', () =>
  inRegistry((sql) => {
    const bytes = 500_000;
    for (let n = 0; n < 20; n += 1) {
      const rejections = new Rejections(sql);
      rejections.recordSpam(spamOf('time', { bytes: 100 }));
      rejections.recordSpam(spamOf('honeypot', { bytes }));
    }
    const held = sql.exec<{ sum: number }>('SELECT sum(length(form)) AS sum FROM spam').one().sum;
    expect(held).toBeLessThanOrEqual(SPAM_OF_SOURCE.bytes);
    expect(kindsOf(new Rejections(sql), 'contact')).toEqual({ time: 20, honeypot: 8 });
  }));

it('spam is the same as the same form a minute before, and another one later', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    const [first, same, later] = [AT, AT + 59_000, AT + 60_000].map((at) =>
      rejections.recordSpam(spamOf('links', { at, digest: 'same' })),
    );
    expect(same).toEqual({ event: first?.event, n: null });
    expect(later?.n).toBe(2);
  }));

it('spam is deleted after fourteen days, and no number is used twice', () =>
  inRegistry((sql) => {
    const rejections = new Rejections(sql);
    rejections.recordSpam(spamOf('links'));
    rejections.spam.sweep(AT + SPAM_KEPT_MS);
    expect(rejections.list(9, null)).toHaveLength(1);
    rejections.spam.sweep(AT + SPAM_KEPT_MS + 1);
    expect(rejections.list(9, null)).toEqual([]);
    expect(rejections.recordSpam(spamOf('links')).n).toBe(2);
    expect(rejections.totals).toEqual({ 'rejection contact spam': 2 });
  }));

it('spam is released once; a release that was cut off makes the same event', () =>
  inRegistry((sql) => {
    const { spam } = new Rejections(sql);
    new Rejections(sql).recordSpam(spamOf('links'));
    expect(spam.startRelease(1, 'evt_a')).toBe('evt_a');
    expect(spam.read(1)?.entry.released).toBeUndefined();
    expect(spam.startRelease(1, 'evt_b')).toBe('evt_a');
    expect([spam.endRelease(1, AT), spam.endRelease(1, AT)]).toEqual([true, false]);
    expect(spam.read(1)?.entry.released).toBe('evt_a');
    expect(spam.startRelease(2, 'evt_c')).toBeNull();
  }));
