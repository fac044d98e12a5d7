import * as dedupe from './accept/dedupe.ts';
import { insertEvent, insertMessages, receiptOf, type RowContext } from './accept/rows.ts';
import type { Base } from './base.ts';
import { MAX_ITEMS, silencedReferences, type Arrivals, type ItemReference } from './incidents/arrivals.ts';
import type { Incidents } from './incidents/incidents.ts';
import { MAX_OPEN } from './incidents/open-incidents.ts';
import type { Messages } from './message.ts';
import {
  type Acceptance,
  type AcceptedEvent,
  type EventReason,
  type Receipt,
  type Refusal,
  type WebhookSize,
  bytesOf,
  fitsIntoRow,
  MAX_EVENT_BYTES,
  storedBytes,
} from './state/acceptance.ts';
import { messageId, type MessageRow } from './state/message.ts';

/** Senders should try a full outbox again after this (ms): nobody knows when it will have space. */
const FULL_WAIT_MS = 60_000;

/** A duplicate is as much work as an event, but it stores nothing. */
const NOTHING: WebhookSize = { bytes: 0, messages: 0 };

type Parts = Base & { readonly incidents: Incidents; readonly messages: Messages };

/** An event that is to be written. `size`: roughly the memory that it takes until it is answered, in bytes. */
export interface Waiting extends Pick<PromiseWithResolvers<Receipt>, 'resolve' | 'reject'> {
  readonly acceptance: Acceptance;
  readonly size: number;
}

/**
 * Writes a group of events with their claims, messages and items, all or none, and then updates memory; one that cannot
 * be written fails alone. Returns what answers them.
 */
export function takeIn(parts: Parts, group: readonly Waiting[]): readonly (() => void)[] {
  const { clock, incidents, limits, messages } = parts;
  if (group.length === 0) return [];
  const now = clock();
  const write = () =>
    group.map(({ acceptance, resolve }) => {
      const receipt = takeOne(parts, acceptance, now);
      return () => resolve(receipt);
    });
  try {
    return limits.within(() => incidents.within(() => messages.change(write)));
  } catch (thrown) {
    if (group.length > 1) return group.flatMap((one) => takeIn(parts, [one]));
    return group.map(
      ({ reject }) =>
        () =>
          reject(thrown),
    );
  }
}

function takeOne(parts: Parts, acceptance: Acceptance, now: number): Receipt {
  const { disk, incidents, limits, links, messages, sql, tag } = parts;
  const context = { sql, tag, now, nextSeq: messages.nextSeq, links, arrivals: incidents };
  const refusal = refusalOf(context, parts, acceptance);
  if (refusal !== null) return refusedReceipt(acceptance, refusal);
  const committed = commitAcceptance(context, acceptance);
  const { receipt, isNew, repeats = 0 } = committed;
  const { changes, event, quota } = acceptance;
  if (isNew && changes !== undefined)
    for (const name of changes.incidents) incidents.change(name, changes.change, changes.by);
  disk.accepted(storedBytes(acceptance));
  if (quota !== undefined && (isNew || receipt.duplicate)) {
    // Without messages that other events made before.
    const size = isNew ? { messages: Math.max(0, quota.messages - repeats) } : NOTHING;
    limits.take(event.source, { ...quota, ...size }, now);
  }
  messages.follow(() => count(parts, acceptance, committed, now));
  messages.queued(committed.queued, event.receivedAt);
  return receipt;
}

function count(
  { alarm, claims: { counters }, heartbeats, madeNothing, owner, tail }: Base,
  acceptance: Acceptance,
  { receipt, isNew }: Committed,
  now: number,
): void {
  const { event, leftOut } = acceptance;
  tail.event(event, receipt);
  if (event.isPress === true && !isNew) return;
  if (receipt.duplicate) counters.duplicate(event.source, now);
  // Its owner is notified soon.
  if (heartbeats.isSilent(event.source)) alarm.bringForward(now);
  if (!isNew) return;
  if (leftOut !== undefined) owner.first(['webhook.left_out', event.source, leftOut]);
  if (madeNothing.count(acceptance, now)) owner.tell(['source.made_nothing', event.source]);
  counters.event(event);
}

function refusalOf(
  context: dedupe.ClaimContext,
  { disk, limits }: Base,
  acceptance: Acceptance,
): Refusal | null {
  const { address, event, quota } = acceptance;
  const over = (size: Partial<WebhookSize> = {}) =>
    quota === undefined ? null : limits.over(event.source, { ...quota, ...size }, context.now);
  const isOver = over();
  const isFull = storedBytes(acceptance) > disk.bytesLeft(event.isOpen === true);
  if (address === undefined && isOver === null && !isFull) return null;
  const known = dedupe.knownAs(context, event);
  // The Worker repeats a call whose answer was lost: that webhook was counted already.
  if (known === 'accepted') return null;
  // It takes no space, and its sender stops once it is answered.
  if (known === 'duplicate') return over(NOTHING);
  // First: a flood from one address uses none of its source's limit.
  if (address !== undefined && dedupe.addressClaim(context, acceptance) === null)
    return { by: 'address', waitMs: 0 };
  return isFull ? { by: 'storage', waitMs: FULL_WAIT_MS } : isOver;
}

const refusedReceipt = ({ event: { id } }: Acceptance, refused: Refusal): Receipt => ({
  event: id,
  duplicate: false,
  messages: [],
  refused,
});

/** For an event that does not fit into memory beside others, which are written within a second. */
export const busyReceipt = (acceptance: Acceptance): Receipt =>
  refusedReceipt(acceptance, { by: 'load', waitMs: 1_000 });

/** The sender's receipt, and the messages that were queued: none for a duplicate. */
export interface Committed {
  readonly receipt: Receipt;
  readonly queued: readonly MessageRow[];
  /** False if the event was there already, by its key or because the Worker called twice. */
  readonly isNew: boolean;
  /** The number of its messages that were left out because other events made them before; absent: none. */
  readonly repeats?: number;
}

const known = (receipt: Receipt): Committed => ({ receipt, queued: [], isNew: false });

/** In the caller's transaction. An event that comes twice, as the Worker repeats a call whose answer was lost, is committed once. */
export function commitAcceptance(
  context: RowContext & { readonly arrivals: Pick<Arrivals, 'take'> },
  acceptance: Acceptance,
): Committed {
  const { event } = acceptance;
  const first = dedupe.firstOf(context, event);
  if (first !== null) {
    dedupe.addDuplicate(context, event, first.id);
    const { id, ...reason } = first;
    return known({ ...receiptOf(context, id, true), ...reason });
  }
  const { fresh, freshItems, repeats, reasons, ...items } = dedupe.unseenItems(context, event, acceptance);
  const today = dedupe.ofToday(context, event, fresh);
  const claims = [
    ...items.claims,
    ...dedupe.unclaimedSigned(context, event),
    ...today.claims,
    dedupe.addressClaim(context, acceptance),
  ].filter((claim) => claim !== null);
  const itemKeys = claims.map(({ key }) => key);
  // Before its items are taken, which would otherwise be taken twice.
  if (freshItems.length > 0 && dedupe.isStored(context, event.id))
    return known(receiptOf(context, event.id, false));
  const { references, waiting, beyond, messages: ofHolders } = context.arrivals.take(event, freshItems);
  const messages = [...today.kept, ...ofHolders];
  const why = [...event.reasons, ...reasons, ...today.reasons, ...countedNote(beyond)];
  const row = { ...event, reasons: why };
  const shown = fittingItems(row, itemKeys, [...references, ...silencedReferences(event)]);
  if (!insertEvent(context, row, messages.length, { itemKeys, items: shown }))
    return known(receiptOf(context, event.id, false));
  dedupe.claimOwn(context, event);
  dedupe.insertClaims(context, event, claims);
  const { id, source, receivedAt, configVersion, isOpen } = event;
  const origin = { event: id, source, since: receivedAt, configVersion, isOpen };
  const queued = insertMessages(context, messages, origin);
  const ids = queued.map(({ seq }) => messageId(seq, context.tag));
  const receipt = { event: id, duplicate: false, messages: ids, ...(waiting > 0 && { waiting }) };
  return { receipt, queued, isNew: true, ...(repeats > 0 && { repeats }) };
}

/** The event's items as JSON, as many as fit into its row. They are only shown: fewer are better than to refuse the event. */
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
