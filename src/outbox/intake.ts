import { commitAcceptance, type Committed } from './accept/commit.ts';
import { isKnown, type ClaimContext } from './accept/dedupe.ts';
import type { SourceLimits } from './accept/source-limits.ts';
import { isOverAddress } from './accept/dedupe.ts';
import type { Base } from './base.ts';
import type { Incidents } from './incidents/incidents.ts';
import type { Messages } from './message.ts';
import {
  type Acceptance,
  type IncidentChange,
  type Receipt,
  type Refusal,
  type WebhookSize,
  storedBytes,
} from './state/acceptance.ts';

/**
 * The time after which senders should try again while an outbox is full, in ms: nobody knows when it will have space.
 */
const FULL_WAIT_MS = 60_000;

/** A duplicate is as much work as an event, but it stores nothing. */
const NOTHING: WebhookSize = { bytes: 0, messages: 0 };

type Parts = Base & { readonly incidents: Incidents; readonly messages: Messages };

/**
 * The stage of a commit that takes events in. It writes a group of them with their claims, messages and items, all or
 * none, and then updates memory.
 */
export function takeIn(parts: Parts, acceptances: readonly Acceptance[]): readonly Receipt[] {
  const { clock, incidents, limits, messages } = parts;
  const now = clock();
  const write = (): readonly Receipt[] => acceptances.map((one) => takeOne(parts, one, now));
  return limits.within(() => incidents.within(() => messages.change(write)));
}

function takeOne(parts: Parts, acceptance: Acceptance, now: number): Receipt {
  const { disk, incidents, limits, links, messages, sql, tag } = parts;
  const context = { sql, tag, now, nextSeq: messages.nextSeq, links, arrivals: incidents };
  const refusal = refusalOf(context, parts, acceptance);
  if (refusal !== null) return refusedReceipt(acceptance, refusal);
  const committed = commitAcceptance(context, acceptance);
  if (committed.isNew && acceptance.changes !== undefined) change(incidents, acceptance.changes);
  disk.accepted(storedBytes(acceptance));
  countAdmitted(limits, acceptance, committed, now);
  messages.follow(() => count(parts, acceptance, committed, now));
  messages.queued(committed.queued, acceptance.event.receivedAt);
  return committed.receipt;
}

/** Changes incidents in the commit of the press: both or neither. */
function change(incidents: Incidents, { change: to, incidents: names, by }: IncidentChange): void {
  for (const name of names)
    if (to === 'acknowledged') incidents.acknowledge(name, by);
    else incidents.close(name, by);
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
  if (leftOut !== undefined) owner.leftOut(event.source, leftOut);
  if (madeNothing.count(acceptance, now)) owner.madeNothing(event.source);
  counters.event(event);
}

/** Returns why an event is refused; null if it is accepted. To be called before any of it is written. */
function refusalOf(context: ClaimContext, { disk, limits }: Base, acceptance: Acceptance): Refusal | null {
  const { event, quota } = acceptance;
  // First: a flood from one address uses none of its source's limit.
  if (isOverAddress(context, acceptance)) return { by: 'address', waitMs: 0 };
  // A duplicate takes no space, and its sender stops once it is answered.
  const bytesLeft = disk.bytesLeft(event.isOpen === true);
  if (storedBytes(acceptance) > bytesLeft && isKnown(context, event) === null)
    return { by: 'storage', waitMs: FULL_WAIT_MS };
  if (quota === undefined) return null;
  const over = limits.over(event.source, quota, context.now);
  if (over === null) return null;
  const known = isKnown(context, event);
  // The Worker repeats a call whose answer was lost: that webhook was counted already.
  if (known === 'accepted') return null;
  if (known === 'duplicate') return limits.over(event.source, { ...quota, ...NOTHING }, context.now);
  return over;
}

/** Counts an accepted webhook, without messages that other events made before. */
function countAdmitted(
  limits: SourceLimits,
  { event, quota }: Acceptance,
  { isNew, receipt, repeats = 0 }: Committed,
  now: number,
): void {
  if (quota === undefined || (!isNew && !receipt.duplicate)) return;
  const size = isNew ? { messages: Math.max(0, quota.messages - repeats) } : NOTHING;
  limits.take(event.source, { ...quota, ...size }, now);
}

const refusedReceipt = ({ event: { id } }: Acceptance, refused: Refusal): Receipt => ({
  event: id,
  duplicate: false,
  messages: [],
  refused,
});

/** The receipt of an event that does not fit into memory beside others; they are written within a second. */
export const busyReceipt = (acceptance: Acceptance): Receipt =>
  refusedReceipt(acceptance, { by: 'load', waitMs: 1_000 });
