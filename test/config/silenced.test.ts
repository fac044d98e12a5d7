import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { silencedBy, stateOf } from '../../src/config/silenced.ts';
import type { Scope } from '../../src/template/basics/scope.ts';
import { setOf } from './support.ts';

const START = Date.UTC(2026, 6, 5); // fixed date: `now` is an argument
const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();
const LOCALE = { country: undefined, locale: 'en', timezone: 'UTC' };

const scope = (item: unknown): Scope => ({
  payload: { item },
  event: { id: 'evt_1', type: null, source: 'alerts', received_at: iso(START), dedupe_key: null },
  headers: {},
  query: {},
  item,
});

const silencesOf = (documents: Record<string, object>) =>
  compileConfig(setOf({ silences: documents }), 1, START).config.silences;

const silenced = (documents: Record<string, object>, now: number, item: unknown = { env: 'staging' }) =>
  silencedBy(silencesOf(documents), scope(item), LOCALE, now);

const WHEN = 'item.env == "staging"';
const TWO_HOURS = { when: WHEN, from: iso(START), until: iso(START + 2 * HOUR) };
// 2026-07-05 is a Sunday.
const SUNDAYS = { days: ['sun'], from: '02:00', to: '04:00', timezone: 'UTC' };

describe('an item is silenced', () => {
  it('from the first moment to the last, and then not', () => {
    const until = START + 2 * HOUR;
    expect(silenced({ a: TWO_HOURS }, START - 1)).toBeNull();
    expect(silenced({ a: TWO_HOURS }, START)).toEqual({ id: 'a', until });
    expect(silenced({ a: TWO_HOURS }, until - 1)).toEqual({ id: 'a', until });
    expect(silenced({ a: TWO_HOURS }, until)).toBeNull();
  });

  it('only if the condition holds', () => {
    expect(silenced({ a: TWO_HOURS }, START, { env: 'production' })).toBeNull();
  });

  it('without an end', () => {
    expect(silenced({ a: { when: WHEN } }, START)).toEqual({ id: 'a', until: null });
  });

  it('in its hours, until they or the silence end', () => {
    const every = { when: WHEN, every: SUNDAYS };
    expect(silenced({ a: every }, START + HOUR)).toBeNull();
    expect(silenced({ a: every }, START + 2 * HOUR)).toEqual({ id: 'a', until: START + 4 * HOUR });
    const short = { ...every, until: iso(START + 3 * HOUR) };
    expect(silenced({ a: short }, START + 2 * HOUR)).toEqual({ id: 'a', until: START + 3 * HOUR });
  });

  it('by the first that is in force', () => {
    const documents = {
      over: { when: WHEN, until: iso(START) },
      other: { when: 'item.env == "test"' },
      first: { when: WHEN },
      second: { when: WHEN },
    };
    expect(silenced(documents, START)?.id).toBe('first');
  });

  it('not by a condition that fails', () => {
    const documents = { wrong: { when: 'item.env | money: "EUR"' }, right: TWO_HOURS };
    expect(silenced(documents, START)?.id).toBe('right');
  });
});

const state = (document: object, now: number) =>
  silencesOf({ a: { when: WHEN, ...document } }).map((one) => stateOf(one, now))[0];

describe('the state of a silence', () => {
  it('is pending, active, ended', () => {
    expect(state(TWO_HOURS, START - 1)).toBe('pending');
    expect(state(TWO_HOURS, START)).toBe('active');
    expect(state(TWO_HOURS, START + 2 * HOUR)).toBe('ended');
  });

  it('is pending between its hours', () => {
    expect(state({ every: SUNDAYS }, START)).toBe('pending');
    expect(state({ every: SUNDAYS }, START + 3 * HOUR)).toBe('active');
    expect(state({ every: SUNDAYS, until: iso(START + 3 * HOUR) }, START + 3 * HOUR)).toBe('ended');
  });

  it('is active when and only when it silences an item', () => {
    const hour = fc.integer({ min: -200, max: 200 });
    fc.assert(
      fc.property(hour, fc.integer({ min: 1, max: 300 }), fc.boolean(), hour, (from, length, weekly, now) => {
        const times = { from: iso(START + from * HOUR), until: iso(START + (from + length) * HOUR) };
        const document = { ...times, ...(weekly && { every: SUNDAYS }) };
        const at = START + now * HOUR;
        const found = silenced({ a: { when: WHEN, ...document } }, at);
        expect(state(document, at) === 'active').toBe(found !== null);
        expect(found?.until ?? Infinity).toBeGreaterThan(at);
      }),
    );
  });
});
