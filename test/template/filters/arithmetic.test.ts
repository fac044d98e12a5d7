import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { render } from '../helpers.ts';

const ID = '5402118833907716093';
const calculated = (expression: string, payload: unknown = {}) => render(`{{ ${expression} }}`, payload);

it('arithmetic on integers beyond 2^53 loses no digit', () => {
  const rows = `payload.id | plus: 1 → 5402118833907716094; payload.id | minus: payload.id → 0;
payload.id | times: -2 → -10804237667815432186; payload.id | modulo: 1000 → 93;
payload.id | times: -1 | modulo: 1000 → 907; payload.id | divided_by: 1000, true → 5402118833907716;
payload.id | times: -1 | divided_by: 1000, true → -5402118833907717;
payload.id | divided_by: 1000000000 → 5402118833.907716093;
payload.id | minus: 93 | divided_by: 1000 → 5402118833907716; payload.id | at_least: 7 → ID;
7 | at_most: payload.id → 7; payload.id | times: -1 | abs → ID; payload.id | ceil → ID;
payload.id | floor → ID; payload.id | round: 2 → ID;
9007199254740991 | plus: 9007199254740991 → 18014398509481982;
4503599627370496.0 | times: 1001 → 4508103226997866496; payload.ids | sum → 5402118833907716100;
payload.ids | sort | join: " " → 7 ID; payload.id | number → 5.402.118.833.907.716.093`;
  for (const row of rows.split(/;\s/)) {
    const [expression = '', expected] = row.split(' → ');
    expect([row, calculated(expression, { id: ID, ids: [ID, 7] })]).toEqual([
      row,
      expected?.replace('ID', ID),
    ]);
  }
});

it('arithmetic on integers beyond 2^53 is what BigInt makes of it', () => {
  const integer = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
  fc.assert(
    fc.property(integer, integer, (a, b) => {
      const payload = { a: String(a), b: String(b) };
      expect(calculated('payload.a | plus: payload.b', payload)).toBe(String(a + b));
      expect(calculated('payload.a | minus: payload.b', payload)).toBe(String(a - b));
      expect(calculated('payload.a | times: payload.b', payload)).toBe(String(a * b));
    }),
  );
});

it.each([
  ['payload.id | times: 0.5', 'is calculated only with whole numbers'],
  ['payload.id | divided_by: 3', 'the result is not exact'],
  ['payload.id | round: -3', 'too large to be rounded'],
  ['payload.mixed | sum', 'is calculated only with whole numbers'],
])('arithmetic on integers beyond 2^53 %s fails: no digit is rounded away', (expression, reason) => {
  const payload = { id: ID, mixed: [ID, 0.5] };
  expect(calculated(expression, payload)).toMatch(new RegExp(`^! .*${reason}`));
});

const values = ['+Inf', '-Inf', 'NaN', 'nan', 'Infinity', '-infinity', '1e400'];
const filters = [
  'number',
  'number: 1',
  'money: "EUR"',
  'money_major: "EUR"',
  'duration',
  'datetime',
  'date: "%Y"',
  'plus: 1',
  'minus: 1',
  'times: 100 | round: 1',
  'divided_by: 2',
  'divided_by: 0',
  'modulo: 2',
  'abs',
  'ceil',
  'floor',
  'at_least: 1',
  'at_most: 1',
];

it.each(values)(
  'what is no number such as %s is printed as it came by every filter that reads numbers',
  (v) => {
    for (const filter of filters) expect(calculated(`payload.v | ${filter}`, { v }), filter).toBe(v);
  },
);

it('what is no number is not calculated with: the message fails and says why', () => {
  for (const v of values)
    for (const filter of ['plus', 'times', 'divided_by', 'modulo', 'at_least'])
      expect(calculated(`100 | ${filter}: payload.v`, { v })).toMatch(/^! .*is no number to calculate with$/);
});

it('what is no number counts as 0 otherwise, as in all Liquids, but nothing is divided by it', () => {
  expect(calculated('payload.none | plus: 2')).toBe('2');
  expect(calculated('10 | minus: payload.none')).toBe('10');
  expect(calculated('"many" | times: 2')).toBe('0');
  expect(calculated('payload.none | divided_by: 4')).toBe('0');
  for (const filter of ['divided_by', 'modulo']) {
    expect(calculated(`7 | ${filter}: 0`)).toContain(`${filter}: nothing can be divided by "0"`);
    expect(calculated(`7 | ${filter}: "0.0"`)).toContain('nothing can be divided by "0.0"');
    expect(calculated(`7 | ${filter}: "many"`)).toContain('nothing can be divided by "many"');
    expect(calculated(`7 | ${filter}: payload.none`)).toContain('the number to divide by is missing');
  }
});

it('what is no number is never a result', () => {
  expect(calculated('payload.v | times: payload.v', { v: 1e300 })).toMatch(/^! .*the result is too large$/);
});

it('numbers that a float holds are calculated as before, and decimals as people do', () => {
  const all =
    '7 | divided_by: 2,7 | divided_by: 2, true,-7 | modulo: 3,7.456 | round: 1,1.5 | plus: "2",-3 | at_least: -5,10 | divided_by: 3 | times: 3,10.1 | minus: 2.2,"0.1" | plus: "0.2",19.99 | times: 100,-0.7 | divided_by: 0.1,0.3 | modulo: 0.1,5.666 | round: 1.2';
  const results = all.split(/,(?=[-"]?\d)/).map((one) => calculated(one));
  const decimals = ['10', '7.9', '0.3', '1999', '-7', '0', '5.7'];
  expect(results).toEqual(['3.5', '3', '2', '7.5', '3.5', '-3', ...decimals]);
  const payload = { long: '12345678901234567.89', list: ['12345678901234.56', 0.01] };
  expect(calculated('payload.long | plus: 1', payload)).toBe('12345678901234568.89');
  expect(calculated('payload.list | sum', payload)).toBe('12345678901234.57');
  for (const text of ['12,50', '€12.50', '1.234,50'])
    expect(calculated('payload.text | times: 100', { text })).toMatch(/^! .*is no number to calculate with$/);
});
