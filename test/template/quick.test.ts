import { toValueSync } from 'liquidjs';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { EVENT_ROOTS } from '../../src/template/basics/scope.ts';
import { createRouteBudget } from '../../src/template/basics/budget.ts';
import { compileCondition } from '../../src/template/condition.ts';
import { createContext } from '../../src/template/context.ts';
import { liquid } from '../../src/template/engine.ts';
import { evaluateSteps, quickSteps } from '../../src/template/quick.ts';
import { GERMAN, scopeOf } from './helpers.ts';

function valueOf(source: string) {
  const compiled = compileCondition(source);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value.value;
}

/** The value of an expression and the work that it takes, quickly and by the interpreter. */
function both(source: string, payload: unknown) {
  const value = valueOf(source);
  return [true, false].map((quickly) => {
    let work = 0;
    const budget = { ...createRouteBudget(), work: (count: number) => void (work += count) };
    const context = createContext(liquid, scopeOf(payload, { budget }), GERMAN);
    const steps = quickSteps(value);
    if (steps === null) throw new Error(`${source} needs the interpreter`);
    try {
      return { value: quickly ? evaluateSteps(steps, context) : toValueSync(value.value(context)), work };
    } catch {
      // An order of objects may throw.
      return { value: 'none', work };
    }
  });
}

const NAMES = ['a', 'b', 'c', 'size', 'first', 'last', 'length', 'constructor', 'toString', '__proto__'];
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
const path = fc
  .tuple(fc.constantFrom(...EVENT_ROOTS), fc.array(name, { maxLength: 4 }))
  .map((parts) => parts.flat().join('.'));
const operand = fc.oneof(
  path,
  fc.constantFrom('"x"', "''", '1', '1.5', 'true', 'false', 'nil', 'empty', 'blank'),
);
const operator = fc.constantFrom('==', '!=', '<', '>', '<=', '>=', 'contains');
const comparison = fc.oneof(
  operand,
  fc.tuple(operand, operator, operand).map((parts) => parts.join(' ')),
);
const condition = fc
  .tuple(comparison, fc.array(fc.tuple(fc.constantFrom('and', 'or'), comparison), { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest.flat()].join(' '));

it('an expression of paths, constants and operators is what the interpreter makes of it, for the same work, whatever the payload holds', () => {
  fc.assert(
    fc.property(condition, payload, (source, given) => {
      const [quick, interpreted] = both(source, given);
      expect(quick).toEqual(interpreted);
    }),
    { numRuns: 1_000 },
  );
});

it('an expression of paths, constants and operators is left to the interpreter when it is of anything else', () => {
  const brackets = ['payload[0]', 'payload[event.type]', '(payload.a == 1)', '(1..2)'];
  for (const source of ['not payload.a', 'payload.a | upcase', ...brackets])
    expect(quickSteps(valueOf(source)), source).toBeNull();
});
