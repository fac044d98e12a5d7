import { expect, it } from 'vitest';
import { restoredEvent } from '../../../src/admin/messages/stored-event.ts';
import type { StoredEvent } from '../../../src/outbox/read/views.ts';
import { sourceOf } from '../../ingest/support.ts';

it('an event is restored with the time and the key that it had', () => {
  const receivedAt = Date.now();
  const stored: StoredEvent = {
    id: 'evt_1',
    source: 'shop',
    type: 'paid',
    state: 'routed',
    received_at: new Date(receivedAt).toISOString(),
    dedupe_key: 'k',
    duplicates: 0,
    config_version: 1,
    stored: true,
    payload: '{"a":{"__proto__":1}}',
    headers: '{"x-a":"1"}',
    query: '{}',
    messages: [],
  };
  const event = restoredEvent(stored, sourceOf(), 'evt_2');
  expect(event).toMatchObject({
    id: 'evt_2',
    type: 'paid',
    receivedAt,
    dedupeKey: 'k',
    headers: { 'x-a': '1' },
    query: {},
  });
  const { dedupe_key: _, ...keyless } = stored;
  expect(restoredEvent(keyless, sourceOf(), 'evt_3').dedupeKey).toBeNull();
});
