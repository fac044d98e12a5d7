import { describe, expect, it } from 'vitest';
import { bodyFields } from '../../../src/signature/signed/body-fields.ts';
import { readPlace } from '../../../src/signature/signed/place.ts';
import type { SignedPlace } from '../../../src/signature/signed/signed-template.ts';
import { requestOf } from '../support.ts';

const request = requestOf({
  url: 'https://hooks.example.com/hooks/shop?id=7&twice=1&twice=2&empty=&name=ORD01',
  headers: { 'X-B': 'b', 'X-C': 'c', 'X-Empty': '' },
  body: '{"id": 9}',
});
const item = { a: { b: 'c' }, yes: true, none: null };
const params = new Map([
  ['t', ['12']],
  ['twice', ['1', '2']],
]);
const read = (place: SignedPlace) =>
  readPlace(place, { request, fields: bodyFields({ id: 9 }), parsed: null, params, item });

describe('readPlace', () => {
  it.each([
    ['a header in any case', { kind: 'header', names: ['x-b'] }, 'b'],
    ['the first header that is there', { kind: 'header', names: ['X-A', 'X-C', 'X-B'] }, 'c'],
    ['the first header that is not empty', { kind: 'header', names: ['X-Empty', 'X-B'] }, 'b'],
    ['a query parameter', { kind: 'query', name: 'id' }, '7'],
    ['a field of the body', { kind: 'body', path: 'id' }, '9'],
    ['a query parameter in lower case', { kind: 'query', name: 'name', lower: true }, 'ord01'],
    ['a value of the element', { kind: 'item', path: 'a.b' }, 'c'],
    ['a boolean of the element', { kind: 'item', path: 'yes' }, 'true'],
    ['a parameter of the signature', { kind: 'sig', key: 't' }, '12'],
  ] as const)('reads %s', (_, place, value) => {
    expect(read(place)).toEqual({ ok: true, value });
  });

  it.each([
    [
      'an absent header',
      { kind: 'header', names: ['X-A', 'X-Empty'] },
      'missing_header',
      'header X-A or X-Empty is missing',
    ],
    [
      'an absent query parameter',
      { kind: 'query', name: 'a' },
      'missing_field',
      'query parameter a is missing',
    ],
    [
      'a repeated query parameter',
      { kind: 'query', name: 'twice' },
      'malformed',
      'query parameter twice appears more than once',
    ],
    [
      'an absent field',
      { kind: 'body', path: 'a' },
      'missing_field',
      'body field a is missing, or not a text or number',
    ],
    ['an absent value', { kind: 'item', path: 'a.x' }, 'missing_field', 'body field a.x is missing'],
    ['a value of null', { kind: 'item', path: 'none' }, 'missing_field', 'body field none is missing'],
    ['an object', { kind: 'item', path: 'a' }, 'malformed', 'body field a is not a text, number or boolean'],
    ['an absent parameter', { kind: 'sig', key: 'a' }, 'missing_field', 'signature parameter a is missing'],
    [
      'a repeated parameter',
      { kind: 'sig', key: 'twice' },
      'malformed',
      'signature parameter twice appears more than once',
    ],
  ] as const)('refuses %s', (_, place, reason, detail) => {
    expect(read(place)).toEqual({ ok: false, error: { reason, detail } });
  });
});
