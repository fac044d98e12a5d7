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
