import { describe, expect, it } from 'vitest';
import { bodyFields, bodyItems, noFields, readParsed } from '../../../src/signature/signed/body-fields.ts';
import { requestOf } from '../support.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };

async function fieldOf(path: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  const parsed = await readParsed(requestOf({ body, headers }));
  return parsed.ok ? bodyFields(parsed.value.payload)(path) : parsed;
}

describe('bodyFields', () => {
  it('reads text and numbers of JSON, by path', () => {
    const fields = bodyFields({ signature: { timestamp: 1529006854, token: 'a8ce' } });
    expect(fields('signature.timestamp')).toEqual({ ok: true, value: '1529006854' });
    expect(fields('signature.token')).toEqual({ ok: true, value: 'a8ce' });
  });

  it('reads a field of a form', async () => {
    expect(await fieldOf('token', 'a=1&token=a%20b%2B', FORM)).toEqual({ ok: true, value: 'a b+' });
  });

  it('does not take a form’s dotted name for a path: templates and event ids do not either', async () => {
    expect(await fieldOf('signature.token', 'signature.token=x', FORM)).toMatchObject({
      ok: false,
      error: { reason: 'missing_field' },
    });
  });

  it('reads no JSON under a type by which it would be text for everybody else', async () => {
    expect(await fieldOf('token', '{"token":"x"}', { 'Content-Type': 'text/plain' })).toMatchObject({
      ok: false,
      error: { reason: 'missing_field' },
    });
  });

  it('refuses a form field that is given twice', async () => {
    expect(await fieldOf('token', 'token=a&token=b', FORM)).toMatchObject({
      ok: false,
      error: { reason: 'malformed' },
    });
  });

  it.each([
    ['absent', '{}', {}, 'missing_field'],
    ['inherited', '{"a": 1}', {}, 'missing_field'],
    ['no text', '{"toString": {"a": 1}}', {}, 'missing_field'],
    ['absent from a form', 'a=1', FORM, 'missing_field'],
    ['in a body that is neither', 'a=1', {}, 'malformed'],
    ['in no body', '', {}, 'missing_field'],
    ['in a body that is not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), {}, 'malformed'],
    ['nested as no parser likes', '['.repeat(200_000), {}, 'malformed'],
  ])('refuses a field that is %s', async (_, body, headers, reason) => {
    expect(await fieldOf('toString', body, headers)).toMatchObject({ ok: false, error: { reason } });
  });

  it('gives nothing to a scheme that said it would not ask', () => {
    expect(noFields('a')).toMatchObject({ ok: false, error: { reason: 'misconfigured' } });
  });
});

describe('bodyItems', () => {
  it('gives the elements of a list', () => {
    expect(bodyItems({ data: { list: [1, { a: 2 }] } }, 'data.list', 3)).toEqual({
      ok: true,
      value: [1, { a: 2 }],
    });
  });

  it.each([
    [{}, 'missing_field', 'body field data.list is missing'],
    [{ data: { list: null } }, 'malformed', 'body field data.list is not a list'],
    [{ data: { list: { 0: 1 } } }, 'malformed', 'body field data.list is not a list'],
    [{ data: { list: [] } }, 'missing_field', 'body field data.list is an empty list'],
    [{ data: { list: [1, 2, 3, 4] } }, 'malformed', 'body field data.list has more than 3 elements'],
  ])('refuses %j', (payload, reason, detail) => {
    expect(bodyItems(payload, 'data.list', 3)).toEqual({ ok: false, error: { reason, detail } });
  });
});
