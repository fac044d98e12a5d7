import type { EscalationStep } from '../../config/config.ts';
import { namesOf } from '../../config/compile-escalation.ts';
import { bringIn, reachedAt } from './bring-in.ts';
import type { Look } from './context.ts';
import { nameOf, type Entry } from './entries.ts';
import {
  escalationOf,
  mayEscalate,
  nextStep,
  paused,
  resumed,
  withStep,
  type TakenStep,
} from './escalation.ts';
import { heldBy } from './hold-back.ts';
import type { Incident } from './incident.ts';
import { called } from './joined.ts';
import { endRests } from './record.ts';
import { isSuppressedIn } from './suppressed.ts';

/**
 * Takes the steps of an incident that are due: from then on the people of a step are notified like its other receivers.
 * An incident that is held back does not escalate: its steps stand still, and continue when that ends.
 */
export function escalate(look: Look, entry: Entry): void {
  const { open, now } = look;
  const steps = look.rulesFor(entry.group.subscriber).route?.escalate ?? [];
  // An incident that has just expired without a notification is not an entry any more, and nothing changes it.
  if (steps.length === 0 || open.get(entry.ref) !== entry || !mayEscalate(entry.incident)) return;
  const isPaused = escalationOf(entry.incident).pausedAt !== null;
  const isHeld = entry.held !== null && entry.held.why !== 'left';
  const held = heldBy(look, entry);
  if (held !== null) {
    // The incident is looked at again when the hold ends.
    if (!isHeld) open.hold(entry, held, now);
    if (!isPaused) setAll(look, entry, (incident) => paused(incident, now));
    return;
  }
  if (isPaused) setAll(look, entry, (incident) => resumed(incident, now));
  let isAtOnce = false;
  for (let next = nextStep(entry.incident, steps); next !== null; next = nextStep(entry.incident, steps)) {
    if (next.at > now && !isAtOnce && !isHeardByNobody(look, entry)) return;
    // A step without receivers gives way to the next one.
    isAtOnce = take(look, entry, next) === 0;
  }
}

/** True if all its receivers have opted out and none of them can know of it, so there is nobody to wait for. */
const isHeardByNobody = ({ open, config }: Look, { ref }: Entry): boolean =>
  open
    .entriesOf(nameOf(ref))
    .every(
      ({ incident, group }) => incident.believed === 'closed' && isSuppressedIn(config, group.subscriber),
    );

/** Changes an incident for each receiver for whom it is open. */
export function setAll(
  look: Look,
  { ref }: Entry,
  change: (incident: Incident, phone: string) => Incident,
): void {
  for (const entry of look.open.entriesOf(nameOf(ref)))
    if (entry.incident.resolvedAt === null) look.set(entry, change(entry.incident, entry.ref.phone));
}

/** Takes a step, and returns the number of its receivers. */
function take(
  look: Look,
  entry: Entry,
  { step, rule }: { readonly step: number; readonly rule: EscalationStep },
): number {
  const { open, deps, now } = look;
  const isTransactional = look.rulesFor(entry.group.subscriber).route?.isTransactional === true;
  const phones = new Set(rule.to.flatMap((one) => reachedAt(look, one, isTransactional)));
  const taken: TakenStep = {
    step,
    afterMs: rule.afterMs,
    at: now,
    to: phones.size === 0 ? [] : namesOf(rule),
  };
  const known = new Map(open.entriesOf(nameOf(entry.ref)).map((one) => [one.ref.phone, one] as const));
  setAll(look, entry, (incident, phone) => withStep(incident, taken, phones.has(phone)));
  const refs = [...phones].map((phone) => ({ ...entry.ref, phone }));
  for (const ref of refs) {
    const other = known.get(ref.phone);
    // A person who has left the list is a receiver again.
    if (other === undefined) bringIn(look, entry, ref.phone, called);
    else open.release(other, now);
  }
  // They get the whole picture: all that is open in its group and that nobody has.
  for (const one of entry.group.entries)
    if (one !== entry && one.held === null && mayEscalate(one.incident))
      for (const phone of phones)
        if (open.get({ ...one.ref, phone }) === null) bringIn(look, one, phone, called);
  endRests(look, refs);
  deps.onMoved([{ stage: 'incident.escalated', ref: entry.ref, by: String(step) }]);
  if (phones.size === 0) deps.onNobody(entry.ref, step);
  return phones.size;
}
