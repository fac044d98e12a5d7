import { expect, it } from 'vitest';
import { eventScope } from '../../../src/ingest/request/event.ts';
import { eventOf, NOW, sourceOf } from '../support.ts';

it('templates see payload, event, headers and query, each under its own name', () => {
  const event = eventOf(sourceOf(), {
    dedupeKey: 'order-1',
    payload: { headers: 'posing', event: { type: 'posing' } },
    headers: { 'x-shop': 'a' },
    query: { lang: 'de' },
  });
  expect(eventScope(event)).toEqual({
    payload: { headers: 'posing', event: { type: 'posing' } },
    event: {
      id: 'evt_1',
      type: 'order.paid',
      source: 'shop',
      received_at: new Date(NOW).toISOString(),
      dedupe_key: 'order-1',
    },
    headers: { 'x-shop': 'a' },
    query: { lang: 'de' },
  });
});

it('nothing of the source beside its name is there to be read', () => {
  const source = sourceOf({ verify: { scheme: 'basic' }, secrets: ['BASIC_SECRET'] });
  expect(JSON.stringify(eventScope(eventOf(source)))).not.toContain('BASIC_SECRET');
});

it('each event has its own time, also when two are distinguished by a millisecond only', () => {
  const times = [NOW, NOW + 1, NOW, 0].map(
    (receivedAt) => eventScope(eventOf(sourceOf(), { receivedAt })).event,
  );
  expect(times.map(({ received_at }) => received_at)).toEqual(
    [NOW, NOW + 1, NOW, 0].map((ms) => new Date(ms).toISOString()),
  );
});
