import { expect, it } from 'vitest';
import { parseOwnJson } from '../../src/lib/own-json.ts';
import { Counts, type Totals } from '../../src/counts/counts.ts';

it('counts add up by what they count, and keep the newest of times', () => {
  const counts = new Counts();
  counts.add(1, 'event', 'shop', 'routed');
  counts.add(2, 'event', 'shop', 'routed');
  counts.add(1, 'event', 'form', 'routed');
  expect([counts.get('event', 'shop', 'routed'), counts.get('event', 'shop', 'failed')]).toEqual([3, 0]);
  const [shop, form] = [
    ['shop', 'routed'],
    ['form', 'routed'],
  ];
  expect([counts.of('event'), counts.size]).toEqual([
    [
      [shop, 3],
      [form, 1],
    ],
    2,
  ]);
  for (const at of [5, 3]) counts.last(at, 'shop');
  expect(counts.get('last', 'shop')).toBe(5);
});

it('counts are no different for names that objects have of their own', () => {
  const counts = new Counts();
  for (const name of ['constructor', '__proto__']) counts.add(1, name);
  expect(new Counts(parseOwnJson<Totals>(JSON.stringify(counts))).get('constructor')).toBe(1);
  expect(new Counts().get('constructor')).toBe(0);
});

it('counts can leave out what nobody asks for any more', () => {
  const counts = new Counts({ 'event shop routed': 1, 'attempt sent': 1 });
  counts.keepOnly(([kind]) => kind === 'attempt');
  expect(counts.toJSON()).toEqual({ 'attempt sent': 1 });
});
