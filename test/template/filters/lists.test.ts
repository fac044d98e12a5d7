import { expect, it } from 'vitest';
import { flatten, pluck, sum } from '../../../src/template/filters/lists.ts';
import { render } from '../helpers.ts';

const at = (value: unknown, path?: string) => ({
  value,
  list: Array.isArray(value) ? value : [],
  path: path ?? '',
  names: path?.split('.') ?? [],
  wanted: undefined,
});

it('sum adds numbers and texts that are numbers, also of a property further down, without noise', () => {
  expect(sum(at([1, '2', null, 3.5]))).toEqual({ ok: true, value: 6.5 });
  expect(render('{{ payload.l | sum }}', { l: [] })).toBe('0');
  expect(render('{{ payload.l | sum }}', { l: [1, [2, [3]]] })).toBe('6');
  const l = [{ price: { amount: 2 } }, { price: { amount: 3 } }, {}];
  expect(render('{{ payload.l | sum: "price.amount" }}', { l })).toBe('5');
  expect(sum(at([0.1, 0.2]))).toEqual({ ok: true, value: 0.3 });
  expect(sum(at([1, 'secret']))).toEqual({ ok: false, error: 'element 2 is not a number: "secr…"' });
});

it('pluck answers one own property of each element', () => {
  const elements = [{ a: { b: 1 } }, { a: {} }, null, 'x'];
  expect(pluck(at(elements, 'a.b'))).toEqual({ ok: true, value: [1, undefined, undefined, undefined] });
  const l = [{ sku: 'A' }, { sku: 'B' }];
  expect(render('{{ payload.l | pluck: "sku" | join: ", " }}', { l })).toBe('A, B');
  for (const path of ['__proto__', 'constructor.name', 'a.toString'])
    expect(pluck(at([{ a: {} }], path))).toEqual({ ok: true, value: [undefined] });
});

it('flatten puts the lists of all elements into one, in their order', () => {
  const entries = [{ a: { b: [1, 2] } }, {}, { a: { b: [3] } }, { a: { b: 'no list' } }, null];
  expect(flatten(at(entries, 'a.b'))).toEqual({ ok: true, value: [1, 2, 3] });
  const l = [{ of: [{ id: 7 }] }];
  expect(render('{{ payload.l | flatten: "of" | pluck: "id" | join: ", " }}', { l })).toBe('7');
});

const l = [
  { n: 2, t: 'b', of: { list: ['x', 'y'] } },
  { n: 1, t: 'A', on: false },
  { t: null, n: 10, on: true },
  'no object',
];

it.each([
  ['map: "t" | join: ","', 'b,A,,'],
  ['map: "of.list.size" | join: ","', '2,,,'],
  ['where: "n", 1 | map: "t"', 'A'],
  ['where: "on" | map: "n"', '10'],
  ['where: "on", nil | map: "n"', '10'],
  ['where: payload.nothing | size', '0'],
  ['compact: "t" | map: "n" | join: ","', '2,1'],
  ['uniq: "on" | map: "n" | join: ","', '2,1,10'],
  ['where: "constructor" | size', '0'],
  ['reject: "n", 1 | size', '3'],
  ['has: "n", 1', 'true'],
  ['find: "on" | json', '{"t":null,"n":10,"on":true}'],
  ['find_index: "n", 10', '2'],
  ['sort: "n" | map: "n" | join: ","', '1,2,10,'],
  ['sort: "t" | map: "t" | join: ","', 'A,b,,'],
])('filters that look up a path in each element %s is %s', (filters, expected) => {
  expect(render(`{{ payload.l | ${filters} }}`, { l })).toBe(expected);
});
