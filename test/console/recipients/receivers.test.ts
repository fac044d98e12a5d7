import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf, namesIn, readReceivers, receiversOf } from '../../../console/pages/recipients/receivers.ts';

test('numbers are read as people write them, each once', () => {
  expect(readReceivers('+49 151 / 123-45678\n\n 0049 (151) 12345678\n4915187654321 ')).toEqual({
    numbers: ['4915112345678', '4915187654321'],
    people: {},
    count: 2,
    wrong: [],
  });
});

test('a name may stand before a number', () => {
  expect(readReceivers('Anna +49 151 12345678\nBen Müller: 0049 151 87654321')).toEqual({
    numbers: [],
    people: { Anna: '4915112345678', 'Ben Müller': '4915187654321' },
    count: 2,
    wrong: [],
  });
});

test('a number without its country code, what is none, and a name for the second time, is named as it was typed', () => {
  const { wrong } = readReceivers(
    '0151 12345678\nmum\n+49 151 12345678\nAnna +49 151 1\nBen +491511234567\nBen +491511234568',
  );
  expect(wrong).toEqual(['0151 12345678', 'mum', 'Anna +49 151 1', 'Ben +491511234568']);
});

test('people keep their addresses, and those without a number stay', () => {
  const people = {
    Anna: { phone: '+49 151 12345678', address: { telegram: '1' } },
    Ben: { address: { ntfy: 'ben' } },
  };
  expect(linesOf({ people })).toBe('Anna +4915112345678');
  expect(readReceivers('Anna +49 151 87654321', people).people).toEqual({
    Anna: { phone: '4915187654321', address: { telegram: '1' } },
    Ben: { address: { ntfy: 'ben' } },
  });
  expect(receiversOf({ people })[1]).toEqual({ name: 'Ben', phone: null, addresses: ['ntfy: ben'] });
});

test('the lines of a list are read as the same list', () => {
  const document = {
    numbers: ['4930123456'],
    people: { Anna: '4915112345678', 'Ben Müller': '4915187654321' },
  };
  expect(readReceivers(linesOf(document), document.people)).toMatchObject(document);
});

test('each line that is not empty is a receiver or wrong', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 }).filter((one) => !/[\r\n]/.test(one))), (lines) => {
      const { numbers, people, wrong } = readReceivers(lines.join('\n'));
      expect(numbers.every((one) => /^[1-9]\d{6,14}$/.test(one))).toBe(true);
      expect(numbers.length + Object.keys(people).length + wrong.length).toBeLessThanOrEqual(lines.length);
    }),
  );
});
test('a number has the name that a list gives it, however it is written', () => {
  const names = namesIn([
    { people: { Anna: '+49 151 000000-13', Ben: { phone: '4915100000014' } } },
    { numbers: ['4915100000015'] },
  ]);
  expect([...names]).toEqual([
    ['4915100000013', 'Anna'],
    ['4915100000014', 'Ben'],
  ]);
});

test('a number with two names has none; the same name in two lists is one', () => {
  const names = namesIn([
    { people: { Anna: '4915100000013', Ben: '4915100000014' } },
    { people: { Anna: '4915100000013', Benjamin: '4915100000014' } },
  ]);
  expect([...names.keys()]).toEqual(['4915100000013']);
});

test('a mask of a viewer is nobody’s number', () => {
  expect(namesIn([{ people: { Anna: '49…13' } }]).size).toBe(0);
});
