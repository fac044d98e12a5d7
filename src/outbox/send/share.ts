/**
 * How many messages wait in memory at most, some 500 bytes each. Sources and receivers take turns among these. Retries that are due have
 * room that fresh messages leave, and urgent messages room that both leave.
 */
const ROOM = { fresh: 40_000, due: 45_000, urgent: 50_000 } as const;

export type ShareKind = keyof typeof ROOM;

/** A receiver may take an eighth of the room that is left, … */
const PARTS = 8;

/** … and at least this many messages. */
const LEAST = 16;

/** What may be there of a receiver already: retries stand in one line with its fresh messages, and have a share of their own. */
const BESIDE = { fresh: 0, due: ROOM.fresh / PARTS, urgent: 0 } as const;

const partOf = (kind: ShareKind, size: number): number =>
  Math.max(LEAST, Math.floor((ROOM[kind] - size) / PARTS));

/** Whether there is no room left for a message of this kind. */
export const isFull = (kind: ShareKind, size: number): boolean => size >= ROOM[kind];

/** How many messages may be in memory for one receiver, when `size` wait there in all: there is always room for others. */
export const shareOf = (kind: ShareKind, size: number): number => BESIDE[kind] + partOf(kind, size);

/** Whether more is to be read for a receiver that had its share, and has `loaded` now. */
export const isLow = (kind: ShareKind, loaded: number, size: number): boolean =>
  loaded < BESIDE[kind] + partOf(kind, size) / 2;
