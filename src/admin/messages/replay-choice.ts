import * as z from 'zod/mini';
import { listOf, someText, strictDocument } from '../../schema/parts.ts';
import type { RouteResult } from '../../ingest/routing/route-result.ts';
import type { Addressed, ReplayView } from '../../outbox/read/event-receivers.ts';
import type { StoredEvent } from '../../outbox/read/views.ts';
import type { MessageView } from '../../outbox/answers/api-message.ts';

/** The part of an event that is sent again. Without these, all of it is. */
export const replayChoice = {
  routes: z.optional(listOf(someText(64), 'names of routes', { min: 1, max: 200 })),
  only: z.optional(z.literal('failed', { error: 'must be `failed` or absent' })),
};

/** The body of `POST /events/{id}/replay`. */
export const replaySchema = strictDocument(replayChoice);
export type ReplayChoice = z.output<typeof replaySchema>;

type Stored = Pick<StoredEvent, 'messages' | 'items' | 'reason'>;

/**
 * Picks the results that did not come through the first time: messages that are dead, expired or cancelled by a person
 * and have no successful fallback, and routes that could not be rendered. A receiver's messages of a route are matched
 * by their order. If their number has changed, they are sent again only if none of them came through. Messages that a
 * replay has sent since are not sent again.
 */
export function failedOnly(
  stored: Stored,
  results: readonly RouteResult[],
  replays: readonly ReplayView[],
): readonly RouteResult[] {
  const byId = new Map(stored.messages.map((message) => [message.id, message]));
  const before = Map.groupBy(
    stored.messages.filter((message) => message.fallback_of === undefined),
    receiverOf,
  );
  return results.map((result) => {
    const { items, ...rest } = result;
    const wasBroken = stored.reason?.includes(`route \`${result.route}\``) === true;
    const hadItems =
      stored.items?.some(({ route }) => route === result.route) === true ||
      replays.some((replay) => replay.items.includes(result.route));
    const now = Map.groupBy(result.messages, receiverOf);
    const messages = [...now].flatMap(([receiver, ofReceiver]) => {
      const first = before.get(receiver)?.map((message) => hasFailed(message, byId));
      if (first === undefined && !wasBroken) return [];
      const failed = replays
        .map(({ messages }) => messages.filter((one) => receiverOf(one) === receiver))
        .reduce(afterReplay, first ?? ofReceiver.map(() => true));
      if (failed.length !== ofReceiver.length) return failed.every(Boolean) ? ofReceiver : [];
      return ofReceiver.filter((_, at) => failed[at]);
    });
    return { ...rest, messages, ...(items && wasBroken && !hadItems && { items }) };
  });
}

/** The routes that a reason names: those that could not be rendered, in whole or in part. */
export const routesIn = (reason = ''): readonly string[] =>
  [...reason.matchAll(/route `([^`]+)`/g)].map(([, name = '']) => name);

export const receiverOf = ({ route, phone }: Addressed): string => `${route}\n${phone}`;

/**
 * Returns which of a receiver's messages have still failed after a replay. A replay sent either all of them, or those
 * that had failed. If it sent another number, nobody knows which ones: once one of them came through, none counts as
 * failed.
 */
function afterReplay(
  failed: readonly boolean[],
  sent: readonly { readonly hasFailed: boolean }[],
): readonly boolean[] {
  if (sent.length === 0) return failed;
  if (sent.length === failed.length)
    return failed.map((hadFailed, at) => hadFailed && sent[at]?.hasFailed === true);
  if (sent.length === failed.filter(Boolean).length) {
    const left = sent.values();
    return failed.map((hadFailed) => hadFailed && left.next().value?.hasFailed === true);
  }
  return sent.every((one) => one.hasFailed) ? failed : failed.map(() => false);
}

/**
 * True if a message certainly failed. An `uncertain` message may have come through, and a waiting one still may. A
 * message that a digest cancelled is named in the digest. A superseded notification was out of date, or a newer one
 * says the same.
 */
function hasFailed(message: MessageView, byId: ReadonlyMap<string, MessageView>): boolean {
  const { state, fallback, fallback_account: account, actions = [] } = message;
  if (fallback !== undefined) {
    const next = byId.get(fallback);
    return next !== undefined && hasFailed(next, byId);
  }
  // The other account has not taken the fallback yet.
  if (account !== undefined) return false;
  if (state === 'cancelled') return actions.some(({ action }) => action === 'cancel');
  return state === 'dead' || state === 'expired';
}
