import { describe, expect, it } from 'vitest';
import { bodyFields, bodyItems } from '../../src/signature/body-fields.ts';
import { requestOf } from './support.ts';

const json = (body: string | Uint8Array) => bodyFields(requestOf({ body }));
const form = (body: string) =>
  bodyFields(
    requestOf({ body, headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' } }),
  );

describe('bodyFields', () => {
  it('reads text and numbers of JSON, by path', () => {
    const fields = json('{"signature": {"timestamp": 1529006854, "token": "a8ce", "list": ["x"]}}');
    expect(fields('signature.timestamp')).toEqual({ ok: true, value: '1529006854' });
    expect(fields('signature.token')).toEqual({ ok: true, value: 'a8ce' });
    expect(fields('signature.list.0')).toEqual({ ok: true, value: 'x' });
  });

  it('reads a field of a form by its whole name', () => {
    expect(form('a=1&signature.token=a%20b%2B')('signature.token')).toEqual({ ok: true, value: 'a b+' });
  });

  it('refuses a form field that is given twice', () => {
    expect(form('token=a&token=b')('token')).toMatchObject({ ok: false, error: { reason: 'malformed' } });
  });

  it.each([
    ['absent', json('{}'), 'missing_field'],
    ['inherited', json('{"a": 1}'), 'missing_field'],
    ['no text', json('{"toString": {"a": 1}}'), 'missing_field'],
    ['in a form of too many', form('toString=1&'.repeat(5_000)), 'malformed'],
    ['absent from a form', form('a=1'), 'missing_field'],
    ['in a body that is not JSON', json('a=1'), 'malformed'],
    ['in no body', json(''), 'malformed'],
    ['in a body that is not UTF-8', json(Uint8Array.of(0x22, 0xff, 0x22)), 'malformed'],
  ])('refuses a field that is %s', (_, fields, reason) => {
    expect(fields('toString')).toMatchObject({ ok: false, error: { reason } });
  });

  it('survives nesting that no parser likes', () => {
    const deep = json('['.repeat(200_000))('id');
    expect(deep).toMatchObject({ ok: false, error: { reason: 'malformed' } });
  });
});

const items = (body: string, headers: Record<string, string> = {}) =>
  bodyItems(requestOf({ body, headers }), 'data.list', 3);

describe('bodyItems', () => {
  it('gives the elements of a list', () => {
    expect(items('{"data":{"list":[1,{"a":2}]}}')).toEqual({ ok: true, value: [1, { a: 2 }] });
  });

  it.each([
    ['{}', 'missing_field', 'body field data.list is missing'],
    ['{"data":{"list":null}}', 'malformed', 'body field data.list is not a list'],
    ['{"data":{"list":{"0":1}}}', 'malformed', 'body field data.list is not a list'],
    ['{"data":{"list":[]}}', 'missing_field', 'body field data.list is an empty list'],
    ['{"data":{"list":[1,2,3,4]}}', 'malformed', 'body field data.list has more than 3 elements'],
    ['data.list=1', 'malformed', 'the body, which carries a part of the signature, is not JSON'],
  ])('refuses %s', (body, reason, detail) => {
    expect(items(body)).toEqual({ ok: false, error: { reason, detail } });
  });
});
