import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeForm } from '../../simulator/form.ts';

const decode = (text: string) => decodeForm(new TextEncoder().encode(text));
const reasonOf = (text: string) => {
  const result = decode(text);
  return result.ok ? 'accepted' : result.error.reason;
};

describe('decodeForm', () => {
  test('reads whatever URLSearchParams writes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' }), {
          maxKeys: 20,
        }),
        (fields) => {
          const decoded = decode(new URLSearchParams(fields).toString());
          expect(decoded).toEqual({ ok: true, value: new Map(Object.entries(fields)) });
        },
      ),
    );
  });

  test('a plus is a space and a value may hold an equals sign', () => {
    expect(decode('message=a+b=c%2B')).toEqual({ ok: true, value: new Map([['message', 'a b=c+']]) });
  });

  test('__proto__ is a name like any other', () => {
    expect(decode('__proto__=x')).toEqual({ ok: true, value: new Map([['__proto__', 'x']]) });
  });

  test.each([
    ['a percent sign without two hex digits', 'message=100%'],
    ['a percent sign with letters that are not hex', 'message=%zz'],
    ['percent-encoded bytes that are not UTF-8', 'message=%ff'],
    ['an overlong UTF-8 sequence', 'message=%c0%af'],
    ['a pair without an equals sign', 'message=a&phone'],
    ['a pair without a name', '=a'],
    ['an empty pair', 'message=a&&phone=1'],
    ['more parameters than any endpoint has', Array.from({ length: 65 }, (_, i) => `p${i}=1`).join('&')],
  ])('refuses %s', (_, body) => {
    expect(reasonOf(body)).toBe('malformed_form');
  });

  test('refuses raw bytes that are not UTF-8', () => {
    const result = decodeForm(Uint8Array.of(0x61, 0x3d, 0xff));
    expect(result).toMatchObject({ ok: false, error: { status: 400, reason: 'malformed_form' } });
  });

  test('refuses a repeated parameter, even when it is written differently', () => {
    expect(reasonOf('phone=1&ph%6fne=2')).toBe('repeated_parameter');
  });

  test('does not quote a JSON body that was sent as a form: its credentials would be shown', () => {
    const result = decode('{"api_key":"very-secret"}');
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).not.toContain('very-secret');
  });
});
