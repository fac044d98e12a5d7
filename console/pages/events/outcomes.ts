import type { EventDetail, Message, PreviewAnswer } from '../../api/types.ts';

type RoutePreview = Extract<PreviewAnswer, { routes: unknown }>['routes'][number];

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
export function routesOf({ event, today, configured }: Known) {
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
      /** Null: what was sent by hand. */
      name,
      result: hasMatched ? ('matched' as const) : (seen?.result ?? null),
      why: hasMatched ? null : (seen?.why ?? null),
      failures: hasMatched ? [] : (seen?.failures ?? []),
      messages,
      /** The template that it uses today; null: its own, or the route is gone. */
      template: own?.template ?? null,
      isThere: configured === null || own !== undefined || name === null,
    };
  });
}

export type RouteOfEvent = ReturnType<typeof routesOf>[number];

type Item = NonNullable<EventDetail['items']>[number];
export type TripWait = NonNullable<Item['waits']>;

/** The ids of the notifications of an event's items, each once. They are not among its own messages. */
export const notificationsOf = ({ items = [] }: Pick<EventDetail, 'items'>): readonly string[] => [
  ...new Set(items.flatMap(({ message }) => message ?? [])),
];

/** A step of an event's trip that is still to come. */
const COMING = { at: null, is: 'waits', phone: null, by: null, detail: null, waits: undefined } as const;

/**
 * The steps of an event in their order: its webhook, each attempt (`at` in ms), and what waits. `by`: the account, where it
 * sends in the place of another one. `notifications`: the messages of {@link notificationsOf}, as far as they are known.
 */
export function stepsOf(
  { received_at, messages: own, items = [] }: Pick<EventDetail, 'received_at' | 'messages' | 'items'>,
  notifications: readonly Message[],
) {
  const messages = [...own, ...notifications];
  const attempts = messages.flatMap(({ phone, attempts: all, ...one }) =>
    all.map(({ at, duration_ms, outcome }) => ({
      ...COMING,
      at: Date.parse(at) + duration_ms,
      is: outcome === 'sent' ? outcome : ('failed' as const),
      phone,
      by: otherOf(one),
      detail: outcome === 'sent' ? null : outcome,
    })),
  );
  const waiting = messages.filter(({ state }) => state === 'queued' || state === 'retrying');
  return [
    { ...COMING, at: Date.parse(received_at), is: 'received' as const },
    ...attempts.toSorted((a, b) => a.at - b.at),
    ...waiting.map(({ phone, ...one }) => ({ ...COMING, phone, by: otherOf(one) })),
    ...items.flatMap(({ waits, phone = null }) => (waits === undefined ? [] : [{ ...COMING, phone, waits }])),
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
