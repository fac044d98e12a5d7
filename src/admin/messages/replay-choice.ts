import * as z from 'zod/mini';
import { listOf, someText, strictDocument } from '../../schema/parts.ts';
import type { RouteResult } from '../../ingest/routing/route-result.ts';
import type { MessageView, StoredEvent } from '../../outbox/read/views.ts';

/** The part of an event that is sent again; absent: all of it. */
export const replayChoice = {
  routes: z.optional(listOf(someText(64), 'names of routes', { min: 1, max: 200 })),
  only: z.optional(z.literal('failed', { error: 'must be `failed` or absent' })),
};

/** The body of `POST /events/{id}/replay`. */
export const replaySchema = strictDocument(replayChoice);
export type ReplayChoice = z.output<typeof replaySchema>;

type Stored = Pick<StoredEvent, 'messages' | 'items' | 'reason'>;

/**
 * Picks the results that did not come through the first time: messages that are dead, expired or cancelled by a person, without a
 * fallback that did better, and routes that could not be rendered. A receiver's messages of a route are compared in
 * their order. Where they are not as many as then, they are sent again only if none of them came through.
 */
export function failedOnly(stored: Stored, results: readonly RouteResult[]): readonly RouteResult[] {
  const byId = new Map(stored.messages.map((message) => [message.id, message]));
  const before = Map.groupBy(
    stored.messages.filter((message) => message.fallback_of === undefined),
    receiverOf,
  );
  return results.map((result) => {
    const { items, ...rest } = result;
    const wasBroken = stored.reason?.includes(`route \`${result.route}\``) === true;
    const hadItems = stored.items?.some(({ route }) => route === result.route) === true;
    const now = Map.groupBy(result.messages, receiverOf);
    const messages = [...now].flatMap(([receiver, ofReceiver]) => {
      const failed = before.get(receiver)?.map((message) => hasFailed(message, byId));
      if (failed === undefined) return wasBroken ? ofReceiver : [];
      if (failed.length !== ofReceiver.length) return failed.every(Boolean) ? ofReceiver : [];
      return ofReceiver.filter((_, at) => failed[at]);
    });
    return { ...rest, messages, ...(items && wasBroken && !hadItems && { items }) };
  });
}

const receiverOf = ({ route, phone }: Pick<MessageView, 'route' | 'phone'>): string => `${route}\n${phone}`;

/**
 * `uncertain` may have come through, and what waits may yet. A digest names what it cancelled. What a superseded notification
 * said was not so any more, or a newer one says it.
 */
function hasFailed(message: MessageView, byId: ReadonlyMap<string, MessageView>): boolean {
  const { state, fallback, fallback_account: account, actions = [] } = message;
  if (fallback !== undefined) {
    const next = byId.get(fallback);
    return next !== undefined && hasFailed(next, byId);
  }
  // That account has not taken the fallback yet.
  if (account !== undefined) return false;
  if (state === 'cancelled') return actions.some(({ action }) => action === 'cancel');
  return state === 'dead' || state === 'expired';
}
