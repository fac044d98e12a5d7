import type { EventDetail, Message } from '../../api/types.ts';

/** A step of an event's trip. `at` (ms); null: it is still to come. */
export interface TripStep {
  readonly at: number | null;
  readonly is: 'received' | 'sent' | 'failed' | 'waits';
  readonly phone: string | null;
  /** The account, where it sends in the place of another one; null: it is the event's own. */
  readonly by: string | null;
  /** The outcome of the attempt, in the gateway's words. */
  readonly detail: string | null;
}

/** The steps of an event in their order: its webhook, each attempt, and what waits. */
export function stepsOf({
  received_at,
  messages,
}: Pick<EventDetail, 'received_at' | 'messages'>): readonly TripStep[] {
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
  return [
    { at: Date.parse(received_at), is: 'received', phone: null, by: null, detail: null },
    ...attempts.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0)),
    ...waiting,
  ];
}

const otherOf = ({
  account,
  fallback_of_account: of,
}: Pick<Message, 'account' | 'fallback_of_account'>): string | null => (of === undefined ? null : account);
