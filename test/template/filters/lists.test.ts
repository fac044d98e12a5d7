import { describe, expect, it } from 'vitest';
import { flatten, pluck, sum } from '../../../src/template/filters/lists.ts';
import { render } from '../helpers.ts';

describe('sum', () => {
  it('adds numbers, and texts that are numbers', () => {
    expect(sum([1, '2', null, 3.5], undefined)).toEqual({ ok: true, value: 6.5 });
    expect(render('{{ payload.l | sum }}', { l: [] })).toBe('0');
  });

  it('adds a property, also further down', () => {
    expect(
      render('{{ payload.l | sum: "price.amount" }}', {
        l: [{ price: { amount: 2 } }, { price: { amount: 3 } }, {}],
      }),
    ).toBe('5');
  });

  it('shows no noise of adding', () => {
    expect(sum([0.1, 0.2], undefined)).toEqual({ ok: true, value: 0.3 });
  });

  it('refuses what is no number, with its place', () => {
    expect(sum([1, 'secret'], undefined)).toEqual({ ok: false, error: 'element 2 is not a number: "secr…"' });
    expect(sum(5, undefined)).toEqual({ ok: false, error: 'the value is not a list' });
  });
});

describe('pluck', () => {
  it('answers one property of each element', () => {
    expect(pluck([{ a: { b: 1 } }, { a: {} }, null, 'x'], 'a.b')).toEqual({
      ok: true,
      value: [1, undefined, undefined, undefined],
    });
    expect(render('{{ payload.l | pluck: "sku" | join: ", " }}', { l: [{ sku: 'A' }, { sku: 'B' }] })).toBe(
      'A, B',
    );
  });

  it.each(['__proto__', 'constructor.name', 'a.toString'])('reads own properties only, not %s', (path) => {
    expect(pluck([{ a: {} }], path)).toEqual({ ok: true, value: [undefined] });
  });

  it('refuses what is no list, and an empty path', () => {
    expect(pluck({ a: 1 }, 'a')).toEqual({ ok: false, error: 'the value is not a list' });
    expect(pluck([], '')).toEqual({ ok: false, error: 'the path of the property is missing' });
  });
});

describe('flatten', () => {
  it('puts the lists of all elements into one, in their order', () => {
    const entries = [{ a: { b: [1, 2] } }, {}, { a: { b: [3] } }, { a: { b: 'no list' } }, null];
    expect(flatten(entries, 'a.b')).toEqual({ ok: true, value: [1, 2, 3] });
    expect(
      render('{{ payload.l | flatten: "of" | pluck: "id" | join: ", " }}', { l: [{ of: [{ id: 7 }] }] }),
    ).toBe('7');
  });

  it('refuses what is no list, and an empty path', () => {
    expect(flatten({ a: [] }, 'a')).toEqual({ ok: false, error: 'the value is not a list' });
    expect(flatten([], '')).toEqual({ ok: false, error: 'the path of the property is missing' });
  });
});
