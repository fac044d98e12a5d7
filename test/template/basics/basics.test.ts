import { expect, it } from 'vitest';
import { TemplateFailure, describeFailure } from '../../../src/template/basics/budget.ts';
import { glimpse, hint, toText } from '../../../src/template/basics/print.ts';
import { isZone, MAX_ZONE_LENGTH } from '../../../src/template/basics/locale.ts';

it.each([
  [undefined, ''],
  [[1, null, ['b', { c: 1 }]], '1b{"c":1}'],
])('a value %j prints as %s', (value, text) => {
  expect(toText(value)).toBe(text);
});

it.each([
  ['abcde', '"abcd…"'],
  ['😀😀😀😀😀', '"😀😀😀😀"'],
  [{ secret: 1 }, '"{"se…"'],
])('a value %j is quoted in errors as %s', (value, text) => {
  expect(glimpse(value)).toBe(text);
});

it('an unknown word gets a hint at a known one that is close, and else none', () => {
  expect(hint('plian', new Set(['money', 'plain']))).toBe(' (did you mean "plain"?)');
  for (const word of ['nonsense', 'x', '']) expect(hint(word, ['money', 'upcase'])).toBe('');
});

it('a failure is described by its reason, and never by an error that may quote the payload', () => {
  expect(describeFailure(new TemplateFailure('because'))).toBe('because');
  expect(describeFailure(new RangeError('Maximum call stack size exceeded'))).toBe(
    'a value is nested too deeply',
  );
  for (const error of [new Error('the secret is 42'), 'the secret is 42'])
    expect(describeFailure(error)).toBe('cannot be evaluated');
});

it('a time zone is each of the platform’s names, and nothing else', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  expect(zones.filter((zone) => !isZone(zone) || zone.length > MAX_ZONE_LENGTH)).toEqual([]);
  const others = ['', ' ', 'Berlin', 'W. Europe Standard Time', '__proto__', 'Europe/Berlin'.repeat(10_000)];
  expect(others.filter(isZone)).toEqual([]);
});
