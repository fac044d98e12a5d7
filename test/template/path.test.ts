import { describe, expect, it } from 'vitest';
import { compilePath, readPath } from '../../src/template/path.ts';
import { GERMAN, scopeOf } from './helpers.ts';

function read(expression: string, payload: unknown = {}): unknown {
  const path = compilePath(expression);
  if (!path.ok) return path.error;
  const result = readPath(path.value, scopeOf(payload), GERMAN);
  return result.ok ? result.value : result.error;
}

describe('a path', () => {
  const alerts = [{ status: 'firing' }, { status: 'resolved' }];

  it('answers the value itself', () => {
    expect(read('payload.alerts', { alerts })).toBe(alerts);
    expect(read('payload.alerts[1].status', { alerts })).toBe('resolved');
    expect(read('payload.alerts', {})).toBeUndefined();
  });

  it('may have filters', () => {
    expect(read('payload.alerts | where: "status", "firing"', { alerts })).toEqual([{ status: 'firing' }]);
    expect(read('payload.list | split: ","', { list: 'a,b' })).toEqual(['a', 'b']);
  });

  it('is no condition', () => {
    expect(read('payload.a == 1')).toBe('column 11: unexpected `=`: expected a filter or the end');
  });

  it('fails with the expression and the reason', () => {
    expect(read('payload.a | pluck: "b"', { a: 1 })).toBe(
      'payload.a | pluck: "b": pluck: the value is not a list',
    );
  });
});
