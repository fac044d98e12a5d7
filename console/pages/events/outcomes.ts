import type { EventDetail, Message, PreviewAnswer } from '../../api/types.ts';

type RoutePreview = Extract<PreviewAnswer, { routes: unknown }>['routes'][number];

export interface RouteOfEvent {
  /** Null: what was sent by hand. */
  readonly name: string | null;
  readonly result: RoutePreview['result'] | null;
  readonly why: string | null;
  readonly failures: RoutePreview['failures'];
  readonly messages: readonly Message[];
  /** The template that it uses today; null: its own, or the route is gone. */
  readonly template: string | null;
  readonly isThere: boolean;
}

interface Known {
  readonly event: Pick<EventDetail, 'messages' | 'items'>;
  /** The outcomes under the current configuration. Null if they are not known. */
  readonly today: readonly RoutePreview[] | null;
  readonly configured: readonly { readonly name: string; readonly template?: string }[] | null;
}

/**
 * The current routes in their order, then those that are gone. A route that made messages matched, whatever it would
 * do today; only for the others the preview decides.
 */
export function routesOf({ event, today, configured }: Known): readonly RouteOfEvent[] {
  const byRoute = Map.groupBy(event.messages, ({ route }) => route);
  const withItems = new Set(event.items?.map(({ route }) => route));
  const names = new Set<string | null>([
    ...(configured ?? []).map(({ name }) => name),
    ...(today ?? []).map(({ route }) => route),
    ...byRoute.keys(),
    ...withItems,
  ]);
  return [...names].map((name) => {
    const messages = byRoute.get(name) ?? [];
    const seen = today?.find(({ route }) => route === name) ?? null;
    const own = configured?.find((one) => one.name === name);
    const hasMatched = messages.length > 0 || (name !== null && withItems.has(name));
    return {
      name,
      result: hasMatched ? 'matched' : (seen?.result ?? null),
      why: hasMatched ? null : (seen?.why ?? null),
      failures: hasMatched ? [] : (seen?.failures ?? []),
      messages,
      template: own?.template ?? null,
      isThere: configured === null || own !== undefined || name === null,
    };
  });
}

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

/** Counts the messages of an event that came through, and the others; of the chosen routes, or of all (null). */
export function replayCounts(
  messages: readonly Pick<Message, 'state' | 'route' | 'fallback'>[],
  routes: readonly string[] | null,
): { sent: number; failed: number } {
  const of = messages.filter(({ route }) => routes === null || (route !== null && routes.includes(route)));
  const count = (states: readonly string[]): number =>
    of.filter(({ state, fallback }) => states.includes(state) && fallback === undefined).length;
  return { sent: count(['sent']), failed: count(['dead', 'expired', 'cancelled']) };
}
