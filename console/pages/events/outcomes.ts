import type { EventDetail, Message, PreviewAnswer } from '../../api/types.ts';
import { visibleText } from '../../api/client.ts';
import { number, phoneText } from '../../lib/format.ts';
import type { SourceRoutes } from '../../parts/documents.ts';
import { faultText } from '../../texts/relay-texts.ts';
import type { Texts } from '../../texts/en.ts';

type Routes = NonNullable<SourceRoutes['routes']>;
type RoutePreview = Extract<PreviewAnswer, { routes: unknown }>['routes'][number];

/**
 * The current routes, then those that are gone. A route that made messages matched, whatever it would do today. `today`: what
 * the current configuration would do. What is not known is null.
 */
export function routesOf(
  event: Pick<EventDetail, 'messages' | 'items'>,
  today: readonly RoutePreview[] | null,
  configured: Routes | null,
) {
  const byRoute = Map.groupBy(event.messages, ({ route }) => route);
  const withItems = new Set(event.items?.map(({ route }) => route));
  const names = new Set<string | null>([
    ...(configured?.map(({ name }) => name) ?? []),
    ...(today?.map(({ route }) => route) ?? []),
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

const NAMED = 2;

/** Says who was notified and when, who waits, and who was not notified and why. */
export function sentencesOf(event: EventDetail, routes: Routes, t: Texts, time: (at: string) => string) {
  const words = t.events.sentence;
  const { messages, items = [], reason, reasons = [], state } = event;
  // A fallback that was sent replaces the message before it. One that another account has yet to take is still to come.
  const ended = messages.filter((one) => (one.fallback ?? one.fallback_account) === undefined);
  const each = <One extends Named>(own: readonly One[], say: (whom: string, of: readonly One[]) => string) =>
    [...Map.groupBy(own, ({ route }) => route)].map(([route, of]) => say(whom(route, of, routes, t), of));
  const lastOf = (sent: readonly Message[]): string =>
    time(sent.reduce((last, { sent_at, created_at: at }) => maxOf(last, sent_at ?? at), ''));
  const sentences = [
    ...each(
      messages.filter(({ state }) => state === 'sent'),
      (whom, sent) => words.notified(whom, lastOf(sent)),
    ),
    ...each(
      items.filter(({ outcome }) => outcome === 'notified' || outcome === 'summarized'),
      words.notifiedOf,
    ),
    ...each(
      messages.filter((one) => WAITING.has(one.state) || isHandedOn(one)),
      words.waiting,
    ),
    ...OUTCOMES.flatMap((outcome) => {
      const count = items.filter((one) => one.outcome === outcome).length;
      return count === 0 ? [] : words.items[outcome](count);
    }),
    ...each(
      ended.filter(({ state }) => state === 'uncertain'),
      words.uncertain,
    ),
    ...each(
      ended.filter(({ state }) => LOST.has(state)),
      words.lost,
    ),
    ...(visibleText(reason) === undefined ? [] : reasons.slice(0, NAMED).map((one) => plainReason(one, t))),
  ];
  if (sentences.length > 0) return sentences;
  return [state === 'unmatched' ? words.unmatched : words.nothing];
}

const maxOf = (one: string, other: string): string => (one > other ? one : other);

const isHandedOn = ({ fallback, fallback_account: account }: Message): boolean =>
  account !== undefined && fallback === undefined;

const OUTCOMES = ['waiting', 'silenced', 'inhibited', 'resolved', 'expired', 'outdated'] as const;
const LOST: ReadonlySet<string> = new Set(['dead', 'expired', 'cancelled', 'suppressed']);
const WAITING: ReadonlySet<string> = new Set(['queued', 'sending', 'retrying']);

type Named = Pick<Message, 'route'> & { readonly phone?: Message['phone'] | undefined };

/** The lists of a route by their names, or the numbers: a few of them, and how many more. */
function whom(route: string | null, own: readonly Named[], routes: Routes, t: Texts): string {
  const names = [routes.find(({ name }) => name === route)?.to ?? []].flat();
  const isLists = names.length > 0 && names.every((name) => /^[A-Za-z][\w-]*$/.test(name));
  if (isLists) return names.join(', ');
  const phones = [...new Set(own.map(({ phone }) => phone ?? null))];
  const shown = phones.slice(0, NAMED).map((phone) => (phone === null ? t.send.everybody : phoneText(phone)));
  const left = phones.length - shown.length;
  return left > 0 ? `${shown.join(', ')} ${t.common.andMore(number(left))}` : shown.join(', ');
}

/** A reason without what only its author understands: the rest of the page has it in full. */
function plainReason(reason: NonNullable<EventDetail['reasons']>[number], t: Texts): string {
  const { code, route, parameter } = reason;
  if (route === undefined || parameter === undefined) return faultText(reason);
  const isNumber = parameter === 'to' && (code === 'number' || code === 'required');
  const { badNumber, failed } = t.events.sentence;
  return isNumber ? badNumber(route) : failed(route, faultText(reason));
}
