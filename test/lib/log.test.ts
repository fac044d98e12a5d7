import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeError, log } from '../../src/lib/log.ts';

afterEach(() => vi.restoreAllMocks());

describe('log', () => {
  it.each(['info', 'warn', 'error'] as const)('writes one JSON line to console.%s', (level) => {
    const write = vi.spyOn(console, level).mockImplementation(() => undefined);
    log(level, 'event.accepted', { source: 'shop', messages: 2, duplicate: false, account: null });
    expect(write.mock.calls).toEqual([
      ['{"stage":"event.accepted","source":"shop","messages":2,"duplicate":false,"account":null}'],
    ]);
  });

  it('stays one line whatever a value holds', () => {
    const write = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    log('error', 'x', { error: 'two\nlines"}' });
    expect(write.mock.calls[0]?.[0]).not.toContain('\n');
  });
});

describe('describeError', () => {
  it.each([
    [new TypeError('no such thing'), 'TypeError: no such thing'],
    ['just text', 'just text'],
    [undefined, 'undefined'],
  ])('of %o is %j', (thrown, text) => {
    expect(describeError(thrown)).toBe(text);
  });
});
