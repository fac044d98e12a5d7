import type { Route } from '../../config/compiled/config.ts';
import { sendIn } from '../../config/compiled/send.ts';
import { eventScope, type WebhookEvent } from '../../ingest/request/event.ts';
import { MAX_MESSAGES_PER_ROUTE } from '../../ingest/routing/allowance.ts';
import type { RenderedRoute, RenderedMessage } from '../../ingest/routing/route-result.ts';
import { iso } from '../../lib/time.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { personName } from '../../lib/person-name.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import { titleOf } from '../../render/built-in-text.ts';
import { renderSends, withFallback } from '../../render/fallback.ts';
import { leftOutLines, linesBelow } from '../../render/lines-below.ts';
import type { RouteFailure } from '../../render/failure.ts';
import { whoHasText } from '../../render/incident-words.ts';
import { notificationScope, type NotificationElement } from '../../render/notification-scope.ts';
import type { Scope } from '../../template/basics/scope.ts';

/** A notification that would be sent, and its receivers. */
interface DueNow {
  readonly scope: Scope;
  readonly phones: readonly (string | null)[];
}

/** The notifications of a route if its items were due now and there were no other items. */
export function dueNow(event: WebhookEvent, route: Route, items: readonly DraftItem[]): readonly DueNow[] {
  const group = route.alerting?.group ?? null;
  const ofReceivers = Map.groupBy(
    items
      .filter(({ holder }) => holder === undefined)
      .flatMap((item) => item.phones.map((phone) => ({ item, phone }))),
    ({ item, phone }) => JSON.stringify([phone, item.group ?? item.index]),
  );
  // Receivers of the same items get the same message.
  const messages = Map.groupBy(ofReceivers.values(), (of) => of.map(({ item }) => item.index).join(' '));
  return [...messages.values()].map((receivers) => {
    const [first = []] = receivers;
    const elements = first.map(({ item }) => elementOf(event, item));
    const firing = elements.filter(({ resolved_at }) => resolved_at === null);
    const resolved = elements.filter(({ resolved_at }) => resolved_at !== null);
    const content = { firing, new: firing, resolved, max: group?.max ?? 1, single: group === null };
    const { payload, headers, query, event: facts } = eventScope(event);
    const kept = event.source.store === 'full' ? { payload, headers, query } : {};
    const own = route.each === null ? { payload: elements.at(-1)?.item } : {};
    const when = { at: facts.received_at, source: facts.source, ...kept, ...own };
    return {
      scope: notificationScope(content, when),
      phones: receivers.flatMap(([one]) => (one ? [one.phone] : [])),
    };
  });
}

function elementOf(
  event: WebhookEvent,
  { value, key, isResolved, at, leftOut }: DraftItem,
): NotificationElement {
  const facts = { ...eventScope(event).event, ...(leftOut !== undefined && { left_out: leftOut }) };
  const since = at === undefined ? facts.received_at : iso(at.ms);
  return {
    item: parseOwnJson<unknown>(value),
    event: facts,
    started_at: since,
    resolved_at: isResolved ? since : null,
    duration_ms: 0,
    occurrences: 1,
    key,
    flapping: false,
    changes: 1,
  };
}

/** The first messages of these notifications. Nobody reads more, and an alert storm may make ten thousand. */
export function messagesDueNow(
  event: WebhookEvent,
  route: Route,
  items: readonly DraftItem[],
): RenderedRoute {
  const messages: RenderedMessage[] = [];
  const failures: RouteFailure[] = [];
  for (const { scope, phones } of dueNow(event, route, items)) {
    if (messages.length + failures.length >= MAX_MESSAGES_PER_ROUTE) break;
    const { locale } = event.source;
    const send = sendIn(route.send, locale.locale);
    const below = linesBelow(leftOutLines(scope.event.left_out, send, locale), route.maxLength);
    const made = renderSends({ ...route, maxLength: below.maxLength }, send, scope, locale);
    if (!made.ok) failures.push(...made.error);
    else {
      const sends = below.add(made.value);
      const { kind, sets } = sends;
      for (const phone of phones)
        messages.push(
          ...sets.map((params, at) => ({
            route: route.name,
            kind,
            phone,
            params,
            ...withFallback(sends, at, { phone, elsewhere: route.elsewhere }),
          })),
        );
    }
  }
  messages.push(
    ...items.slice(0, MAX_MESSAGES_PER_ROUTE - messages.length).flatMap((item) => heldNow(event, item)),
  );
  return { messages, failures };
}

/** The messages to those who know of an incident that an item says somebody has, or has no longer. */
function heldNow(
  event: WebhookEvent,
  { route, key, holder, phones, ...item }: DraftItem,
): readonly RenderedMessage[] {
  if (holder === undefined) return [];
  const title = titleOf({ item: parseOwnJson<unknown>(item.value), key, event: eventScope(event).event });
  const { by, isBack, message } = holder;
  const text = whoHasText(personName(by), [title], { isBack, ...message });
  return phones.flatMap((phone) =>
    phone === null ? [] : [{ route, kind: 'text' as const, phone, params: { message: text } }],
  );
}
