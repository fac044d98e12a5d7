import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRouteBudget } from '../../src/template/basics/budget.ts';
import { knownFilters } from '../../src/template/engine.ts';
import { searchCost } from '../../src/template/prices.ts';
import { compileText, renderText } from '../../src/template/text.ts';
import { GERMAN, scopeOf } from './helpers.ts';

/** A render's text, and the units that it was charged. */
function charged(source: string, payload: unknown): { text: string | null; units: number } {
  const compiled = compileText(source);
  if (!compiled.ok) throw new Error(`${source}: ${compiled.error}`);
  let units = 0;
  const budget = {
    ...createRouteBudget(),
    work: (count: number): void => void (units += Math.max(0, count)),
  };
  const rendered = renderText(compiled.value, scopeOf(payload, { budget }), GERMAN);
  return { text: rendered.ok ? rendered.value : null, units };
}

/** Filters that take no argument, or one that makes their output long. */
const CALLS = [...knownFilters.keys()]
  .filter((name) => !/^(append|prepend|remove|replace|money|pluck|flatten|truncate_chars|slice)/.test(name))
  .concat(
    'append: payload.b',
    'prepend: payload.b',
    'replace: "a", payload.b',
    'replace_first: "a", payload.b',
  )
  .concat(
    'replace_last: "a", payload.b',
    'replace: "", payload.b',
    'remove: "a"',
    'slice: 0, 100',
    'slice: -5, 100',
  )
  .concat(
    'join: payload.b',
    'array_to_sentence_string: payload.b',
    'truncate: 5, payload.b',
    'json: 2',
    'jsonify: 10',
  )
  .concat(
    'date: payload.b',
    'date: "%99Y%c%B"',
    'split: ""',
    'split: "a"',
    'push: payload.b',
    'concat: payload.b',
  );

describe('a zone that a payload names', () => {
  it('is charged as a formatter, so that a list of strangers’ zones cannot take long', () => {
    const own = charged('{{ 0 | datetime: "time" }}', {}).units;
    expect(charged('{{ 0 | datetime: "time", payload }}', 'Asia/Tokyo').units - own).toBeGreaterThan(5_000);
  });
});

describe('the budget', () => {
  it('is charged at least what is made, by each filter of a chain', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 });
    const value = fc.oneof(text, fc.jsonValue({ stringUnit: 'grapheme' }), fc.integer(), fc.array(text));
    const chain = fc.array(fc.constantFrom(...CALLS), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(value, text, chain, (a, b, calls) => {
        const prefixes = calls.map((_, index) => ['payload.a', ...calls.slice(0, index + 1)].join(' | '));
        const sizes = prefixes.map((prefix) => Number(charged(`{{ ${prefix} | size }}`, { a, b }).text));
        const whole = charged(`{{ ${prefixes.at(-1)} }}`, { a, b });
        if (whole.text === null) return;
        const made = sizes.reduce((sum, size) => sum + size, 0);
        expect(whole.units).toBeGreaterThanOrEqual(made);
      }),
      { numRuns: 500 },
    );
  });

  it.each([...knownFilters.keys()])('is charged by %s at least for the characters of its value', (name) => {
    const argument = new Map([
      ['money', ': "EUR"'],
      ['money_major', ': "EUR"'],
      ['truncate_chars', ': 9'],
      ['pluck', ': "a"'],
      ['flatten', ': "a"'],
    ]);
    const from = /^(map|where|reject|has|find|find_index|group_by|sort|sort_natural|pluck|flatten|sum)$/.test(
      name,
    );
    const value = from ? Array.from({ length: 500 }, () => ({})) : 'a'.repeat(4_000);
    expect(
      charged(`{{ payload.a | ${name}${argument.get(name) ?? ''} }}`, { a: value }).units,
    ).toBeGreaterThanOrEqual(4_000);
  });
});

describe('looking for a text', () => {
  it.each([
    ['a short one', 250, 0],
    ['one that is as long as the other', 4_000, (4_000 * 4_000) / 16],
    ['one that is longer and cannot be in it', 4_001, 0],
  ])('%s', (_, length, expected) => {
    expect(searchCost('a'.repeat(4_000), 'a'.repeat(length))).toBe(expected);
  });
});
