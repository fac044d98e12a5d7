import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRouteBudget } from '../../src/template/basics/budget.ts';
import { FILTERS } from '../../src/template/filters.ts';
import { comparable, numberOf } from '../../src/template/basics/values.ts';
import { compileText, renderText } from '../../src/template/text.ts';
import { GERMAN, render, scopeOf } from './helpers.ts';

/** A render's text, and the units that it was charged. */
function charged(source: string, payload: unknown): { text: string | null; units: number } {
  const compiled = compileText(source);
  if (!compiled.ok) throw new Error(`${source}: ${compiled.error}`);
  let units = 0;
  const work = (count: number): void => void (units += Math.max(0, count));
  const budget = { ...createRouteBudget(), work };
  const rendered = renderText(compiled.value, scopeOf(payload, { budget }), GERMAN);
  return { text: rendered.ok ? rendered.value : null, units };
}

const REPLACING = ['replace: "a",', 'replace_first: "a",', 'replace: "",', 'truncate: 5,'];
const OTHERS = ['remove: "a"', 'slice: 0, 100', 'slice: -5, 100', 'json: 2', 'date: "%99Y%c%B"', 'split: ""'];
/** Filters that take no argument, or one that makes their output long. */
const CALLS = [
  ...[...FILTERS].filter(([, { min }]) => min === 0).map(([name]) => name),
  ...['append:', 'prepend:', 'join:', 'date:', 'concat:', ...REPLACING].map((call) => `${call} payload.b`),
  ...OTHERS,
  'split: "a"',
];

/** The time of these does not depend on the value. */
const CONSTANT =
  /^(?:default|first|last|abs|at_least|at_most|ceil|divided_by|floor|minus|modulo|plus|round|times)$/;
const OF_LISTS =
  /^(?:map|compact|uniq|where|reject|has|find|find_index|sort|sort_natural|pluck|flatten|sum)$/;

it('the budget is charged a formatter for a zone that a payload names: a list of strangers’ zones cannot take long', () => {
  const own = charged('{{ 0 | datetime: "time" }}', {}).units;
  expect(charged('{{ 0 | datetime: "time", payload }}', 'Asia/Tokyo').units - own).toBeGreaterThan(5_000);
});

it('the budget is charged at least what is made, by each filter of a chain', () => {
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
    { numRuns: 200 },
  );
});

it.each([...FILTERS].filter(([name]) => !CONSTANT.test(name)))(
  'the budget is charged by %s at least for the characters of its value',
  (name, { min }) => {
    const required = name.startsWith('money') ? 'EUR' : /^(?:slice|truncate_chars)$/.test(name) ? '9' : 'a';
    const count = OF_LISTS.test(name) ? 1 : min;
    const args = Array.from({ length: count }, () => (required === '9' ? '9' : `"${required}"`));
    const call = count === 0 ? name : `${name}: ${args.join(', ')}`;
    const value = OF_LISTS.test(name) ? Array.from({ length: 500 }, () => ({})) : 'a'.repeat(4_000);
    expect(charged(`{{ payload.a | ${call} }}`, { a: value }).units).toBeGreaterThanOrEqual(4_000);
  },
);

const given = (length: number) => ({ a: 'a'.repeat(4_000), b: 'b'.repeat(length), l: [{}] });

it.each([
  'payload.a contains payload.b',
  'payload.a | replace: payload.b, ""',
  'payload.a | remove_last: payload.b',
  'payload.l | where: "a", payload.b',
  'payload.l | sort: payload.b',
])('what filters read is bounded %s looks for at most 250 characters', (expression) => {
  expect(render(`{{ ${expression} | size }}`, given(250))).not.toContain('!');
  const refused = 'the text to look for must have at most 250 characters';
  expect(render(`{{ ${expression} | size }}`, given(251))).toContain(refused);
});

it('what filters read takes no list, object or long text for a number, and compares them in a case as nothing else', () => {
  for (const value of [[1], { a: 1 }, '1'.repeat(401)]) {
    expect(numberOf(value)).toBeNaN();
    expect(render('{{ payload.a | plus: 1 }}', { a: value })).toBe('1');
  }
  expect(['a text', 5, null, []].map(comparable)).toEqual(['a text', 5, null, '']);
  for (const value of [[1], {}, 'a'.repeat(251)]) expect(comparable(value)).toEqual({ other: true });
});
