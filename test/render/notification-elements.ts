import type { NotificationElement } from '../../src/render/notification-scope.ts';

const STARTED = '2026-11-21T06:00:00.000Z';

/** An incident that is open, as far as a test is about it. */
export const elementOf = (item: unknown, over: Partial<NotificationElement> = {}): NotificationElement => ({
  item,
  event: { id: 'evt_1', type: 'alert', source: 'shop', received_at: STARTED, dedupe_key: null },
  started_at: STARTED,
  resolved_at: null,
  duration_ms: 60_000,
  occurrences: 1,
  key: 'k',
  flapping: false,
  changes: 1,
  ...over,
});
