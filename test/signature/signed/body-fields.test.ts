import { expect, it } from 'vitest';
import { bodyField, bodyItems, readParsed } from '../../../src/signature/signed/signed-bytes.ts';
import { outcome, outcomeInFull, requestOf } from '../support.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };
const TEXT = { 'Content-Type': 'text/plain' };

async function fieldOf(path: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  const parsed = await readParsed(requestOf({ body, headers }));
  return parsed.ok ? bodyField(parsed.value.payload, path) : parsed;
}

it('reads text and numbers of JSON by path, and a field of a form', async () => {
  const payload = { signature: { timestamp: 1529006854, token: 'a8ce' } };
  expect(bodyField(payload, 'signature.timestamp')).toEqual({ ok: true, value: '1529006854' });
  expect(bodyField(payload, 'signature.token')).toEqual({ ok: true, value: 'a8ce' });
  expect(await fieldOf('token', 'a=1&token=a%20b%2B', FORM)).toEqual({ ok: true, value: 'a b+' });
});

it.each<[string, string, string | Uint8Array, Record<string, string>, string]>([
  // Templates and event ids do not either.
  ['of a path that is a form’s dotted name', 'a.b', 'a.b=x', FORM, 'missing_field'],
  ['in a text', 'a', 'a: x', TEXT, 'missing_field'],
  ['given twice in a form', 'a', 'a=1&a=2', FORM, 'malformed'],
  ['no text', 'toString', '{"toString": {"a": 1}}', {}, 'missing_field'],
  ['in a body that is neither', 'a', 'a=1', {}, 'malformed'],
  ['in a body that is not UTF-8', 'a', Uint8Array.of(0x7b, 0xff, 0x7d), {}, 'malformed'],
  ['nested as no parser likes', 'a', '['.repeat(200_000), {}, 'malformed'],
])('refuses a field that is %s', async (_, path, body, headers, reason) => {
  expect(outcome(await fieldOf(path, body, headers))).toBe(reason);
});

const items = (list: unknown) => bodyItems({ data: { list } }, 'data.list', 3);

it('gives the elements of a list, and says why there are none', () => {
  expect(items([1, { a: 2 }])).toEqual({ ok: true, value: [1, { a: 2 }] });
  const field = 'body field data.list';
  expect(outcomeInFull(items(undefined))).toBe(`missing_field: ${field} is missing`);
  expect(outcomeInFull(items(null))).toBe(`malformed: ${field} is not a list`);
  expect(outcomeInFull(items({ 0: 1 }))).toBe(`malformed: ${field} is not a list`);
  expect(outcomeInFull(items([]))).toBe(`missing_field: ${field} is an empty list`);
  expect(outcomeInFull(items([1, 2, 3, 4]))).toBe(`malformed: ${field} has more than 3 elements`);
});
