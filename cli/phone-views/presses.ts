import { isBuiltIn } from '../../src/config/compile/actions.ts';
import type { WebhookEvent } from '../../src/ingest/request/event.ts';
import type { RouteResult } from '../../src/ingest/routing/result.ts';
import type { PressPayload } from '../../src/outbox/links/read-link.ts';

export interface ButtonPress {
  readonly label: string;
  readonly event: WebhookEvent;
}

export const PRESSED_BY = 'Anna';

/** The events that there would be if somebody pressed the links of an event's messages, one for each action of a route's own. */
export function pressesOf(
  event: WebhookEvent,
  results: readonly Pick<RouteResult, 'messages'>[],
): readonly ButtonPress[] {
  const made = new Map<string, ButtonPress>();
  for (const { route, phone, links } of results.flatMap(({ messages }) => messages))
    for (const { id, label } of links?.all ?? []) {
      const payload: PressPayload = {
        action: id,
        label,
        route,
        by: { phone, name: PRESSED_BY },
        message: 'msg_1',
        event: null,
        payload: event.payload,
      };
      const press = { type: `action.${id}`, dedupeKey: null, signed: null, payload, headers: {}, query: {} };
      if (!isBuiltIn(id)) made.set(`${route} ${id}`, { label, event: { ...event, ...press } });
    }
  return [...made.values()];
}
