import { expect, test } from 'vitest';
import { changeOnly } from '../../../console/pages/templates/change-only.ts';
import type { EventComparison } from '../../../console/pages/templates/changes.tsx';

const message = (text: string) => ({
  route: 'paid',
  kind: 'text' as const,
  phone: '4915112345678',
  params: { message: text },
});

/** The newest events: what was sent for each, and what the documents would send now. */
const comparison = (...would: readonly string[]): EventComparison => ({
  events: would.map((text, at) => ({
    event: `evt_${at}`,
    type: 'order',
    received_at: '2026-01-01T00:00:00.000Z',
    routes: [{ route: 'paid', result: 'matched', receivers: ['4915112345678'], failures: [] }],
    sent: [{ ...message('Sent long ago'), message: 'msg_1', state: 'sent' }],
    would_send: [message(text)],
    changes: [],
  })),
  warnings: [],
  summary: {
    events: would.length,
    same: 0,
    changed: would.length,
    failed: 0,
    not_comparable: 0,
    left_out: 0,
  },
});

test('a change is compared with what is published now, not with what was once sent', () => {
  const { events, summary } = changeOnly(comparison('New A', 'B'), comparison('A', 'B'));
  expect(summary).toMatchObject({ changed: 1, same: 1 });
  expect(events[0]).toMatchObject({ sent: [{ params: { message: 'A' } }] });
});

test('an event that came in between is compared as it was', () => {
  const { events } = changeOnly(comparison('New A'), { ...comparison(), events: [] });
  expect(events[0]).toMatchObject({ sent: [{ params: { message: 'Sent long ago' } }] });
});

/** The same, with a route that fails in these events. */
const failing = (of: EventComparison, ...which: readonly number[]): EventComparison => ({
  ...of,
  events: of.events.map((event, at) =>
    'sent' in event && which.includes(at)
      ? { ...event, routes: event.routes.map((route) => ({ ...route, result: 'failed' as const })) }
      : event,
  ),
  summary: { ...of.summary, failed: which.length },
});

test('a failure is of this change only if the event does not fail already', () => {
  const { events, summary } = changeOnly(
    failing(comparison('New A', 'B', 'C'), 0, 1, 2),
    failing(comparison('A', 'B', 'C'), 0, 1),
  );
  expect(summary).toMatchObject({ failed: 1, changed: 1, same: 1 });
  expect(events.map((event) => ('routes' in event ? event.routes[0]?.result : null))).toEqual([
    'not_reached',
    'not_reached',
    'failed',
  ]);
});
