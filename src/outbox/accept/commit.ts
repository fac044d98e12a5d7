import {
  type Acceptance,
  type AcceptedEvent,
  type Receipt,
  type EventReason,
  bytesOf,
  fitsIntoRow,
  MAX_EVENT_BYTES,
} from '../state/acceptance.ts';
import { MAX_ITEMS, silencedReferences, type Arrivals, type ItemReference } from '../incidents/arrivals.ts';
import { MAX_OPEN } from '../incidents/open-incidents.ts';
import { messageId, type MessageRow } from '../state/message.ts';
import {
  addDuplicate,
  addressClaim,
  claimOwn,
  firstOf,
  insertClaims,
  isStored,
  ofToday,
  unclaimedSigned,
  unseenItems,
} from './dedupe.ts';
import { insertEvent, insertMessages, receiptOf, type RowContext } from './rows.ts';

/** The sender's receipt, and the messages that were queued: none for a duplicate. */
export interface Committed {
  readonly receipt: Receipt;
  readonly queued: readonly MessageRow[];
  /** False if the event was there already, by its key or because the Worker called twice. */
  readonly isNew: boolean;
  /** The number of its messages that were left out because other events made them before; absent: none. */
  readonly repeats?: number;
}

export interface CommitContext extends RowContext {
  readonly arrivals: Pick<Arrivals, 'take'>;
}

/**
 * Writes an event: dedupe row, event and messages, in the caller's transaction. An event that comes twice, since the
 * Worker repeats a call whose answer was lost, is committed once.
 */
export function commitAcceptance(context: CommitContext, acceptance: Acceptance): Committed {
  const { event } = acceptance;
  const first = firstOf(context, event);
  if (first !== null) {
    addDuplicate(context, event, first.id);
    const { reason } = first;
    const receipt = { ...receiptOf(context, first.id, true), ...(reason !== undefined && { reason }) };
    return { receipt, queued: [], isNew: false };
  }
  const { fresh, freshItems, repeats, reasons, ...items } = unseenItems(context, event, acceptance);
  const today = ofToday(context, event, fresh);
  const from = addressClaim(context, acceptance);
  const claims = [
    ...items.claims,
    ...unclaimedSigned(context, event),
    ...today.claims,
    ...(from === null ? [] : [from]),
  ];
  const itemKeys = claims.map(({ key }) => key);
  const again = (): Committed => ({
    receipt: receiptOf(context, event.id, false),
    queued: [],
    isNew: false,
  });
  // Before its items are taken, which would otherwise be taken twice.
  if (freshItems.length > 0 && isStored(context, event.id)) return again();
  const { references, waiting, beyond, messages: ofHolders } = context.arrivals.take(event, freshItems);
  const messages = [...today.kept, ...ofHolders];
  const row = {
    ...event,
    reasons: [...event.reasons, ...reasons, ...today.reasons, ...countedNote(beyond)],
  };
  const shown = fittingItems(row, itemKeys, [...references, ...silencedReferences(event)]);
  if (!insertEvent(context, row, messages.length, { itemKeys, items: shown })) return again();
  claimOwn(context, event);
  insertClaims(context, event, claims);
  const { id, source, receivedAt, configVersion, isOpen } = event;
  const origin = { event: id, source, since: receivedAt, configVersion, isOpen };
  const queued = insertMessages(context, messages, origin);
  const ids = queued.map(({ seq }) => messageId(seq, context.tag));
  return {
    receipt: {
      event: id,
      duplicate: false,
      messages: ids,
      ...(waiting > 0 && { waiting }),
    },
    queued,
    isNew: true,
    ...(repeats > 0 && { repeats }),
  };
}

/**
 * Returns the places of the event's items as JSON: as many as fit into its row beside everything else. They are only
 * shown, so it is better to keep fewer of them than to refuse the event.
 */
function fittingItems(
  { payload, headers, query, reasons }: AcceptedEvent,
  keys: readonly string[],
  references: readonly ItemReference[],
): string {
  if (references.length === 0) return '[]';
  const others = [payload, headers, query, JSON.stringify(reasons), JSON.stringify(keys)];
  const texts = references.map((one) => JSON.stringify(one));
  const all = `[${texts.join(',')}]`;
  if (fitsIntoRow([...others, all])) return all;
  let left = MAX_EVENT_BYTES - bytesOf(others);
  const end = texts.findIndex((text) => (left -= 1 + bytesOf([text])) < 1);
  return `[${texts.slice(0, end === -1 ? texts.length : end).join(',')}]`;
}

function countedNote(beyond: number): readonly EventReason[] {
  if (beyond === 0) return [];
  const message = `${beyond} ${beyond === 1 ? 'item is' : 'items are'} only counted: a webhook may bring ${MAX_ITEMS} new ones, and an account may have ${MAX_OPEN} open incidents, of which a source has a share`;
  return [{ code: 'only-counted', message, params: { left: String(beyond) } }];
}
