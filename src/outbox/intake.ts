import { countAdmitted, refusalOf, refusedReceipt } from './accept/admission.ts';
import { commitAcceptance } from './accept/commit.ts';
import type { Base } from './base.ts';
import type { Incidents } from './incidents/incidents.ts';
import type { Messages } from './message.ts';
import { type Acceptance, type IncidentChange, type Receipt, storedBytes } from './state/acceptance.ts';
import type { CommittedEvent } from './tail.ts';

/**
 * The stage of a commit that takes events in. It writes a group of them with their claims, messages and items, all or
 * none, and then updates memory.
 */
export function takeIn(
  parts: Base & { readonly incidents: Incidents; readonly messages: Messages },
  acceptances: readonly Acceptance[],
): readonly Receipt[] {
  const { clock, disk, escapes, incidents, limits, links, messages, sql, storage, tag, tail } = parts;
  const now = clock();
  const write = (): readonly (Receipt | CommittedEvent)[] => {
    let { nextSeq } = messages;
    return acceptances.map((acceptance) => {
      const context = { sql, tag, now, nextSeq, links, arrivals: incidents };
      const bytesLeft = disk.bytesLeft(acceptance.event.isOpen === true);
      const refusal = refusalOf(context, { limits, bytesLeft }, acceptance);
      if (refusal !== null) return refusedReceipt(acceptance.event.id, refusal);
      const committed = commitAcceptance(context, acceptance);
      escapes.watch(committed.queued);
      if (committed.isNew && acceptance.changes !== undefined) change(incidents, acceptance.changes);
      disk.accepted(storedBytes(acceptance));
      countAdmitted(limits, acceptance, committed, now);
      nextSeq += committed.queued.length;
      return { acceptance, committed };
    });
  };
  const answered = limits.within(() => incidents.within(() => storage.transactionSync(write)));
  // First: if something below threw, the same numbers would be used again and messages lost.
  const accepted = answered.filter((one) => 'acceptance' in one);
  for (const { acceptance, committed } of accepted)
    messages.written(committed.queued, acceptance.event.receivedAt);
  for (const one of accepted) count(parts, one, now);
  tail.accepted(accepted);
  return answered.map((one) => ('acceptance' in one ? one.committed.receipt : one));
}

/** Changes incidents in the commit of the press: both or neither. */
function change(incidents: Incidents, { change: to, incidents: names, by }: IncidentChange): void {
  for (const name of names)
    if (to === 'acknowledged') incidents.acknowledge(name, by);
    else incidents.close(name, by);
}

function count(
  { alarm, claims: { counters }, heartbeats, madeNothing, owner }: Base,
  { acceptance, committed: { receipt, isNew, queued } }: CommittedEvent,
  now: number,
): void {
  const { event, leftOut } = acceptance;
  if (event.isPress === true && !isNew) return;
  if (receipt.duplicate) counters.duplicate(event.source, now);
  // Its owner is notified soon.
  if (heartbeats.isSilent(event.source)) alarm.bringForward(now);
  if (!isNew) return;
  if (leftOut !== undefined) owner.leftOut(event.source, leftOut);
  if (madeNothing.count(acceptance, now)) owner.madeNothing(event.source);
  counters.event(event);
  counters.queued(event.source, queued.length, now);
}
