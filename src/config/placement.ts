import * as z from 'zod/mini';
import { MINUTE } from '../lib/duration.ts';

/**
 * A publish is known everywhere within a minute, and the pace counts the last minute: after this (ms) no call under the
 * old shares counts any more.
 */
const SHARES_SETTLE_MS = 2 * MINUTE;

/**
 * Slack (ms) for events that are accepted by an old placement until the new one is known everywhere, and for clocks
 * that differ.
 */
const FORMER_SLACK_MS = 5 * MINUTE;

/**
 * A former placement that ends this soon (ms) is not asked any more: its last claims have expired by then. See
 * FORMER_SLACK_MS.
 */
const ENDS_SOON_MS = 3 * MINUTE;

/**
 * How an account's objects share its work. `shardOf` finds the object of a key by `spread`: the number of objects;
 * negative: by the remainder, as before there were buckets; 0: the account was removed.
 */
export const placementSchema = z.object({
  spread: z.number(),
  /** Former spreads, oldest first, and until when (ms) the objects that they lead to are asked for claims. */
  former: z.array(z.object({ spread: z.number(), until: z.number() })),
  /** Objects that get no new messages but hold some; `waits`: some of these are still to be sent. */
  left: z.array(z.object({ shard: z.number(), waits: z.boolean() })),
  /** Which objects shared the pace before; until then (ms) none may send more than its former share. */
  shares: z.array(z.object({ shards: z.array(z.number()), until: z.number() })),
  /** The last document of an account that was removed. */
  document: z.optional(z.unknown()),
});

export type Placement = z.output<typeof placementSchema>;
export type Placements = Readonly<Record<string, Placement>>;

/** What an object holds that gets no new messages. */
export type Holds = 'waiting' | 'rows' | 'nothing';

interface Spread {
  readonly shards: number;
  readonly placement?: Placement;
}

/** Nothing is recorded for an account that never changed. */
export const placementOf = ({ shards, placement }: Spread): Placement =>
  placement ?? { spread: shards === 1 ? 1 : -shards, former: [], left: [], shares: [] };

/** The numbers of all objects that hold messages or will. */
export const shardsOf = ({ spread, left }: Placement): readonly number[] => [
  ...Array.from({ length: Math.abs(spread) }, (_, shard) => shard),
  ...left.map(({ shard }) => shard),
];

/** The objects that share the pace: a former object with nothing to send has no share. */
export const sendersOf = (placement: Placement): readonly number[] =>
  shardsOf({ ...placement, left: placement.left.filter(({ waits }) => waits) });

/** A placement over another number of objects; 0: the account is removed. `windowMs`: how long claims are kept. */
export function spreadOver(
  from: Placement,
  shards: number,
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Placement {
  const former = from.former.filter(({ until }) => until > now + ENDS_SOON_MS);
  if (shards === Math.abs(from.spread)) return { ...from, former, shares: settling(from, now) };
  const last = { spread: from.spread, until: now + windowMs + FORMER_SLACK_MS };
  return {
    spread: shards,
    former: from.spread === 0 ? former : [...former, last],
    left: shardsOf(from)
      .filter((shard) => shard >= shards)
      .map((shard) => from.left.find((one) => one.shard === shard) ?? { shard, waits: true }),
    shares: reshared(from, now),
  };
}

/** What an object without new messages held by its last report. */
export function heldBy({ left }: Placement, shard: number): Holds {
  const known = left.find((one) => one.shard === shard);
  return known === undefined ? 'nothing' : known.waits ? 'waiting' : 'rows';
}

/** The placement after an object that gets no new messages reports what it holds. The same placement: no change. */
export function withHeld(from: Placement, shard: number, holds: Holds, now: number): Placement {
  // An isolate that does not know of the last change yet may still hand messages or a claim to it.
  const isSettling = holds !== 'waiting' && settling(from, now).length > 0;
  const isAsked = from.former.some(({ spread, until }) => shard < Math.abs(spread) && until > now);
  const next = holds === 'nothing' && isAsked ? 'rows' : holds;
  if (shard < Math.abs(from.spread) || isSettling || next === heldBy(from, shard)) return from;
  const others = from.left.filter((one) => one.shard !== shard);
  const left = next === 'nothing' ? others : [...others, { shard, waits: next === 'waiting' }];
  return { ...from, left, shares: reshared(from, now) };
}

const settling = ({ shares }: Placement, now: number): Placement['shares'] =>
  shares.filter(({ until }) => until > now);

const reshared = (from: Placement, now: number): Placement['shares'] => [
  ...settling(from, now),
  { shards: [...sendersOf(from)], until: now + SHARES_SETTLE_MS },
];

/** Whether the account's document alone says all. */
export const isPlain = ({ spread, former, left, shares }: Placement): boolean =>
  spread <= 1 && former.length + left.length + shares.length === 0;
