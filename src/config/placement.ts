import * as z from 'zod/mini';
import { MINUTE } from '../lib/duration.ts';

/**
 * A publish is known everywhere within a minute, and the pace looks back another one: after this nothing that was sent
 * by the old shares counts any more.
 */
const SHARES_SETTLE_MS = 2 * MINUTE;

/** What is accepted by an old placement until all know of the new one, and clocks that differ. */
const FORMER_SLACK_MS = 5 * MINUTE;

/** A former placement that ends so soon is asked no more: its last claims are over by then. See FORMER_SLACK_MS. */
const ENDS_SOON_MS = 3 * MINUTE;

/**
 * How an account's objects share its work. `spread` is what `shardOf` finds the object of a key by: over how many
 * objects, below zero by the remainder that was used before there were buckets; 0: the account was removed.
 */
export const placementSchema = z.object({
  spread: z.number(),
  /** The spreads before it, oldest first, and until when (ms) objects that were found by them are asked for claims. */
  former: z.array(z.object({ spread: z.number(), until: z.number() })),
  /** Objects that take no new messages and hold some; `waits`: some of these are still to be sent. */
  left: z.array(z.object({ shard: z.number(), waits: z.boolean() })),
  /** Which objects had a share of the pace before; until then (ms) nobody may send more than by that. */
  shares: z.array(z.object({ shards: z.array(z.number()), until: z.number() })),
  /** The last document of an account that was removed. */
  document: z.optional(z.unknown()),
});

export type Placement = z.output<typeof placementSchema>;
export type Placements = Readonly<Record<string, Placement>>;

/** What an object holds that takes no new messages. */
export type Holds = 'waiting' | 'rows' | 'nothing';

interface Spread {
  readonly shards: number;
  readonly placement?: Placement;
}

/** Nothing is recorded of an account that never changed. */
export const placementOf = ({ shards, placement }: Spread): Placement =>
  placement ?? { spread: shards === 1 ? 1 : -shards, former: [], left: [], shares: [] };

/** The numbers of all objects that hold something or will. */
export const shardsOf = ({ spread, left }: Placement): readonly number[] => [
  ...Array.from({ length: Math.abs(spread) }, (_, shard) => shard),
  ...left.map(({ shard }) => shard),
];

/** The objects that share the pace: what is left and waits for nothing has no share. */
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

/** What an object that takes no new messages says it holds. The same placement: nothing changes by it. */
export function withHeld(from: Placement, shard: number, holds: Holds, now: number): Placement {
  const known = from.left.find((one) => one.shard === shard);
  const was = known === undefined ? 'nothing' : known.waits ? 'waiting' : 'rows';
  // Whoever does not know of the last change yet may still hand something to it, or a claim.
  const isSettling = holds !== 'waiting' && settling(from, now).length > 0;
  const isAsked = from.former.some(({ spread, until }) => shard < Math.abs(spread) && until > now);
  const next = holds === 'nothing' && isAsked ? 'rows' : holds;
  if (shard < Math.abs(from.spread) || isSettling || next === was) return from;
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

/** Nothing has to be known of it beyond the account's document. */
export const isPlain = ({ spread, former, left, shares }: Placement): boolean =>
  spread <= 1 && former.length + left.length + shares.length === 0;
