import type { AccountPolicy } from '../../config/config.ts';
import { fnv } from '../../lib/fnv.ts';
import { placementOf, sendersOf, shardsOf } from '../../config/placement.ts';

/** Separates an account's name from the number of a further object; no name contains it. */
const MARK = '#';

export const shardName = (account: string, shard: number): string =>
  shard === 0 ? account : `${account}${MARK}${shard}`;

/** The account of an object of this name. */
export const accountOf = (objectName: string): string => objectName.split(MARK, 1)[0] ?? objectName;

/** The number of an object of this name. */
export const shardIn = (objectName: string): number => Number(objectName.split(MARK)[1] ?? 0);

/** The names of all objects that hold something of an account, or will. The one with the account's name is first. */
export const objectNames = (
  account: string,
  policy: Pick<AccountPolicy, 'shards' | 'placement'> | undefined,
): readonly string[] =>
  shardsOf(placementOf(policy ?? { shards: 1 })).map((shard) => shardName(account, shard));

/** The same, of all accounts. */
export const allObjectNames = (
  accounts: ReadonlyMap<string, Pick<AccountPolicy, 'shards' | 'placement'>>,
): readonly string[] => [...accounts].flatMap(([account, policy]) => objectNames(account, policy));

/** Enough buckets for 64 objects to have nearly equal shares of them. */
const BUCKETS = 16_384;

/**
 * Which object a key belongs to; the same spread always gives the same one. Keys are put into buckets (FNV-1a). A
 * bucket moves only to an object that is added, or away from one that is removed.
 */
export function shardOf(key: string, spread: number): number {
  const hash = fnv(key);
  // The rule from before there were buckets.
  if (spread < 0) return hash % -spread;
  let shard = 0;
  for (let next = 1; next < spread; next += 1) if (mix(hash % BUCKETS, next) % (next + 1) === 0) shard = next;
  return shard;
}

/** A number that shows no pattern over buckets or over objects: the finish of MurmurHash3. */
function mix(bucket: number, object: number): number {
  let hash = bucket + object * BUCKETS;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * One object's share of the account's pace. Together the objects never exceed it, not even while only some know of a
 * change: a share grows only once all of them know. A receiver has all its messages in one object.
 */
export function shardPolicy(policy: AccountPolicy, shard: number, now: number): AccountPolicy {
  const { rate } = policy;
  if (rate === null) return policy;
  const placement = placementOf(policy);
  const before = placement.shares.filter(({ until }) => until > now).map(({ shards }) => shards);
  const divisors = [sendersOf(placement), ...before].map((senders) => {
    // When the pace is less than one for each object, only the first ones send; the next follow once these are empty.
    const parts = Math.min(senders.length, rate.perMinute, rate.burst);
    const rank = senders.indexOf(shard);
    return rank >= 0 && rank < parts ? parts : Infinity;
  });
  const most = Math.max(...divisors);
  return most === 1
    ? policy
    : {
        ...policy,
        rate: { perMinute: Math.floor(rate.perMinute / most), burst: Math.floor(rate.burst / most) },
      };
}
