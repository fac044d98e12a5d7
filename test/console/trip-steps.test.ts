import { expect, test } from 'vitest';
import { notificationsOf, stepsOf } from '../../console/pages/events/trip-steps.ts';

const FROM = Date.UTC(2026, 0, 1);
const at = (ms: number): string => new Date(FROM + ms).toISOString();

const message = (phone: string, state: string, attempts: readonly object[]) => ({ phone, state, attempts });

test('the trip of an event is its webhook, each attempt in order, and what is still to come', () => {
  const trip = stepsOf(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
    {
      received_at: at(0),
      messages: [
        message('1', 'sent', [
          { at: at(100), duration_ms: 50, outcome: 'busy' },
          { at: at(5_000), duration_ms: 50, outcome: 'sent' },
        ]),
        message('2', 'sent', [{ at: at(200), duration_ms: 50, outcome: 'sent' }]),
        message('3', 'queued', []),
      ],
    } as unknown as Parameters<typeof stepsOf>[0],
    [],
  );
  expect(trip.map(({ is, phone, at: time }) => [is, phone, time === null ? null : time - FROM])).toEqual([
    ['received', null, 0],
    ['failed', '1', 150],
    ['sent', '2', 250],
    ['sent', '1', 5_050],
    ['waits', '3', null],
  ]);
});

test('an attempt of another account, which sends in the place of the first, has its name', () => {
  const first = message('1', 'dead', [{ at: at(100), duration_ms: 50, outcome: 'rejected' }]);
  const second = message('1', 'sent', [{ at: at(900), duration_ms: 50, outcome: 'sent' }]);
  const trip = stepsOf(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
    {
      received_at: at(0),
      messages: [
        { ...first, account: 'default', fallback_account: 'telegram' },
        { ...second, account: 'telegram', fallback_of_account: 'default' },
      ],
    } as unknown as Parameters<typeof stepsOf>[0],
    [],
  );
  expect(trip.map(({ is, by }) => [is, by])).toEqual([
    ['received', null],
    ['failed', null],
    ['sent', 'telegram'],
  ]);
});

test('notifications of its items belong to the trip, whenever they are sent, and so do items that wait for theirs', () => {
  const items: Parameters<typeof notificationsOf>[0]['items'] = [
    { route: 'alert', index: 1, phone: '1', outcome: 'notified', message: 'msg_1' },
    { route: 'alert', index: 2, phone: '1', outcome: 'notified', message: 'msg_1' },
    { route: 'alert', index: 1, phone: '2', outcome: 'waiting', waits: { for: 'quiet', until: at(9_000) } },
    { route: 'alert', index: 1, phone: '3', outcome: 'silenced', silence: 'maintenance' },
  ];
  expect(notificationsOf({ items })).toEqual(['msg_1']);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
  const notification = message('1', 'sent', [
    { at: at(3_000), duration_ms: 50, outcome: 'sent' },
  ] as const) as unknown as Parameters<typeof stepsOf>[1][number];
  const trip = stepsOf({ received_at: at(0), messages: [], items }, [notification]);
  expect(trip.map(({ is, phone, waits }) => [is, phone, waits?.for])).toEqual([
    ['received', null, undefined],
    ['sent', '1', undefined],
    ['waits', '2', 'quiet'],
  ]);
});
