import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ok } from '../../../src/lib/result.ts';
import { formSorted } from '../../../src/signature/signed/signed-bytes.ts';
import { asObject } from '../../conformance/senders/json.ts';
import { requestOf } from '../support.ts';

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--';

async function form(body: string, type = FORM) {
  const parsed = await requestOf({ body, headers: { 'Content-Type': type } }).parsed();
  return parsed.ok ? formSorted(parsed.value) : parsed.error.detail;
}

it.each([
  ['sorts parameters by name', 'b=2&a=1&C=3', 'C3a1b2'],
  ['decodes names and values', 'From=%2B49+171&To=a%26b', 'From+49 171Toa&b'],
  ['knows nothing of inherited names', 'toString=1&__proto__=2', '__proto__2toString1'],
])('%s', async (_, body, sorted) => {
  expect(await form(body)).toEqual(ok(sorted));
  expect(await form(body, 'Application/X-WWW-Form-Urlencoded; charset=utf-8')).toEqual(ok(sorted));
});

it.each([
  ['application/json', '{"a":"1"}'],
  ['text/plain', 'a=1'],
  ['multipart/form-data; boundary=x', MULTIPART],
  [FORM, 'payload={"a":"1"}'],
  ['', ''],
])('is empty for a body of type %j', async (type, body) => {
  expect(await form(body, type)).toEqual(ok(''));
});

const inOrder = (one: string, other: string) => (one < other ? -1 : 1);

it('is of the very fields that become the payload, whatever the form looks like, and has no more of them', async () => {
  const marks = fc.constantFrom('?a=1', '\ufeffa=1', '%EF%BB%BFa=1', 'a=1+');
  const repeats = fc.constantFrom('a=1&a=1', 'a=%31', 'a=1&', '&a=1');
  const noise = fc.stringMatching(/^[ab?&=+%0-9A-F\ufeff]{0,20}$/);
  await fc.assert(
    fc.asyncProperty(fc.oneof(marks, repeats, noise), async (body) => {
      const parsed = await requestOf({ body, headers: { 'Content-Type': FORM } }).parsed();
      if (!parsed.ok) return;
      const joined = Object.entries(asObject(parsed.value.payload))
        .toSorted(([one], [other]) => inOrder(one, other))
        .flatMap(([name, value]) => {
          const values = new Set([value].flat().map(String));
          return [...values].toSorted(inOrder).map((text) => `${name}${text}`);
        });
      expect(formSorted(parsed.value)).toEqual(ok(joined.join('')));
    }),
  );
  expect(await form('a&'.repeat(5_000))).toEqual(ok('a'));
  expect(await form('a&'.repeat(5_001))).toContain('more than 5000 fields');
});
