import { expect, it } from 'vitest';
import { jsonInForm, withTextsRead } from '../../../src/ingest/parse/parse.ts';
import { ok } from '../../../src/lib/result.ts';
import { ownValue } from '../../../src/lib/json.ts';
import { bytesOf, encode } from '../../signature/support.ts';

const inData = (form: unknown, isForm: boolean) => jsonInForm(form, { json_field: 'data' }, isForm);

it('JSON in a field that is the whole payload takes the place of the form, and is refused if it is malformed', () => {
  const json = { heartbeat: { status: 0 } };
  expect(inData({ data: JSON.stringify(json), more: '1' }, true)).toEqual(ok({ json }));
  const refused = inData({ data: '{"a":' }, true);
  expect(refused.ok ? '' : refused.error.detail).toMatch(/^The form field `data` is not valid JSON/);
});

it('JSON in a field that is the whole payload that is not there leaves the payload as it is: the same sender also posts plain JSON', () => {
  for (const payload of [{ heartbeat: { status: 0 } }, { data: { a: 1 } }])
    expect(inData(payload, false)).toEqual(ok(null));
});

it('JSON in a field that is the whole payload called `payload` is one of its own in every form, and not in JSON', () => {
  expect(jsonInForm({ payload: '{"a":1}' }, {}, true)).toEqual(ok({ json: { a: 1 } }));
  for (const form of [{ payload: 'a' }, { payload: ['{}', '{}'] }, { payload: '{}', more: '1' }, 'payload'])
    expect(jsonInForm(form, {}, true)).toEqual(ok(null));
  expect(jsonInForm({ payload: '{"a":1}' }, {}, false)).toEqual(ok(null));
});

const inMessage = { json_texts: ['Message', 'a.b.c'] };

it('a text that holds JSON becomes what it holds, in its place, and what was sent stays as it was', () => {
  const form = { formID: '1', rawRequest: '{"q3_name":{"first":"Ada"}}' };
  const read = { formID: '1', rawRequest: { q3_name: { first: 'Ada' } } };
  expect(withTextsRead(form, { json_texts: ['rawRequest'] })).toEqual(ok(read));
  const sent = { list: ['{"a":1}', 2], more: { text: '[]' } };
  const before = structuredClone(sent);
  const made = withTextsRead(sent, { json_texts: ['list.0', 'more.text'] });
  expect([made, sent]).toEqual([ok({ list: [{ a: 1 }, 2], more: { text: [] } }), before]);
});

it('a text that may hold JSON and is just a text stays one, and is looked for in vain elsewhere', () => {
  const texts = ['hello', '{not json', '"text"', '12', '', '[1,'].map((Message) => ({ Message }));
  for (const payload of [...texts, null, 'text', [], { Message: 5 }, {}])
    expect(withTextsRead(structuredClone(payload), inMessage)).toEqual(ok(payload));
});

it('a text that holds JSON that is nested too deep is refused like a body that is, and keeps `__proto__` a plain key', () => {
  const deep = { Message: `${'['.repeat(200)}${']'.repeat(200)}` };
  expect(withTextsRead(deep, inMessage)).toMatchObject({ ok: false, error: { status: 400 } });
  const result = withTextsRead({ m: '{"__proto__":{"admin":true}}' }, { json_texts: ['m'] });
  const held = ownValue(result.ok ? result.value : null, 'm');
  expect(JSON.stringify(held)).toBe('{"__proto__":{"admin":true}}');
  expect(ownValue(held, 'admin')).toBeUndefined();
});

const readBase64 = (data: unknown) =>
  withTextsRead({ message: { data } }, { base64_texts: ['message.data'] });

const base64 = (text: string): string => encode(bytesOf(text), 'base64');

it('a text in base64 is decoded, once, and JSON in it is parsed; what is none remains as it was sent', () => {
  for (const [data, held] of [
    [base64('{"a":[1,"ü"]}'), { a: [1, 'ü'] }],
    [base64('Grüße 👋'), 'Grüße 👋'],
    [base64('{"not": JSON'), '{"not": JSON'],
    ['', ''],
    [base64('{"a":12}').replace(/=+$/, ''), { a: 12 }],
    [base64(base64('{"a":1}')), base64('{"a":1}')],
  ] as const)
    expect(readBase64(data)).toEqual(ok({ message: { data: held } }));
  for (const data of ['not base64!', encode(Uint8Array.of(0xff, 0xfe, 0x80), 'base64'), 12, null])
    expect(readBase64(data)).toEqual(ok({ message: { data } }));
  const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`;
  expect(readBase64(base64(deep))).toMatchObject({ ok: false, error: { status: 400 } });
});
