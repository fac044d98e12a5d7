import type { ToldElement } from '../../src/render/told-scope.ts';

/** An incident that burns, as far as a test is about it. */
export const elementOf = (item: unknown, over: Partial<ToldElement> = {}): ToldElement => ({
  item,
  event: {
    id: 'evt_1',
    type: 'alert',
    source: 'shop',
    received_at: '2026-11-21T06:00:00.000Z',
    dedupe_key: null,
  },
  opened_at: '2026-11-21T06:00:00.000Z',
  ended_at: null,
  burned_ms: 60_000,
  times: 1,
  key: 'k',
  flapping: false,
  changes: 1,
  ...over,
});
