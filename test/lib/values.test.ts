import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCache } from '../../src/lib/cache.ts';
import { equalsInConstantTime } from '../../src/lib/constant-time.ts';
import { lazyRecord, parseOwnJson, ownValue } from '../../src/lib/json.ts';
import { personName } from '../../src/lib/person-name.ts';

it('a value that is kept in a cache is made once, and the oldest is forgotten when it is full', () => {
  const made: string[] = [];
  const cached = createCache<number>(2);
  for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) cached(key, () => made.push(key));
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});

it('a value that is kept in a record of texts is made at its first use, and the record has nothing else', () => {
  const made: string[] = [];
  const record = lazyRecord({ a: '1', b: '2' }, (text) => ({ text, at: made.push(text) }));
  expect(Object.keys(record)).toEqual(['a', 'b']);
  expect([Object.hasOwn(record, 'b'), Object.hasOwn(record, 'constructor')]).toEqual([true, false]);
  expect(made).toEqual([]);
  expect(record['b']).toEqual({ text: '2', at: 1 });
  expect(record['b']).toBe(record['b']);
  expect(record['c']).toBeUndefined();
  expect(Object.values(record)).toEqual([
    { text: '1', at: 2 },
    { text: '2', at: 1 },
  ]);
});

it('values of JSON are what was written, and a row that holds no JSON is a bug and throws', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // JSON writes -0 as 0.
      expect(parseOwnJson<unknown>(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  expect(() => parseOwnJson('{')).toThrow(SyntaxError);
});

it('values of JSON have `__proto__` as a key like any other', () => {
  const read = parseOwnJson<Record<string, unknown>>('{"__proto__":{"polluted":true}}');
  expect([Object.keys(read), read['polluted']]).toEqual([['__proto__'], undefined]);
  expect(ownValue(read, '__proto__.polluted')).toBe(true);
});

it('values of JSON are found along a path of their own properties alone', () => {
  expect(ownValue({ data: [{ id: 7 }] }, 'data.0.id')).toBe(7);
  for (const path of ['constructor', 'constructor.name', '__proto__', 'toString', 'a.length.toFixed'])
    expect(ownValue({ a: 'text' }, path), path).toBeUndefined();
  for (const data of [null, undefined, 'text', 3, []]) expect(ownValue(data, 'id')).toBeUndefined();
});

it('two texts are equal in constant time if they are the same alone, whatever their lengths', async () => {
  const text = fc.string({ unit: 'grapheme' });
  await fc.assert(
    fc.asyncProperty(text, text, async (given, expected) => {
      expect(await equalsInConstantTime(given, expected)).toBe(given === expected);
      expect(await equalsInConstantTime(expected, expected)).toBe(true);
    }),
  );
  for (const given of ['', 'secre', 'secret ', 'SECRET', 'secret\0'])
    expect(await equalsInConstantTime(given, 'secret'), given).toBe(false);
  expect(await equalsInConstantTime('é', 'e\u0301')).toBe(false);
});

it('who did something has the name of a person, and none where a token or a program did it', () => {
  for (const name of ['Ben Müller', 'ben@acme.example']) expect(personName(name)).toBe(name);
  for (const name of ['token', 'operator', 'viewer', 'editor', 'hookbell', 'service:ci.access'])
    expect(personName(name)).toBeNull();
});
