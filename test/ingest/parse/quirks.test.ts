import { describe, expect, it } from 'vitest';
import { jsonInForm, withTextsRead } from '../../../src/ingest/parse/quirks.ts';
import { ok } from '../../../src/lib/result.ts';
import { ownValue } from '../../../src/lib/own-path.ts';
import { bytesOf, encode } from '../../signature/support.ts';

describe('JSON in a field that is the whole payload', () => {
  it('takes the place of the form', () => {
    const form = { data: '{"heartbeat":{"status":0}}', more: '1' };
    expect(jsonInForm(form, { json_field: 'data' }, true)).toEqual(
      ok({ json: { heartbeat: { status: 0 } } }),
    );
  });

  it('that is not there leaves the payload as it is: the same sender also posts plain JSON', () => {
    expect(jsonInForm({ heartbeat: { status: 0 } }, { json_field: 'data' }, false)).toEqual(ok(null));
    expect(jsonInForm({ data: { a: 1 } }, { json_field: 'data' }, false)).toEqual(ok(null));
  });

  it('that is malformed is refused, and the refusal says where', () => {
    const refused = jsonInForm({ data: '{"a":' }, { json_field: 'data' }, true);
    expect(refused.ok ? '' : refused.error.detail).toMatch(/^The form field `data` is not valid JSON/);
  });

  it('called `payload` is one of its own in every form, and not in JSON', () => {
    expect(jsonInForm({ payload: '{"a":1}' }, {}, true)).toEqual(ok({ json: { a: 1 } }));
    for (const form of [{ payload: 'a' }, { payload: ['{}', '{}'] }, { payload: '{}', more: '1' }, 'payload'])
      expect(jsonInForm(form, {}, true)).toEqual(ok(null));
    expect(jsonInForm({ payload: '{"a":1}' }, {}, false)).toEqual(ok(null));
  });
});

describe('a text that holds JSON', () => {
  it('becomes what it holds, in its place', () => {
    const form = { formID: '1', rawRequest: '{"q3_name":{"first":"Ada"}}' };
    expect(withTextsRead(form, { json_texts: ['rawRequest'] })).toEqual(
      ok({ formID: '1', rawRequest: { q3_name: { first: 'Ada' } } }),
    );
    expect(withTextsRead({ a: { b: '[1]' } }, { json_texts: ['a.b'] })).toEqual(ok({ a: { b: [1] } }));
  });

  it('leaves what was sent as it was', () => {
    const sent = { list: ['{"a":1}', 2], more: { text: '[]' } };
    const before = structuredClone(sent);
    const made = withTextsRead(sent, { json_texts: ['list.0', 'more.text'] });
    expect(made).toEqual(ok({ list: [{ a: 1 }, 2], more: { text: [] } }));
    expect(sent).toEqual(before);
  });

  it.each(['hello', '{not json', '"text"', '12', '', '[1,'])('and is just a text stays one: %j', (text) => {
    expect(withTextsRead({ Message: text }, { json_texts: ['Message'] })).toEqual(ok({ Message: text }));
  });

  it.each([[null], ['text'], [[]], [{ Message: 5 }], [{}]])('is looked for in vain in %j', (payload) => {
    expect(withTextsRead(structuredClone(payload), { json_texts: ['Message', 'a.b.c'] })).toEqual(
      ok(payload),
    );
  });

  it('that is nested too deep is refused like a body that is', () => {
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
    expect(withTextsRead({ Message: deep }, { json_texts: ['Message'] })).toMatchObject({
      ok: false,
      error: { status: 400 },
    });
  });

  it('keeps `__proto__` a plain key', () => {
    const result = withTextsRead({ m: '{"__proto__":{"admin":true}}' }, { json_texts: ['m'] });
    const held = ownValue(result.ok ? result.value : null, 'm');
    expect(JSON.stringify(held)).toBe('{"__proto__":{"admin":true}}');
    expect(ownValue(held, 'admin')).toBeUndefined();
  });
});

const base64 = (text: string): string => encode(bytesOf(text), 'base64');
const read = (data: unknown) => withTextsRead({ message: { data } }, { base64_texts: ['message.data'] });
const holding = (data: unknown) => ok({ message: { data } });

describe('texts in base64', () => {
  it('are decoded, and JSON in them is parsed', () => {
    expect(read(base64('{"a":[1,"ü"]}'))).toEqual(holding({ a: [1, 'ü'] }));
    expect(read(base64('Grüße 👋'))).toEqual(holding('Grüße 👋'));
    expect(read(base64('{"not": JSON'))).toEqual(holding('{"not": JSON'));
    expect(read('')).toEqual(holding(''));
  });

  it('need no padding', () => {
    expect(read(base64('{"a":12}').replace(/=+$/, ''))).toEqual(holding({ a: 12 }));
  });

  it.each([
    ['no base64', 'not base64!'],
    ['no text inside', encode(Uint8Array.of(0xff, 0xfe, 0x80), 'base64')],
    ['a number', 12],
    ['nothing', null],
  ])('remain as they were sent: %s', (_, data) => {
    expect(read(data)).toEqual(holding(data));
  });

  it('are read once: what is base64 inside remains', () => {
    expect(read(base64(base64('{"a":1}')))).toEqual(holding(base64('{"a":1}')));
  });

  it('have the limits of JSON', () => {
    const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`;
    expect(read(base64(deep))).toMatchObject({ ok: false, error: { status: 400 } });
  });
});
