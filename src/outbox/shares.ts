/**
 * Who may use how much of what an account has in common: a receiver's hour, the pace, first contacts, open incidents,
 * memory. Sources that cannot prove their sender, so that anybody may post, have a part of what is free; signed ones a
 * larger one; and what is urgent has a reserve that nobody else takes. docs/guarantees.md has the table.
 */

/**
 * What a message or an incident is to the shares. `urgent`: `priority: high`, of a source that proves its sender, or sent
 * by hand. `open`: anybody may have written it, whatever its priority.
 */
export const STANDINGS = ['signed', 'urgent', 'open'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Rows have the number of a standing. */
export type StandingNumber = 0 | 1 | 2;

export const standingOf = (isOpen: boolean, priority: 'normal' | 'high'): Standing =>
  isOpen ? 'open' : priority === 'high' ? 'urgent' : 'signed';

/** A receiver's hour: open sources have half of it; urgent messages have as many beside it, which nobody else takes. */
export const hourOf = (standing: Standing, perHour: number): number =>
  standing === 'open' ? half(perHour) : perHour;

/**
 * The part of a pace that a message leaves to those before it, of a minute's sends or of a burst: a tenth is kept for
 * urgent messages, and half for all that are signed.
 */
export const leftOfPace = (standing: Standing, size: number): number =>
  standing === 'urgent' ? 0 : standing === 'signed' ? Math.floor(size / 10) : Math.floor(size / 2);

/** First contacts of a day. Urgent messages are not limited. */
export const contactsOf = (standing: Standing, perDay: number): number =>
  standing === 'urgent' ? Infinity : standing === 'open' ? Math.max(1, Math.floor(perDay / 3)) : perDay;

/** Open incidents, in all: of the source that has one more, of all open sources, and of everybody. */
interface Held {
  readonly own: number;
  readonly open: number;
  readonly all: number;
}

/**
 * True if a source may hold one more of what has room for `room`: three quarters of what others leave it. All open
 * sources together have a quarter of the room that others leave, and urgent ones a tenth beyond the room.
 */
export function mayHold(standing: Standing, { own, open, all }: Held, room: number): boolean {
  const isOpen = standing === 'open';
  const total = isOpen ? (room - (all - open)) / 4 : standing === 'urgent' ? room * 1.1 : room;
  return own < ((total - ((isOpen ? open : all) - own)) * 3) / 4;
}

/**
 * The maximum number of waiting messages in memory, some 500 bytes each. Sources and receivers take turns among
 * these. Retries that are due have the space that fresh messages leave, and urgent messages the space that both
 * leave.
 */
const ROOM = { fresh: 40_000, due: 45_000, urgent: 50_000 } as const;

export type ShareKind = keyof typeof ROOM;

/** A receiver may take one eighth of the remaining room, … */
const PARTS = 8;

/** … and at least this many messages. */
const LEAST = 16;

/** Messages of open sources may take this many, whoever their receivers are. */
const MOST_OPEN = ROOM.fresh / 4;

/**
 * The number of a receiver's messages that may already be there: retries are in one line with its fresh messages, and
 * have a share of their own.
 */
const BESIDE = { fresh: 0, due: ROOM.fresh / PARTS, urgent: 0 } as const;

const partOf = (kind: ShareKind, size: number): number =>
  Math.max(LEAST, Math.floor((ROOM[kind] - size) / PARTS));

/** True if there is no space left for a message of this kind. */
export const isFull = (kind: ShareKind, size: number): boolean => size >= ROOM[kind];

/**
 * Returns the maximum number of messages in memory for one receiver when `size` wait there in total: there is always
 * space for others.
 */
export const shareOf = (kind: ShareKind, size: number): number => BESIDE[kind] + partOf(kind, size);

/** True if more must be read for a receiver that had reached its share, and now has `loaded` messages. */
export const isLow = (kind: ShareKind, loaded: number, size: number): boolean =>
  loaded < BESIDE[kind] + partOf(kind, size) / 2;

/** The same for all open sources together. */
export const isOpenFull = (loaded: number): boolean => loaded >= MOST_OPEN;
export const isOpenLow = (loaded: number): boolean => loaded < MOST_OPEN / 2;

const half = (of: number): number => Math.max(1, Math.floor(of / 2));
