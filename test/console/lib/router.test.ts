import { expect, test } from 'vitest';
import { addressOf, match } from '../../../console/lib/router.ts';

test('a pattern matches an address of its length, and gives its parts', () => {
  expect(match('/events/:id', '/events/evt_1')).toEqual({ id: 'evt_1' });
  expect(match('/events/:id', '/events')).toBeNull();
  expect(match('/events/:id', '/events/evt_1/x')).toBeNull();
  expect(match('/', '/')).toEqual({});
});

test('parts are decoded; one that cannot be is left as it is', () => {
  expect(match('/templates/:name', '/templates/a%20b')).toEqual({ name: 'a b' });
  expect(match('/templates/:name', '/templates/100%')).toEqual({ name: '100%' });
});

test('an address has the filters that are set, and no others', () => {
  expect(addressOf('/events', { source: 'stripe', state: '', type: undefined })).toBe(
    '/admin/events?source=stripe',
  );
  expect(addressOf('/')).toBe('/admin');
});
