import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_FIELDS, parseForm } from '../../../src/ingest/parse/form.ts';
import { err, ok } from '../../../src/lib/result.ts';

const parse = (text: string, charset?: string) => parseForm(new TextEncoder().encode(text), charset);
const detailOf = (text: string): string => {
  const result = parse(text);
  return result.ok ? 'taken' : result.error.detail;
};

describe('parseForm', () => {
  it.each([
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2&b=3&a=4', { a: ['1', '2', '4'], b: '3' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=1', { '': '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['&&a=1&', { a: '1' }],
    ['a+b=c+d%2B', { 'a b': 'c d+' }],
    ['%C3%BC=%e2%82%ac', { ü: '€' }],
    ['a=ü', { a: 'ü' }],
    ['', {}],
  ])('%j', (text, value) => {
    expect(parse(text)).toEqual(ok(value));
  });

  it('reads whatever URLSearchParams writes', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        fc.dictionary(text, fc.array(text, { minLength: 1, maxLength: 3 }), { noNullPrototype: true }),
        (form) => {
          const pairs = Object.entries(form).flatMap(([name, values]) =>
            values.map((value) => [name, value]),
          );
          fc.pre(!Object.hasOwn(form, 'payload'));
          const expected = Object.entries(form).map(([name, values]) => [
            name,
            values.length === 1 ? values[0] : values,
          ]);
          expect(parse(new URLSearchParams(pairs).toString())).toEqual(ok(Object.fromEntries(expected)));
        },
      ),
    );
  });

  it('keeps names such as `__proto__` as plain own keys', () => {
    const result = parse('__proto__=1&constructor=2&hasOwnProperty=3&__proto__=4&toString=5');
    const value = result.ok ? result.value : null;
    expect(Object.entries(value ?? {})).toEqual([
      ['__proto__', ['1', '4']],
      ['constructor', '2'],
      ['hasOwnProperty', '3'],
      ['toString', '5'],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each(['a=%', 'a=%4', 'a=%zz', 'a=%4&b=1', '%=1', 'a=100%&b=%41', 'a=%%41'])(
    '%j has a broken escape',
    (text) => {
      expect(detailOf(text)).toMatch(
        /^The form has a `%` at byte \d+ without two hex digits after it\. Send a percent sign as `%25`\.$/,
      );
    },
  );

  it('says at which byte an escape is broken', () => {
    expect(detailOf('a=1&b=5%&c')).toContain('at byte 8 ');
  });

  it('refuses bytes that are no text once they are decoded', () => {
    expect(detailOf('ok=1&a=%ff')).toBe('The form field at byte 8 does not decode to valid utf-8.');
  });

  it('is decoded by its charset', () => {
    expect(parse('a=%e9', 'iso-8859-1')).toEqual(ok({ a: 'é' }));
    expect(parse('a=%93%fa', 'shift_jis')).toEqual(ok({ a: '日' }));
  });

  it.each(['utf-7', 'utf-16', 'utf-16be'])('cannot be in %s', (charset) => {
    expect(parse('a=1', charset)).toMatchObject({ ok: false, error: { status: 415 } });
  });

  it('has a bounded number of fields', () => {
    expect(parse('a=1&'.repeat(MAX_FIELDS)).ok).toBe(true);
    expect(parse('a=1&'.repeat(MAX_FIELDS + 1))).toEqual(
      err({ status: 400, detail: 'The form has more than 5000 fields. Send fewer.' }),
    );
  });
});
