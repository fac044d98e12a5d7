import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutFields } from '../../src/signature/scheme.ts';

const field = (path: string, items?: string) => [{ items, path }];
const ITEMS = { value: [{ id: 1, s: 'x' }, { id: 2, s: 'x' }, 3] };
const DEEP = { data: { list: [{ item: { id: 1, add: { sig: 's', other: 1 } } }] } };

it.each([
  ['a field', { a: 1, token: 't' }, field('token'), { a: 1 }],
  ['a field of an object', { s: { token: 'id', sig: 's' } }, field('s.sig'), { s: { token: 'id' } }],
  ['a form field, by its whole name', { 'sig.token': 't', a: 1 }, field('sig.token'), { a: 1 }],
  ['a field of each element', ITEMS, field('s', 'value'), { value: [{ id: 1 }, { id: 2 }, 3] }],
  [
    'a deep field of each element of a deep list',
    DEEP,
    field('item.add.sig', 'data.list'),
    { data: { list: [{ item: { id: 1, add: { other: 1 } } }] } },
  ],
  ['an element, which leaves its place', { keys: ['k', 'l'] }, field('keys.0'), { keys: [null, 'l'] }],
  ['a field in an element of a list', [{ t: 1 }, { t: 2 }], field('1.t'), [{ t: 1 }, {}]],
  ['several', { a: 1, b: 2, c: 3 }, [...field('a'), ...field('c')], { b: 2 }],
])('takes out %s', (_, payload, fields, expected) => {
  expect(withoutFields(payload, fields)).toEqual(expected);
});

it.each([
  ['text', 'token=t', field('token')],
  ['null', null, field('a')],
  ['a path that leads nowhere', { a: { b: 1 } }, field('a.b.c')],
  ['a list that is none', { value: { s: 1 } }, field('s', 'value')],
  ['an inherited name', { a: 1 }, field('toString')],
  ['the length of a list', { value: [1, 2] }, field('value.length')],
  ['no field at all', { a: 1 }, []],
  ['an object, which is no credential', { signature: { token: 't' } }, field('signature')],
])('leaves %s as it is', (_, payload, fields) => {
  expect(withoutFields(payload, fields)).toEqual(payload);
});

it('keeps a key that is called like what objects inherit from', () => {
  const payload: unknown = JSON.parse('{"__proto__":{"a":1},"x":{"t":1,"__proto__":2}}');
  const without = JSON.stringify(withoutFields(payload, field('x.t')));
  expect(without).toBe('{"__proto__":{"a":1},"x":{"__proto__":2}}');
});

it('never throws, whatever the payload and the path, changes nothing of it, and shares what it leaves', () => {
  const paths = fc.stringMatching(/^[a-z0-9_]{1,4}(\.[a-z0-9_]{1,4}){0,3}$/);
  fc.assert(
    fc.property(fc.jsonValue(), paths, fc.option(paths), (payload, path, items) => {
      const before = JSON.stringify(payload);
      withoutFields(payload, field(path, items ?? undefined));
      expect(JSON.stringify(payload)).toBe(before);
    }),
  );
  const big = { a: 1 };
  expect(Reflect.get(Object(withoutFields({ big, value: [{ s: 1 }] }, field('s', 'value'))), 'big')).toBe(
    big,
  );
});
