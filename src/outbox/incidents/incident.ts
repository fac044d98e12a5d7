/**
 * One problem, as one receiver knows it: opened by an item, ended by one, told about in between. An item that belongs to
 * no incident is a problem of its own, which is told once. Pure: nothing here reads a clock or writes a row. Times are
 * ms since the epoch; messages are named by their number in the outbox.
 */
export interface Incident {
  /** Whether it is one item that belongs to no incident. */
  readonly isLone: boolean;
  /** How many items it got, over all its openings. An item's number among them says which fate it has. */
  readonly items: number;
  /** How often it fired since it opened. */
  readonly times: number;
  readonly openedAt: number;
  /** Null: it burns. */
  readonly endedAt: number | null;
  /** When its last item came. */
  readonly heardAt: number;
  /** What its receiver was told of it. `over`: nothing is left to be told. */
  readonly told: 'nothing' | 'burns' | 'over';
  /** The message that told it last; null: none did since it opened. */
  readonly toldIn: number | null;
  readonly toldAt: number | null;
  /** When it opened and ended, as long as flapping is looked for. */
  readonly changes: readonly number[];
  /** `new`: it is flapping, and that is not told yet. */
  readonly flapping: 'no' | 'new' | 'told';
  readonly fates: readonly Fate[];
}

/** What became of items: those up to number `to` that have no earlier fate. */
export interface Fate {
  readonly to: number;
  readonly fate: 'counted' | 'resolved' | 'silenced' | 'inhibited' | 'expired';
  /** The one of them that the message is about: that one was told, the others counted. */
  readonly told?: number;
  /** The message. */
  readonly seq?: number;
  /** The silence, or the incident. */
  readonly by?: string;
}

/** How many changes between burning and not are flapping. */
export interface Flaps {
  readonly changes: number;
  readonly perMs: number;
}

/** Why an incident is not told: a silence, or an incident that is open. */
export interface Held {
  readonly fate: 'silenced' | 'inhibited';
  readonly by: string;
}

/** More than a person reads. Items whose fate is not kept any more count as told long ago. */
const MAX_FATES = 20;

/** The incident after an item. `known`: as it was, if it ever was; `held`: why it is not told at present. */
export function arrive(
  known: Incident | null,
  item: { readonly isResolved: boolean; readonly isLone: boolean },
  { flaps, held, now }: { readonly flaps: Flaps | null; readonly held: Held | null; readonly now: number },
): Incident {
  const before = known ?? { ...NEW, isLone: item.isLone, openedAt: now, endedAt: now };
  const heard = { ...before, items: before.items + 1, heardAt: now };
  if (item.isResolved) return before.endedAt === null ? end(heard, flaps, held, now) : endAgain(heard);
  if (before.endedAt === null) return { ...heard, times: before.times + 1 };
  const changed = change({ ...heard, endedAt: null }, flaps, now);
  // Its receiver still believes that it burns: it is the same.
  if (before.told === 'burns') return { ...changed, times: before.times + 1 };
  const opened: Incident = { ...changed, told: 'nothing', toldIn: null, toldAt: null };
  return opened.flapping === 'no'
    ? { ...opened, times: 1, openedAt: now }
    : { ...opened, times: before.times + 1 };
}

const NEW: Incident = {
  isLone: false,
  items: 0,
  times: 0,
  openedAt: 0,
  endedAt: 0,
  heardAt: 0,
  told: 'over',
  toldIn: null,
  toldAt: null,
  changes: [],
  flapping: 'no',
  fates: [],
};

/** It was over already. The end is told with the earlier one, or nobody waits for it. */
const endAgain = (heard: Incident): Incident =>
  heard.told === 'over' ? fated(heard, { fate: 'resolved' }) : heard;

/** The incident ends, by an item or by a person. */
export function end(incident: Incident, flaps: Flaps | null, held: Held | null, now: number): Incident {
  const ended = change({ ...incident, endedAt: now }, flaps, now);
  if (ended.flapping !== 'no' || ended.told === 'burns') return ended;
  // Ended before it was told: neither is told.
  return fated({ ...ended, told: 'over' }, held ?? { fate: 'resolved' });
}

function change(incident: Incident, flaps: Flaps | null, now: number): Incident {
  if (flaps === null) return { ...incident, changes: [], flapping: 'no' };
  // After a publish that looks further back, what was forgotten stays forgotten.
  const changes = [...incident.changes.filter((at) => at > now - flaps.perMs), now].slice(-flaps.changes);
  const isFlapping = incident.flapping !== 'no' || changes.length >= flaps.changes;
  return {
    ...incident,
    changes,
    flapping: isFlapping && incident.flapping === 'no' ? 'new' : incident.flapping,
  };
}

/** When it has been quiet for long enough (ms); null: it does not flap. */
export const steadyAt = ({ flapping, changes }: Incident, flaps: Flaps | null): number | null =>
  flapping === 'no' ? null : (changes.at(-1) ?? 0) + (flaps?.perMs ?? 0);

/** It does not flap any more. Whatever it is now is told once, if its flapping was told. */
export function steady(incident: Incident, held: Held | null): Incident {
  const { endedAt, flapping } = incident;
  const calm: Incident = { ...incident, flapping: 'no', changes: [] };
  if (endedAt === null) return flapping === 'told' ? { ...calm, told: 'nothing' } : calm;
  return calm.told === 'burns' ? calm : fated({ ...calm, told: 'over' }, held ?? { fate: 'resolved' });
}

/** Nothing was heard of it for too long: it is closed, and nobody is told. */
export const expire = (incident: Incident, now: number): Incident =>
  fated({ ...incident, endedAt: now, told: 'over', flapping: 'no' }, { fate: 'expired' });

/** It will not be told any more: a silence took an item that belongs to no incident. */
export const drop = (incident: Incident, held: Held, now: number): Incident =>
  fated({ ...incident, endedAt: now, told: 'over' }, held);

/** What is to be told of it. `muted`: it flaps, and that was told. `known`: it burns, and that was told. */
export type Pending = 'opened' | 'flaps' | 'ended' | 'known' | 'muted' | 'over';

export function pendingOf({ flapping, endedAt, told }: Incident): Pending {
  if (flapping === 'new') return 'flaps';
  if (flapping === 'told') return 'muted';
  if (told === 'over') return 'over';
  if (endedAt !== null) return 'ended';
  return told === 'nothing' ? 'opened' : 'known';
}

/** Since when it waits to be told (ms). */
export const pendingSince = ({ endedAt, openedAt, changes, flapping }: Incident): number =>
  flapping === 'new' ? (changes.at(-1) ?? openedAt) : (endedAt ?? openedAt);

/** It was told in the message. `isShown`: the message is about it; else it is only counted there. */
export function tell(
  incident: Incident,
  { seq, now, isShown }: { readonly seq: number; readonly now: number; readonly isShown: boolean },
): Incident {
  const pending = pendingOf(incident);
  const first = fatedTo(incident) + 1;
  // A message that says again that it burns only counts what came since.
  const about = pending === 'ended' ? incident.items : pending === 'known' ? null : first;
  const isAbout = isShown && about !== null && about >= first && about <= incident.items;
  const told = { ...incident, toldIn: seq, toldAt: now };
  const next: Incident =
    pending === 'flaps'
      ? { ...told, flapping: 'told', told: 'burns' }
      : { ...told, told: incident.isLone || pending === 'ended' ? 'over' : 'burns' };
  const left = incident.isLone ? { ...next, endedAt: now } : next;
  return fated(left, { fate: 'counted', seq, ...(isAbout && { told: about }) });
}

/** How many items have their fate. */
const fatedTo = ({ fates }: Incident): number => fates.at(-1)?.to ?? 0;

function fated(incident: Incident, fate: Omit<Fate, 'to'>): Incident {
  const { items, fates } = incident;
  if (fatedTo(incident) === items) return incident;
  const [first, second, ...rest] = [...fates, { ...fate, to: items }];
  if (first === undefined || second === undefined || rest.length < MAX_FATES - 1)
    return { ...incident, fates: [...fates, { ...fate, to: items }] };
  // In which of the old messages they were counted is not known any more.
  return { ...incident, fates: [{ to: second.to, fate: 'counted' }, ...rest] };
}

/**
 * The message that told it last is not sent after all: something newer replaces it. `before`: the incident before it was
 * told there; since then it may have got items.
 */
export function takeBack(incident: Incident, before: Incident, seq: number): Incident {
  // It fired after the end that is not told now: to its receiver it burned all the time.
  const isAgain = incident.toldIn !== seq && before.told === 'burns';
  const undone: Incident = {
    ...incident,
    openedAt: isAgain ? before.openedAt : incident.openedAt,
    times: isAgain ? before.times + incident.times : incident.times,
    told: before.told,
    toldIn: before.toldIn,
    toldAt: before.toldAt,
    flapping: incident.flapping === 'told' ? before.flapping : incident.flapping,
    fates: incident.fates.filter((fate) => fate.seq !== seq),
    endedAt: incident.isLone ? null : incident.endedAt,
  };
  return pendingOf(undone) === 'ended' && undone.told === 'nothing'
    ? fated({ ...undone, told: 'over' }, { fate: 'resolved' })
    : undone;
}

/** What became of its `n`th item; null: it waits. */
export function fateOf({ fates }: Incident, n: number): Fate | null {
  return fates.find(({ to }) => n <= to) ?? null;
}
