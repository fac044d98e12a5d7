import { describe, expect, it } from 'vitest';
import { err, ok } from '../../src/lib/result.ts';
import { formSorted } from '../../src/signature/form-sorted.ts';
import { requestOf } from './support.ts';

const form = (body: string, type = 'application/x-www-form-urlencoded') =>
  formSorted(requestOf({ body, headers: { 'Content-Type': type } }));

describe('formSorted', () => {
  it.each([
    ['sorts parameters by name', 'b=2&a=1&C=3', 'C3a1b2'],
    ['decodes names and values', 'From=%2B49+171&To=a%26b', 'From+49 171Toa&b'],
    ['counts a repeated value once, and sorts those of one name', 'd=5678&d=1234&d=1234', 'd1234d5678'],
    ['keeps a parameter without a value', 'a=&b', 'ab'],
    ['knows nothing of inherited names', 'toString=1&__proto__=2', '__proto__2toString1'],
    ['is empty for an empty form', '', ''],
  ])('%s', (_, body, sorted) => {
    expect(form(body)).toEqual(ok(sorted));
    expect(form(body, 'Application/X-WWW-Form-Urlencoded; charset=utf-8')).toEqual(ok(sorted));
  });

  it.each(['application/json', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded-2', ''])(
    'is empty for a body of type %j',
    (type) => {
      expect(form('a=1', type)).toEqual(ok(''));
    },
  );

  it('refuses more parameters than the payload may have', () => {
    const refusal = err({ reason: 'malformed', detail: 'the form has more than 5000 parameters' });
    expect(form('a&'.repeat(4_999))).toEqual(ok('a'));
    expect(form('a&'.repeat(5_000))).toEqual(refusal);
  });
});
