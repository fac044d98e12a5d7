import type { EventDetail, Message } from '../../api/types.ts';

/** A step of an event's trip. `at` (ms); null: it is still to come. */
export interface TripStep {
  readonly at: number | null;
  readonly is: 'received' | 'sent' | 'failed' | 'waits';
  readonly phone: string | null;
  /** The account, where it sends in the place of another one; null: it is the event's own. */
  readonly by: string | null;
  readonly detail: string | null;
  /** The reason why a notification is still to come. */
  readonly waits?: TripWait;
}

type Item = NonNullable<EventDetail['items']>[number];
export type TripWait = NonNullable<Item['waits']>;

/** The ids of the notifications of an event's items, each once. They are not among its own messages. */
export const notificationsOf = ({ items = [] }: Pick<EventDetail, 'items'>): readonly string[] => [
  ...new Set(items.flatMap(({ message }) => message ?? [])),
];

/**
 * The steps of an event in their order: its webhook, each attempt, and what waits. `notifications`: the messages of
 * {@link notificationsOf}, as far as they are known.
 */
export function stepsOf(
  { received_at, messages: own, items = [] }: Pick<EventDetail, 'received_at' | 'messages' | 'items'>,
  notifications: readonly Message[],
): readonly TripStep[] {
  const messages = [...own, ...notifications];
  const attempts = messages.flatMap(({ phone, attempts: all, ...one }) =>
    all.map(({ at, duration_ms, outcome }): TripStep => ({
      at: Date.parse(at) + duration_ms,
      is: outcome === 'sent' ? 'sent' : 'failed',
      phone,
      by: otherOf(one),
      detail: outcome === 'sent' ? null : outcome,
    })),
  );
  const waiting = messages
    .filter(({ state }) => state === 'queued' || state === 'retrying')
    .map(({ phone, ...one }): TripStep => ({
      at: null,
      is: 'waits',
      phone,
      by: otherOf(one),
      detail: null,
    }));
  const later = items.flatMap(({ waits, phone = null }): readonly TripStep[] =>
    waits === undefined ? [] : [{ at: null, is: 'waits', phone, by: null, detail: null, waits }],
  );
  return [
    { at: Date.parse(received_at), is: 'received', phone: null, by: null, detail: null },
    ...attempts.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0)),
    ...waiting,
    ...later,
  ];
}

const otherOf = ({
  account,
  fallback_of_account: of,
}: Pick<Message, 'account' | 'fallback_of_account'>): string | null => (of === undefined ? null : account);
