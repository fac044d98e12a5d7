import { expect, test } from 'vitest';
import { arranged } from '../../../console/pages/now/still.ts';

const cards = (names: string) => names.split('').map((card) => ({ card }));
const names = (items: readonly { readonly card: string }[]): string => items.map(({ card }) => card).join('');

test('a card that is over keeps its place, and a new one comes behind', () => {
  const { items, gone } = arranged(cards('abc'), cards('xca'));
  expect(names(items)).toBe('abcx');
  expect([...gone]).toEqual(['b']);
});

test('a card that is still there is shown as it is now', () => {
  const { items } = arranged([{ card: 'a', n: 1 }], [{ card: 'a', n: 2 }]);
  expect(items).toEqual([{ card: 'a', n: 2 }]);
});
