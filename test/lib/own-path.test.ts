import { describe, expect, it } from 'vitest';
import { ownValue, scalarText } from '../../src/lib/own-path.ts';

describe('ownValue', () => {
  it('follows objects and lists', () => {
    expect(ownValue({ data: [{ id: 7 }] }, 'data.0.id')).toBe(7);
  });

  it.each(['constructor', 'constructor.name', '__proto__', 'toString', 'a.length.toFixed'])(
    'finds nothing inherited at %s',
    (path) => {
      expect(ownValue({ a: 'text' }, path)).toBeUndefined();
    },
  );

  it('finds an own property of JSON whatever it is called', () => {
    expect(ownValue(JSON.parse('{"__proto__": {"id": "x"}}'), '__proto__.id')).toBe('x');
  });

  it.each([null, undefined, 'text', 3, []])('finds nothing in %j', (data) => {
    expect(ownValue(data, 'id')).toBeUndefined();
  });
});

describe('scalarText', () => {
  it('writes numbers as JSON does and leaves text alone', () => {
    expect([scalarText('a'), scalarText(''), scalarText(1_676_056_940_508), scalarText(0)]).toEqual([
      'a',
      '',
      '1676056940508',
      '0',
    ]);
  });

  it.each([null, undefined, true, {}, [], ['a'], Number.NaN])('makes no text of %j', (value) => {
    expect(scalarText(value)).toBeNull();
  });
});
