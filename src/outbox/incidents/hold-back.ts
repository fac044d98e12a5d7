import { silencedBy } from '../../config/compiled/silenced.ts';
import { isOfSummaries } from './beyond.ts';
import type { Look, Move } from './context.ts';
import { silenceable } from './elements.ts';
import { nameOf, type Entry } from './entries.ts';
import { idOfName } from './incident-id.ts';
import { drop, isEnd, pendingOf } from './incident.ts';
import type { OpenIncidents } from './open-incidents.ts';
import { welcome } from './receivers.ts';
import { isAmong } from './rules.ts';

/**
 * Looks for reasons to hold back openings, repeats and flapping notices, but never a resolution: a silence, another
 * open incident, or a list that its receiver has left. An incident stays held back only if something still matches its
 * newest item. Returns true if an incident is now held back that was not before, or was for another reason.
 */
export function holdBack(look: Look, entries: Iterable<Entry>): boolean {
  const { open, now } = look;
  const moves: Move[] = [];
  let isAny = false;
  for (const entry of entries) {
    const { ref, incident } = entry;
    const pending = pendingOf(incident);
    if (isEnd(pending) || pending === 'nothing') continue;
    const held = whyHeld(look, entry);
    if (held === null) open.release(entry, now);
    if (held === null || (held.why === entry.held?.why && held.by === entry.held.by)) continue;
    isAny = true;
    // The item was routed before its receiver left.
    if (held.why === 'left' && !incident.isLone) welcome(look, open.entriesOf(nameOf(ref)));
    if (incident.isLone && !isOfSummaries(ref)) look.set(entry, drop(incident, held, now));
    else {
      const by = held.why === 'inhibited' ? idOfName(look.sql, held.by) : held.by;
      if (held.why !== 'left' && !incident.isLone) moves.push({ stage: 'incident.held', ref, by });
      open.hold(entry, held, now);
    }
  }
  look.moved(moves);
  return isAny;
}

function whyHeld(look: Look, entry: Entry): Entry['held'] {
  const rules = look.rulesFor(entry.group.subscriber);
  // Items that wait for a route that is gone are notified by the built-in text. An item of no incident is like a
  // message: it stays with the person who was on call when it came.
  const isReceiver = entry.incident.isLone ? rules.isMember : isAmong(rules, entry.incident);
  if (rules.route !== null && !isReceiver) return { why: 'left', by: '', until: null };
  return heldBy(look, entry);
}

/** Returns the silence or the open incident that holds an incident back; null if none does. */
export function heldBy(look: Look, entry: Entry): Entry['held'] {
  const { open, config, now, sql } = look;
  const { locale } = look.rulesFor(entry.group.subscriber);
  const inhibitor = entry.grouping.inhibitedBy.find(
    (name) => name !== nameOf(entry.ref) && open.isOpen(name) && !isOlderInCircle(open, entry, name),
  );
  if (inhibitor !== undefined) return { why: 'inhibited', by: inhibitor, until: null };
  if (config.silences.length === 0) return null;
  const silence = silencedBy(config.silences, silenceable(sql, entry), locale, now);
  return silence === null ? null : { why: 'silenced', by: silence.id, until: silence.until };
}

/** Two incidents that inhibit each other would both be held back for ever, so the older one is not. */
function isOlderInCircle(open: OpenIncidents, entry: Entry, inhibitor: string): boolean {
  const name = nameOf(entry.ref);
  const seen = new Set<string>();
  const waiting = [inhibitor];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const { grouping } of open.entriesOf(next))
      waiting.push(...grouping.inhibitedBy.filter((one) => open.isOpen(one)));
  }
  if (!seen.has(name)) return false;
  const openedAt = oldestOf(open, inhibitor);
  const own = oldestOf(open, name);
  return own < openedAt || (own === openedAt && name < inhibitor);
}

/** Returns the time when an incident opened for its first receiver (ms): the same even for one that joined later. */
const oldestOf = (open: OpenIncidents, name: string): number =>
  Math.min(...open.entriesOf(name).map(({ incident }) => incident.openedAt));
