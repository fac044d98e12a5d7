import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileCondition, evaluateCondition } from '../../src/template/text.ts';
import { GERMAN, scopeOf } from './helpers.ts';

function holds(expression: string, payload: unknown = {}): boolean | string {
  const condition = compileCondition(expression);
  if (!condition.ok) return condition.error;
  const result = evaluateCondition(condition.value, scopeOf(payload), GERMAN);
  return result.ok ? result.value : result.error;
}

interface Meant {
  readonly text: string;
  readonly value: boolean;
}

/** No parenthesis begins with `not`. */
const after = (text: string) => (text.startsWith('not') ? `true and ${text}` : text);

/** Conditions of up to four parts, with what they mean by the rules of Liquid. */
const tree = fc.letrec<{ condition: Meant; part: Meant }>((tie) => ({
  condition: fc
    .tuple(fc.array(fc.tuple(tie('part'), fc.constantFrom('and', 'or')), { maxLength: 3 }), tie('part'))
    .map(([parts, last]) => parts.reduceRight((rest, [part, word]) => join(part, word, rest), last)),
  part: fc.oneof(
    { depthSize: 'small' },
    fc.boolean().map((value) => ({ text: String(value), value })),
    fc.boolean().map((value) => ({ text: `payload.one ${value ? '==' : '!='} 1`, value })),
    fc.boolean().map((value) => ({ text: `not payload.one ${value ? '>' : '<='} 1`, value })),
    tie('condition').map(({ text, value }) => ({ text: `(${after(text)})`, value })),
    tie('condition').map(({ text, value }) => ({ text: `not (${after(text)})`, value: !value })),
  ),
}));

function join(left: Meant, word: string, right: Meant): Meant {
  const value = word === 'and' ? left.value && right.value : left.value || right.value;
  return { text: `${left.text} ${word} ${right.text}`, value };
}

it.each([
  ['payload.id == 5402118833907716093', true],
  ['payload.id == 5402118833907716094', false],
  ['payload.id != 5402118833907716094', true],
  ['payload.id < 5402118833907716094', true],
  ['payload.id > 5402118833907716092', true],
  ['payload.id >= 5402118833907716093 and payload.id <= 5402118833907716093', true],
  ['payload.id > 10000000000000000', true],
  ['payload.id < 10000000000000000000', true],
  ['payload.id > 7 and 7 < payload.id', true],
  ['payload.id > payload.minus', true],
  ['payload.minus < -5402118833907716092', true],
  ['payload.minus == -5402118833907716093', true],
  ['payload.ids contains 5402118833907716093', true],
  ['payload.ids contains 5402118833907716094', false],
  ['(payload.list | where: "id", 5402118833907716093 | size) == 1', true],
  ['(payload.id | plus: 1) == 5402118833907716094', true],
  ['payload.n == 1042', true],
  ['payload.id > "19.90" and "19.90" < payload.id', true],
  ['payload.id > "1e400" or payload.id > "abc" or payload.id > "" or payload.id < " "', false],
])('a condition %s on integers beyond 2^53: %s', (expression, expected) => {
  const id = '5402118833907716093';
  const payload = { id, minus: `-${id}`, ids: [id], list: [{ id }, { id: '5402118833907716094' }], n: 1042 };
  expect(holds(expression, payload)).toBe(expected);
});

it('a condition takes what is missing for null, and evaluates nothing behind what decides', () => {
  expect(holds('payload.gone == payload.none', { none: null })).toBe(true);
  for (const decided of ['false and', 'true or'])
    expect(holds(`${decided} (1 | divided_by: 0)`)).toBe(decided === 'true or');
});

it('a condition takes 0, empty text and an empty list for true, as Liquid does', () => {
  for (const value of [0, '', [], true]) expect(holds('payload.value', { value })).toBe(true);
  for (const value of [false, null, undefined]) expect(holds('payload.value', { value })).toBe(false);
});

it('a condition groups `and` and `or` from the right, `not` closer, and parentheses as they stand', () => {
  fc.assert(
    fc.property(tree.condition, ({ text, value }) => {
      expect([text, holds(text, { one: 1 })]).toEqual([text, value]);
    }),
  );
  expect(holds('false and true or true')).toBe(false);
  expect(holds('(false and true) or true')).toBe(true);
});

it('a condition is refused, with the place, for what would be skipped and for names that nothing has', () => {
  const expected = 'expected `and`, `or`, a comparison, a filter or the end';
  expect(holds('payload.a == 1 an payload.b == "x"')).toBe(`column 16: unexpected \`an\`: ${expected}`);
  const further = 'line 2, column 18: expected a value, found the end';
  expect(holds('payload.a == 1\n  or payload.b ==')).toBe(further);
  expect(holds('evnt.type == "x"')).toContain('column 1: unknown name "evnt" (did you mean "event"?)');
  expect(holds('payload.a | upcse')).toContain('unknown filter "upcse" (did you mean "upcase"?)');
});
