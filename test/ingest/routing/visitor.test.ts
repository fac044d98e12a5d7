import { describe, expect, it } from 'vitest';
import { linksVisitor, visitorScope } from '../../../src/ingest/routing/visitor.ts';
import type { Scope } from '../../../src/template/basics/scope.ts';

const scopeOf = (payload: unknown): Scope => ({
  payload,
  event: {
    id: 'evt_1',
    type: 't',
    source: 'contact',
    received_at: '2026-01-01T00:00:00Z',
    dedupe_key: 'words',
  },
  headers: { referer: 'https://shop.example/' },
  query: { a: 'b' },
});

const nameOf = (name: unknown): unknown =>
  Reflect.get(Object(visitorScope(scopeOf({ name, message: 'words' }), { names: ['name'] }).payload), 'name');

describe('a message to a visitor', () => {
  it('sees nothing of the form but names', () => {
    const { payload, headers, query, event } = visitorScope(scopeOf({ name: 'Ada', message: 'words' }), {
      names: ['name'],
    });
    expect({ payload, headers, query }).toEqual({ payload: { name: 'Ada' }, headers: {}, query: {} });
    expect(event).toMatchObject({ id: 'evt_1', type: null, dedupe_key: null });
  });

  it('has no link, number to call, formatting or lines in a name, no long one, and none that is no text', () => {
    for (const [name, shown] of [
      ['Ada https://evil.example/x', 'Ada'],
      ['evil.example', 'evil. example'],
      ['Ada 0900 123456', 'Ada'],
      ['*Ada* ~x~', 'Ada x'],
      ['Ada\n\nLovelace', 'Ada Lovelace'],
      ['x'.repeat(80), 'x'.repeat(39) + '…'],
      [{}, undefined],
      [['a'], undefined],
      [7, undefined],
      [null, undefined],
    ] as const)
      expect([name, nameOf(name)]).toEqual([name, shown]);
  });

  it('is found out when name and text make a link together', () => {
    expect(linksVisitor([{ message: 'evil.com' }])).toBe(true);
    expect(linksVisitor([{ message: 'https://shop.example' }])).toBe(true);
    expect(linksVisitor([{ message: 'Thank you, Dr. Who! Back at 9.00, z.B. on Monday.' }])).toBe(false);
  });
});
