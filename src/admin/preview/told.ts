import type { Route } from '../../config/config.ts';
import { eventScope, type WebhookEvent } from '../../ingest/request/event.ts';
import type { Rendered, RenderedMessage } from '../../ingest/routing/route-result.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import type { DraftItem } from '../../outbox/state/acceptance.ts';
import { renderSends, withFallback } from '../../render/fallback.ts';
import type { RouteFailure } from '../../render/failure.ts';
import { toldScope, type ToldElement } from '../../render/told-scope.ts';
import type { Scope } from '../../template/basics/scope.ts';

/** What one message would tell, and to whom. */
interface DueNow {
  readonly scope: Scope;
  readonly phones: readonly (string | null)[];
}

/** What a route would tell if its items were due now, and there were no others. */
export function dueNow(event: WebhookEvent, route: Route, items: readonly DraftItem[]): readonly DueNow[] {
  const group = route.telling?.group ?? null;
  const ofReceivers = Map.groupBy(
    items.flatMap((item) => item.phones.map((phone) => ({ item, phone }))),
    ({ item, phone }) => JSON.stringify([phone, item.group ?? item.index]),
  );
  // Receivers of the same items get the same message.
  const messages = Map.groupBy(ofReceivers.values(), (of) => of.map(({ item }) => item.index).join(' '));
  return [...messages.values()].map((receivers) => {
    const [told = []] = receivers;
    const elements = told.map(({ item }) => elementOf(event, item));
    const burning = elements.filter(({ ended_at }) => ended_at === null);
    const ended = elements.filter(({ ended_at }) => ended_at !== null);
    const tell = { burning, fresh: burning, ended, max: group?.max ?? 1, single: group === null };
    const { payload, headers, query, event: facts } = eventScope(event);
    const kept = event.source.store === 'full' ? { payload, headers, query } : {};
    const own = route.each === null ? { payload: elements.at(-1)?.item } : {};
    const when = { at: facts.received_at, source: facts.source, ...kept, ...own };
    return { scope: toldScope(tell, when), phones: receivers.flatMap(([one]) => (one ? [one.phone] : [])) };
  });
}

function elementOf(event: WebhookEvent, { value, key, isResolved }: DraftItem): ToldElement {
  const { event: facts } = eventScope(event);
  return {
    item: parseOwnJson<unknown>(value),
    event: facts,
    opened_at: facts.received_at,
    ended_at: isResolved ? facts.received_at : null,
    burned_ms: 0,
    times: 1,
    key,
    flapping: false,
    changes: 1,
  };
}

/** The messages of that. */
export function tellNow(event: WebhookEvent, route: Route, items: readonly DraftItem[]): Rendered {
  const messages: RenderedMessage[] = [];
  const failures: RouteFailure[] = [];
  for (const { scope, phones } of dueNow(event, route, items)) {
    const sends = renderSends(route, route.send, scope, event.source.locale);
    if (!sends.ok) failures.push(...sends.error);
    else {
      const { kind, sets } = sends.value;
      for (const phone of phones)
        messages.push(
          ...sets.map((params, at) => ({
            route: route.name,
            kind,
            phone,
            params,
            ...withFallback(sends.value, at),
          })),
        );
    }
  }
  return { messages, failures };
}
