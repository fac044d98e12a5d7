import { describe, expect, it } from 'vitest';
import { pairsOf, sumOf } from '../../../console/pages/templates/compare.ts';

const message = (text: string, phone = '49') => ({
  route: 'r',
  kind: 'text',
  phone,
  params: { message: text },
});

describe('old and new messages side by side', () => {
  it('are paired by route and receiver, equal ones first', () => {
    const pairs = pairsOf([message('a'), message('b')], [message('b'), message('c')]);
    expect(pairs.map(({ was, now }) => [was?.params['message'], now?.params['message']])).toEqual([
      ['b', 'b'],
      ['a', 'c'],
    ]);
  });

  it('have an empty side when there was none, or is none', () => {
    const pairs = pairsOf([message('a', '1')], [message('a', '2')]);
    expect(pairs.map(({ was, now }) => [was?.phone ?? null, now?.phone ?? null])).toEqual([
      ['1', null],
      [null, '2'],
    ]);
  });
});

it('the outcomes of several sources are added up', () => {
  const one = { events: 3, same: 1, changed: 1, failed: 1, not_comparable: 0, left_out: 2 };
  expect(sumOf([one, one])).toMatchObject({ events: 6, changed: 2, left_out: 4 });
  expect(sumOf([]).events).toBe(0);
});
