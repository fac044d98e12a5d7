import type { Route } from '../../config/compiled/config.ts';
import { eventScope, type WebhookEvent } from '../../ingest/request/event.ts';
import type { RouteResult } from '../../ingest/routing/route-result.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import { iso } from '../../lib/time.ts';
import { quietIn } from '../../outbox/incidents/quiet-now.ts';
import { withShownLinks } from '../../render/links.ts';
import { truncateGraphemes } from '../../lib/text.ts';
import { readElements } from '../../template/expression.ts';
import { valuesIn, type NamedValue } from '../../template/missing.ts';
import { messagesDueNow } from './due-now.ts';
import type { RouteView, PreviewItem } from './api-preview.ts';

/** The longest piece of a payload's text in an explanation, in characters as readers count them. */
const MAX_SHOWN = 80;
/** The longest prefix of a text that is read for that, in UTF-16 units. */
const MAX_TEXT = 1_000;
/** The explanation of a condition shows at most this many variables. */
const MAX_VALUES = 10;

/** A route's result, with an explanation if it makes no message. */
export function routeView(
  event: WebhookEvent,
  { route, result: outcome, messages: atOnce, failures: known, items }: RouteResult,
): RouteView {
  const of = event.source.routes.find(({ name }) => name === route);
  const due = of === undefined || items === undefined ? null : messagesDueNow(event, of, items);
  const messages = (due === null ? atOnce : due.messages).map(withShownLinks);
  const failures = due === null ? known : [...known, ...due.failures];
  const result = failures.length > 0 ? 'failed' : outcome;
  const why = whyNot(event, of, result);
  const phones = messages.flatMap(({ phone }) => phone ?? []);
  const receivers = [...new Set(phones)];
  const held = of === undefined || items === undefined ? [] : heldOf(of, receivers, event);
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

/** The receivers whose quiet hours hold the event back: those of the route, or of their lists. */
function heldOf(
  route: Route,
  phones: readonly string[],
  event: WebhookEvent,
): NonNullable<RouteView['held']> {
  if (route.delivery.priority === 'high') return [];
  const at = Date.parse(eventScope(event).event.received_at);
  const own = route.alerting?.quiet ?? null;
  return phones.flatMap((phone) => {
    const ofLists = route.to.map((one) =>
      one.from === 'document' && one.numbers.includes(phone) ? one.quiet : null,
    );
    const now = quietIn(
      [own, ...ofLists].filter((quiet) => quiet !== null),
      at,
    );
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

function whyNot(
  event: WebhookEvent,
  route: Route | undefined,
  result: RouteResult['result'],
): string | undefined {
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
