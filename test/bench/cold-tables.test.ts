import { describe, expect, it } from 'vitest';
import { checkLimit, checkVerdict, coldSection, type Cold } from './cold-tables.ts';
import { KINDS } from './cold-webhooks.ts';

const ABOUT = { rounds: 3, machine: 'one core', setKib: (sources: number) => sources };

/** Three isolates for each kind and size, around the median. */
const rounds = (first: number, start: number, more: Partial<Cold> = {}): readonly Cold[] =>
  [-1, 0, 1].flatMap((off) => [
    ...KINDS.map((kind) => ({ kind, sources: 50, first: first + off, next: 1, start, ...more })),
    ...[1, 5, 500].map((sources) => ({
      kind: KINDS[0],
      sources,
      first: first + off - 1,
      next: 1,
      start,
      ...more,
    })),
  ]);

const isSlow =
  (kind: Cold['kind'], first: number) =>
  (cold: Cold): Cold =>
    cold.kind === kind && cold.sources === 50 ? { ...cold, first } : cold;

describe('the figures of cold isolates', () => {
  it('meet the limit with a median of 10 ms, however slow the slowest was', () => {
    const { text, missed } = coldSection(rounds(10, 80), ABOUT);
    expect(missed).toBe(0);
    expect(text).toContain('| first webhook: JSON, HMAC | 10.0 (9.0–11.0) | 1.0 | ≤ 10.0 | met |');
    expect(text).toContain('| 500 | 500 | 9.0 (8.0–10.0) | 1.0 |');
    expect(text).toContain('| start of an isolate, not part of a request | 80.0 |  | ≤ 100.0 | met |');
  });

  it.each(KINDS)('miss it when %s alone is over it', (kind) => {
    const { text, missed } = coldSection(rounds(8, 80).map(isSlow(kind, 10.2)), ABOUT);
    expect(missed).toBe(1);
    expect(text).toContain(`| first webhook: ${kind} | 10.2 | 1.0 | ≤ 10.0 | **missed** |`);
  });

  it('miss theirs when 50 sources take 5 ms more than one', () => {
    const colds = rounds(9, 80).map((cold) => (cold.sources === 1 ? { ...cold, first: 3.9 } : cold));
    expect(coldSection(colds, ABOUT).missed).toBe(1);
  });

  it('miss it when a kind was not measured', () => {
    expect(coldSection([], ABOUT).missed).toBe(KINDS.length + 2);
    expect(checkVerdict([]).missed).toBe(KINDS.length);
  });

  it('miss it when the median of the starts is over 100 ms', () => {
    const starts = [99, 101, 102].flatMap((start) => rounds(8, start));
    expect(coldSection(starts, ABOUT).missed).toBe(1);
    expect(coldSection([...starts, ...rounds(8, 90), ...rounds(8, 90)], ABOUT).missed).toBe(0);
  });
});

describe('a check', () => {
  it('allows twice the limit, and more in proportion to a start that is slower than usual', () => {
    expect(checkLimit(85)).toBe(20);
    expect(checkLimit(170)).toBe(40);
  });

  it('allows no less when code no longer runs at the start: it may run in the request', () => {
    expect(checkLimit(40)).toBe(20);
  });

  it('bears the noise of a machine that is half as fast, and fails at 30 ms on a usual one', () => {
    expect(checkVerdict(rounds(25, 170)).missed).toBe(0);
    const { text, missed } = checkVerdict(rounds(8, 85).map(isSlow('form', 30)));
    expect(missed).toBe(1);
    expect(text).toContain('first webhook: form: 30.0 ms: too much');
    expect(text).toContain('at most 20.0 ms');
  });
});
