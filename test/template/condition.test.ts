import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileCondition, evaluateCondition } from '../../src/template/condition.ts';
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
    tie('condition').map(({ text, value }) => ({
      text: text.startsWith('not') ? `(true and ${text})` : `(${text})`,
      value,
    })),
    tie('condition').map(({ text, value }) => ({
      text: text.startsWith('not') ? `not (true and ${text})` : `not (${text})`,
      value: !value,
    })),
  ),
}));

function join(left: Meant, word: string, right: Meant): Meant {
  const value = word === 'and' ? left.value && right.value : left.value || right.value;
  return { text: `${left.text} ${word} ${right.text}`, value };
}

describe('a condition', () => {
  it.each([
    ['event.type == "paid" and payload.total > 0', true],
    ['event.type == "paid" and payload.total > 50', false],
    ['payload.missing == nil', true],
    ['payload.total == "42"', false],
    ['payload.tags contains "vip"', true],
    ['payload.name contains "da"', true],
    ['(payload.name | downcase) == "ada"', true],
    ['payload.tags.size >= 2', true],
    ['payload.note == empty', true],
    ['not payload.total == 1', true],
    ['not (payload.total == 42 or payload.missing)', false],
  ])('%s: %s', (expression, expected) => {
    expect(holds(expression, { total: 42, tags: ['vip', 'new'], name: 'Ada', note: '' })).toBe(expected);
  });

  it.each([
    [0, true],
    ['', true],
    [[], true],
    [true, true],
    [false, false],
    [null, false],
    [undefined, false],
  ])('takes %j for %s, as Liquid does', (value, expected) => {
    expect(holds('payload.value', { value })).toBe(expected);
  });

  it('groups `and` and `or` from the right, `not` closer, and parentheses as they stand', () => {
    fc.assert(
      fc.property(tree.condition, ({ text, value }) => {
        expect([text, holds(text, { one: 1 })]).toEqual([text, value]);
      }),
    );
    expect(holds('false and true or true')).toBe(false);
    expect(holds('(false and true) or true')).toBe(true);
  });

  it('is refused, with the place, when something in it would be skipped', () => {
    expect(holds('payload.a == 1 an payload.b == "x"')).toBe(
      'column 16: unexpected `an`: expected `and`, `or`, a comparison, a filter or the end',
    );
    expect(holds('payload.a == 1\n  or payload.b ==')).toBe(
      'line 2, column 18: expected a value, found the end',
    );
  });

  it('is refused when it reads a name that nothing has', () => {
    expect(holds('evnt.type == "x"')).toContain('column 1: unknown name "evnt" (did you mean "event"?)');
    expect(holds('payload.a | upcse')).toContain('unknown filter "upcse" (did you mean "upcase"?)');
  });

  it('says which expression failed and why', () => {
    expect(holds('(payload.a | money: "EUR") == "x"', { a: 'many' })).toBe(
      '(payload.a | money: "EUR") == "x": money: "many" is not a number',
    );
  });
});
