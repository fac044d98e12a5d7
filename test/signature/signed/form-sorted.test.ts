import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/lib/result.ts';
import { formSorted } from '../../../src/signature/signed/form-sorted.ts';
import { asObject } from '../../conformance/senders/json.ts';
import { requestOf } from '../support.ts';

async function form(body: string, type = 'application/x-www-form-urlencoded') {
  const parsed = await requestOf({ body, headers: { 'Content-Type': type } }).parsed();
  return parsed.ok ? formSorted(parsed.value) : parsed.error.detail;
}

describe('formSorted', () => {
  it.each([
    ['sorts parameters by name', 'b=2&a=1&C=3', 'C3a1b2'],
    ['decodes names and values', 'From=%2B49+171&To=a%26b', 'From+49 171Toa&b'],
    ['counts a repeated value once, and sorts those of one name', 'd=5678&d=1234&d=1234', 'd1234d5678'],
    ['keeps a parameter without a value', 'a=&b', 'ab'],
    ['knows nothing of inherited names', 'toString=1&__proto__=2', '__proto__2toString1'],
    ['is empty for an empty form', '', ''],
  ])('%s', async (_, body, sorted) => {
    expect(await form(body)).toEqual(ok(sorted));
    expect(await form(body, 'Application/X-WWW-Form-Urlencoded; charset=utf-8')).toEqual(ok(sorted));
  });

  it.each([
    ['application/json', '{"a":"1"}'],
    ['text/plain', 'a=1'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--'],
    ['application/x-www-form-urlencoded', 'payload={"a":"1"}'],
    ['', ''],
  ])('is empty for a body of type %j', async (type, body) => {
    expect(await form(body, type)).toEqual(ok(''));
  });

  it('is of the very fields that become the payload, whatever the form looks like', async () => {
    const odd = fc.constantFrom(
      '?a=1',
      '\ufeffa=1',
      '%EF%BB%BFa=1',
      'a=1&a=1',
      'a=%31',
      'a=1&',
      '&a=1',
      'a=1+',
    );
    const noise = fc.stringMatching(/^[ab?&=+%0-9A-F\ufeff]{0,20}$/);
    await fc.assert(
      fc.asyncProperty(fc.oneof(odd, noise), async (body) => {
        const type = 'application/x-www-form-urlencoded';
        const parsed = await requestOf({ body, headers: { 'Content-Type': type } }).parsed();
        const fields = Object.entries(asObject(parsed.ok ? parsed.value.payload : {}));
        const joined = fields
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, value]) =>
            [...new Set([value].flat())]
              .toSorted((one, other) => (String(one) < String(other) ? -1 : 1))
              .map((text) => `${name}${String(text)}`),
          );
        expect(parsed.ok ? formSorted(parsed.value) : null).toEqual(
          parsed.ok ? ok(joined.flat().join('')) : null,
        );
      }),
    );
  });

  it('has no more fields than the payload may have', async () => {
    expect(await form('a&'.repeat(5_000))).toEqual(ok('a'));
    expect(await form('a&'.repeat(5_001))).toContain('more than 5000 fields');
  });
});
