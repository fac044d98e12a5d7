import type { Acceptance, Receipt } from '../state/acceptance.ts';
import { itemClaimKey } from '../state/claim-key.ts';
import { messageId, type MessageRow } from '../state/message.ts';
import {
  addDuplicate,
  claimOwn,
  claimSigned,
  firstOf,
  insertClaim,
  unclaimedSigned,
  unseenItems,
} from './dedupe.ts';
import { furtherShards, insertEvent, insertMessages, receiptOf, type RowContext } from './rows.ts';

/** The sender's receipt, and the messages that were queued by it: none for a duplicate. */
export interface Committed {
  readonly receipt: Receipt;
  readonly queued: readonly MessageRow[];
  /** False: the event was there already, by its key or because the Worker called twice. */
  readonly isNew: boolean;
}

/**
 * Writes an event: dedupe claim, event and messages, in the caller's transaction. An event that comes twice, since the
 * Worker repeats a call whose answer was lost, is committed once.
 */
export function commitAcceptance(bare: RowContext, acceptance: Acceptance): Committed {
  const { event, messages, keeper, handed } = acceptance;
  const context = { ...bare, handedBy: handed?.by };
  const first = firstOf(context, event, handed?.own ?? event.id);
  if (first !== null) {
    addDuplicate(context, event, first);
    if (first.keeper !== null) return keptBy(first.keeper, first.id);
    return { receipt: receiptOf(context, first.id, true), queued: [], isNew: false };
  }
  if (keeper !== undefined) {
    claimOwn(context, event, keeper);
    claimSigned(context, event, unclaimedSigned(context, event), keeper);
    return keptBy(keeper, event.id);
  }
  const { fresh, keys, reason } = unseenItems(context, event, messages);
  const signed = unclaimedSigned(context, event);
  const claimed = [...keys, ...signed];
  if (!insertEvent(context, { ...event, reason: joined(event.reason, reason) }, fresh.length, claimed)) {
    return { receipt: receiptOf(context, event.id, false), queued: [], isNew: false };
  }
  claimOwn(context, event);
  for (const key of keys) insertClaim(context, event, itemClaimKey(event.source, key), event.itemWindowMs);
  claimSigned(context, event, signed);
  const { id, source, receivedAt, configVersion } = event;
  const queued = insertMessages(context, fresh, { event: id, source, since: receivedAt, configVersion });
  const ids = queued.map(({ seq }) => messageId(seq, context.tag));
  return {
    receipt: { event: id, duplicate: false, messages: ids, ...furtherShards(event.shards) },
    queued,
    isNew: true,
  };
}

const keptBy = (keeper: number, event: string): Committed => ({
  receipt: { event, duplicate: false, messages: [], keeper },
  queued: [],
  isNew: false,
});

const joined = (one: string | null, other: string | null): string | null =>
  one !== null && other !== null ? `${one}\n${other}` : (one ?? other);
