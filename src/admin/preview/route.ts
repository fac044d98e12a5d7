import { type Route, sendIn } from '../../config/compiled/config.ts';
import { eventScope, type WebhookEvent } from '../../ingest/request/event.ts';
import { MAX_MESSAGES_PER_ROUTE } from '../../ingest/routing/allowance.ts';
import type { RenderedMessage, RouteResult } from '../../ingest/routing/result.ts';
import { iso } from '../../lib/time.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { personName } from '../../lib/person-name.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import { titleOf, whoHasText } from '../../render/built-in-text.ts';
import { renderSends, withFallback, leftOutLines, linesBelow } from '../../render/fallback.ts';
import type { RouteFailure } from '../../render/failure.ts';
import { notificationScope } from '../../render/notification-scope.ts';
import { quietIn } from '../../outbox/incidents/owed.ts';
import { reasonText } from '../../lib/reason.ts';
import { withShownLinks } from '../../render/links.ts';
import { truncateGraphemes } from '../../lib/text.ts';
import { valuesIn, type NamedValue, readElements } from '../../template/text.ts';
import type { RouteView, PreviewItem } from './api-preview.ts';

/** The notifications of a route, with their receivers, if its items were due now and there were no other items. */
export function dueNow(event: WebhookEvent, route: Route, items: readonly DraftItem[]) {
  const group = route.alerting?.group ?? null;
  const told = items.filter(({ holder }) => holder === undefined);
  const ofReceivers = Map.groupBy(
    told.flatMap((item) => item.phones.map((phone) => ({ item, phone }))),
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
    const phones = receivers.flatMap(([one]) => (one ? [one.phone] : []));
    return { scope: notificationScope(content, when), phones };
  });
}

function elementOf(event: WebhookEvent, { value, key, isResolved, at, leftOut }: DraftItem) {
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
export function messagesDueNow(event: WebhookEvent, route: Route, items: readonly DraftItem[]) {
  const messages: RenderedMessage[] = [];
  const failures: RouteFailure[] = [];
  for (const { scope, phones } of dueNow(event, route, items)) {
    if (messages.length + failures.length >= MAX_MESSAGES_PER_ROUTE) break;
    const { locale } = event.source;
    const send = sendIn(route.send, locale.locale);
    const below = linesBelow(leftOutLines(scope.event.left_out, send, locale), route.maxLength);
    const made = renderSends({ ...route, maxLength: below.maxLength }, send, scope, locale);
    if (!made.ok) {
      failures.push(...made.error);
      continue;
    }
    const sends = below.add(made.value);
    const { kind, sets } = sends;
    for (const phone of phones)
      for (const [at, params] of sets.entries()) {
        const fallback = withFallback(sends, at, { phone, elsewhere: route.elsewhere });
        messages.push({ route: route.name, kind, phone, params, ...fallback });
      }
  }
  const held = items.slice(0, MAX_MESSAGES_PER_ROUTE - messages.length);
  return { messages: [...messages, ...held.flatMap((item) => heldNow(event, item))], failures };
}

/** The messages to those who know of an incident that an item says somebody has, or has no longer. */
function heldNow(event: WebhookEvent, { route, key, holder, phones, ...item }: DraftItem) {
  if (holder === undefined) return [];
  const title = titleOf({ item: parseOwnJson<unknown>(item.value), key, event: eventScope(event).event });
  const { by, isBack, message } = holder;
  const text = whoHasText(personName(by), [title], { isBack, ...message });
  return phones.flatMap((phone) =>
    phone === null ? [] : [{ route, kind: 'text' as const, phone, params: { message: text } }],
  );
}

const MAX_SHOWN = 80;
/** The longest prefix of a text that is read for that, in UTF-16 units. */
const MAX_TEXT = 1_000;
const MAX_VALUES = 10;

export function routeView(
  event: WebhookEvent,
  { route, result: outcome, messages: atOnce, failures: known, items }: RouteResult,
): RouteView {
  const of = event.source.routes.find(({ name }) => name === route);
  const due = of && items && messagesDueNow(event, of, items);
  const messages = (due?.messages ?? atOnce).map(shownMessage);
  const failures = [...known, ...(due?.failures ?? [])];
  const result = failures.length > 0 ? 'failed' : outcome;
  const why = whyNot(event, of, result);
  const receivers = [...new Set(messages.flatMap(({ phone }) => phone ?? []))];
  const held = of && items ? heldOf(of, receivers, event) : [];
  return {
    route,
    result,
    ...(why !== undefined && { why }),
    receivers,
    messages,
    failures,
    ...(items && { items: items.map(itemView) }),
    ...(held.length > 0 && { held }),
  };
}

function shownMessage(message: RenderedMessage): RouteView['messages'][number] {
  const { reason, ...shown } = withShownLinks(message);
  return { ...shown, ...(reason && { reason: reasonText(reason) }) };
}

/** The receivers whose quiet hours hold the event back: those of the route, or of their lists. */
function heldOf(route: Route, phones: readonly string[], event: WebhookEvent) {
  if (route.delivery.priority === 'high') return [];
  const at = Date.parse(eventScope(event).event.received_at);
  const own = route.alerting?.quiet ?? null;
  return phones.flatMap((phone) => {
    const ofLists = route.to.flatMap((one) =>
      one.from === 'document' && one.numbers.includes(phone) ? (one.quiet ?? []) : [],
    );
    const now = quietIn(own === null ? ofLists : [own, ...ofLists], at);
    return now === null ? [] : [{ phone, until: iso(now.until) }];
  });
}

const itemView = ({ index, key, group, isResolved, at, holder, inhibitedBy }: DraftItem): PreviewItem => ({
  index,
  key,
  group,
  resolved: isResolved,
  ...(at !== undefined && { at: iso(at.ms) }),
  ...(holder !== undefined && { acknowledged: !holder.isBack }),
  inhibited_by: inhibitedBy,
});

function whyNot(event: WebhookEvent, route: Route | undefined, result: RouteResult['result']) {
  const { when = null, each = null } = route ?? {};
  const { locale } = event.source;
  if (result === 'matched' && each !== null && readElements(each, eventScope(event), locale).length === 0)
    return `\`each\` is an empty list here: ${each.source}`;
  if (result === 'not_reached') return 'an earlier route has `stop`';
  if (result !== 'not_matched' || when === null) return undefined;
  const values = valuesIn(when, eventScope(event), locale).slice(0, MAX_VALUES).map(describe);
  const because = values.length === 0 ? '' : `, where ${values.join(', ')}`;
  return `\`when\` is false: ${when.source.trim()}${because}`;
}

function describe({ path, value, missing }: NamedValue): string {
  return missing === null ? `\`${path}\` was ${shown(value)}` : `\`${path}\` is not there${missing.hint}`;
}

/** Shows a value as a short text. A payload's text is quoted, on one line, and shortened. */
function shown(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(truncateGraphemes(value.slice(0, MAX_TEXT), MAX_SHOWN));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}
