import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RouteBudget } from '../../src/template/basics/budget.ts';
import { EVENT_ROOTS, ROOTS, type NotificationNames } from '../../src/template/basics/scope.ts';
import { compileCondition, evaluateCondition } from '../../src/template/condition.ts';
import { compileText, renderText } from '../../src/template/text.ts';
import { GERMAN, scopeOf } from './helpers.ts';

/** What a route's budget was asked for, in all; it ends at `limit` units of each. */
function metered(limit = Infinity) {
  const spent = { step: 0, work: 0, make: 0 };
  const spend = (of: keyof typeof spent) => (count: number) => {
    spent[of] += count;
    if (spent[of] > limit) throw new Error(`no more ${of}`);
  };
  const budget: RouteBudget = { step: spend('step'), work: spend('work'), make: spend('make') };
  return { spent, budget };
}

/** The result and its price, without the interpreter where that is possible, and always with it. */
function bothTexts(
  source: string,
  payload: unknown,
  { limit, notification }: { limit?: number; notification?: NotificationNames } = {},
) {
  const compiled = compileText(source, ROOTS);
  if (!compiled.ok) throw new Error(compiled.error);
  return [compiled.value, { ...compiled.value, plain: undefined }].map((text) => {
    const { spent, budget } = metered(limit);
    return {
      text: renderText(text, scopeOf(payload, { budget, ...(notification && { notification }) }), GERMAN),
      spent,
    };
  });
}

function bothConditions(source: string, payload: unknown, notification?: NotificationNames) {
  const compiled = compileCondition(source);
  if (!compiled.ok) throw new Error(compiled.error);
  return [compiled.value, { ...compiled.value, plain: undefined }].map((condition) => {
    const { spent, budget } = metered();
    return {
      holds: evaluateCondition(
        condition,
        scopeOf(payload, { budget, ...(notification && { notification }) }),
        GERMAN,
      ),
      spent,
    };
  });
}

const isPlainText = (source: string): boolean => {
  const compiled = compileText(source);
  return compiled.ok && compiled.value.plain !== undefined;
};

const isPlainCondition = (source: string): boolean => {
  const compiled = compileCondition(source);
  return compiled.ok && compiled.value.plain !== undefined;
};

const NAMES = ['a', 'b', 'c', 'size', 'first', 'last', 'length', 'constructor', 'toString', '__proto__', '0'];
const name = fc.constantFrom(...NAMES);

const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, false, 0, -0, 1e21, 1.5, '', 'x', 'ü🎉', '{{ payload.a }}'),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5 }),
  ),
}));

/** As a body is: `__proto__` is a key like any other. */
const payload = anyValue.map((value): unknown => JSON.parse(JSON.stringify(value)));
/** What is notification when it is due has names of its own, and others in place of the event's. */
const notification = fc.option(
  fc
    .record(
      { item: payload, payload, firing: fc.array(payload, { maxLength: 2 }), first: payload, key: payload },
      { requiredKeys: [] },
    )
    .map((names): NotificationNames => ({ at: '2026-11-21T07:00:00Z', names })),
  { nil: undefined },
);
const pathFrom = (...roots: string[]) =>
  fc
    .tuple(fc.constantFrom(...roots), fc.array(name, { maxLength: 4 }))
    .map(([root, names]) => root + names.map((one) => (one === '0' ? '[0]' : `.${one}`)).join(''));
const path = pathFrom(...EVENT_ROOTS);
const output = fc
  .tuple(pathFrom(...EVENT_ROOTS, 'firing', 'first', 'key'), fc.boolean())
  .map(([one, trims]) => (trims ? `{{- ${one} -}}` : `{{ ${one} }}`));
const text = fc
  .array(fc.oneof(output, fc.constantFrom(' ', 'Hello ', '\n', 'ü')), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''));
const operand = fc.oneof(
  path,
  fc.constantFrom('"x"', "''", '1', '1.5', 'true', 'false', 'nil', 'empty', 'blank'),
);
const comparison = fc.oneof(
  operand,
  fc.tuple(operand, fc.constantFrom('==', '!=', '<', 'contains'), operand).map((parts) => parts.join(' ')),
);
const condition = fc
  .tuple(comparison, fc.array(fc.tuple(fc.constantFrom('and', 'or'), comparison), { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest.map((parts) => parts.join(' '))].join(' '));

describe('a text of constants and plain paths', () => {
  it('is what the interpreter makes of it, at the same price, whatever the payload holds', () => {
    fc.assert(
      fc.property(text, payload, notification, (source, given, names) => {
        const [plain, interpreted] = bothTexts(source, given, names && { notification: names });
        expect(plain).toEqual(interpreted);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ends where a budget ends, with the same reason', () => {
    const source = 'Order {{ payload.a }} of {{ payload.b }}';
    for (let limit = 0; limit < 20; limit += 1) {
      const [plain, interpreted] = bothTexts(source, { a: 'abc', b: null }, { limit });
      expect(plain).toEqual(interpreted);
    }
    const [plain, interpreted] = bothTexts('{{ payload.a }}', { a: 'x'.repeat(100_000) });
    expect(plain?.text.ok).toBe(false);
    expect(plain).toEqual(interpreted);
  });

  it.each([
    ['Order {{ payload.id }}', true],
    ['{{ payload["id of it"] }}', true],
    ['{{ payload.id | upcase }}', false],
    ['{{ payload.items.size }}', false],
    ['{{ payload[0] }}', false],
    ['{{ payload[event.type] }}', false],
    ['{{ "x" }}', false],
    ['{% if payload.id %}x{% endif %}', false],
  ])('%s: %s', (source, expected) => {
    expect(isPlainText(source)).toBe(expected);
  });

  it('finds own properties only', () => {
    const [plain] = bothTexts('{{ payload.constructor }}{{ payload.toString.name }}', {});
    expect(plain?.text).toEqual({ ok: true, value: '' });
  });
});

describe('a condition of plain paths and constants', () => {
  it('is what the interpreter makes of it, at the same price, whatever the payload holds', () => {
    fc.assert(
      fc.property(condition, payload, notification, (source, given, names) => {
        const [plain, interpreted] = bothConditions(source, given, names);
        expect(plain).toEqual(interpreted);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['payload.type == "paid"', true],
    ['payload.type == "paid" and payload.amount != 0 or payload.test', true],
    ['payload.amount > 5', false],
    ['payload.type == nil', false],
    ['not payload.type', false],
    ['(payload.type == "paid")', false],
    ['payload.type | upcase', false],
    ['payload.items.size == 2', false],
  ])('%s: %s', (source, expected) => {
    expect(isPlainCondition(source)).toBe(expected);
  });
});
