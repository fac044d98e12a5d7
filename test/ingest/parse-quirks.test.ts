import { describe, expect, it } from 'vitest';
import { undoQuirks } from '../../src/ingest/parse-quirks.ts';
import { ok } from '../../src/lib/result.ts';
import { ownValue } from '../../src/signature/own-path.ts';

describe('JSON in a field that is the whole payload', () => {
  it('takes the form’s place', () => {
    const form = { data: '{"heartbeat":{"status":0}}', more: '1' };
    expect(undoQuirks(form, { json_field: 'data' })).toEqual(ok({ heartbeat: { status: 0 } }));
  });

  it('that is not there leaves the payload as it is: the same sender also posts plain JSON', () => {
    const payload = { heartbeat: { status: 0 } };
    expect(undoQuirks(payload, { json_field: 'data' })).toEqual(ok(payload));
    expect(undoQuirks({ data: { a: 1 } }, { json_field: 'data' })).toEqual(ok({ data: { a: 1 } }));
  });

  it('that is malformed is refused, and the refusal says where', () => {
    const refused = undoQuirks({ data: '{"a":' }, { json_field: 'data' });
    expect(refused.ok ? '' : refused.error.detail).toMatch(/^The form field `data` is not valid JSON/);
  });
});

describe('a text that holds JSON', () => {
  it('becomes what it holds, in its place', () => {
    const form = { formID: '1', rawRequest: '{"q3_name":{"first":"Ada"}}' };
    expect(undoQuirks(form, { json_texts: ['rawRequest'] })).toEqual(
      ok({ formID: '1', rawRequest: { q3_name: { first: 'Ada' } } }),
    );
    expect(undoQuirks({ a: { b: '[1]' } }, { json_texts: ['a.b'] })).toEqual(ok({ a: { b: [1] } }));
  });

  it.each(['hello', '{not json', '"text"', '12', '', '[1,'])('and is just a text stays one: %j', (text) => {
    expect(undoQuirks({ Message: text }, { json_texts: ['Message'] })).toEqual(ok({ Message: text }));
  });

  it.each([[null], ['text'], [[]], [{ Message: 5 }], [{}]])('is looked for in vain in %j', (payload) => {
    expect(undoQuirks(structuredClone(payload), { json_texts: ['Message', 'a.b.c'] })).toEqual(ok(payload));
  });

  it('that is nested too deep is refused like a body that is', () => {
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
    expect(undoQuirks({ Message: deep }, { json_texts: ['Message'] })).toMatchObject({
      ok: false,
      error: { status: 400 },
    });
  });

  it('keeps `__proto__` a plain key', () => {
    const result = undoQuirks({ m: '{"__proto__":{"admin":true}}' }, { json_texts: ['m'] });
    const held = ownValue(result.ok ? result.value : null, 'm');
    expect(JSON.stringify(held)).toBe('{"__proto__":{"admin":true}}');
    expect(ownValue(held, 'admin')).toBeUndefined();
  });
});
