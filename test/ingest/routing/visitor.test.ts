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

  it.each([
    ['a link', 'Ada https://evil.example/x', 'Ada'],
    ['a host', 'evil.example', 'evil. example'],
    ['a number to call', 'Ada 0900 123456', 'Ada'],
    ['formatting', '*Ada* ~x~', 'Ada x'],
    ['lines', 'Ada\n\nLovelace', 'Ada Lovelace'],
  ])('has no %s in a name', (_, name, shown) => {
    expect(nameOf(name)).toBe(shown);
  });

  it('has no long name', () => {
    expect(String(nameOf('x'.repeat(80)))).toHaveLength(40);
  });

  it.each([{}, ['a'], 7, null])('has no name that is %j', (name) => {
    expect(nameOf(name)).toBeUndefined();
  });

  it('is found out when name and text make a link together', () => {
    expect(linksVisitor([{ message: 'evil.com' }])).toBe(true);
    expect(linksVisitor([{ message: 'https://shop.example' }])).toBe(true);
    expect(linksVisitor([{ message: 'Thank you, Dr. Who! Back at 9.00, z.B. on Monday.' }])).toBe(false);
  });
});
