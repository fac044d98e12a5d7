import { describe, expect, it } from 'vitest';
import { lazyRecord } from '../../src/lib/lazy-record.ts';

function sample() {
  const made: string[] = [];
  const record = lazyRecord({ a: '1', b: '2' }, (text) => {
    made.push(text);
    return { text };
  });
  return { made, record };
}

describe('a record of texts', () => {
  it('makes a value at its first use, and once', () => {
    const { made, record } = sample();
    expect(Object.keys(record)).toEqual(['a', 'b']);
    expect(Object.hasOwn(record, 'b')).toBe(true);
    expect(made).toEqual([]);
    expect(record['b']).toEqual({ text: '2' });
    expect(record['b']).toBe(record['b']);
    expect(made).toEqual(['2']);
  });

  it('has the values of all when all are asked for', () => {
    expect(Object.values(sample().record)).toEqual([{ text: '1' }, { text: '2' }]);
  });

  it('has nothing else, and what every object has', () => {
    const { record } = sample();
    expect(record['c']).toBeUndefined();
    expect(Object.hasOwn(record, 'constructor')).toBe(false);
    expect(record.constructor).toBe(Object);
  });
});
