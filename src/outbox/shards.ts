import type { AccountPolicy } from '../config/config.ts';

/** Stands between an account's name and the number of a further object; it cannot be part of a name. */
const MARK = '#';

/** The names of an account's objects: the account's own, then `account#1` and so on. */
export const shardNames = (account: string, shards: number): readonly string[] =>
  Array.from({ length: shards }, (_, shard) => shardName(account, shard));

export const shardName = (account: string, shard: number): string =>
  shard === 0 ? account : `${account}${MARK}${shard}`;

/** The account that an object of this name carries, or a part of it. */
export const accountOf = (objectName: string): string => objectName.split(MARK, 1)[0] ?? objectName;

/** Which of so many objects a key belongs to: always the same one, so that order a receiver is kept (FNV-1a). */
export function shardOf(key: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % shards;
}

/** One object's share of the account's pace: together they never exceed it. A receiver has all its messages in one. */
export function shardPolicy(policy: AccountPolicy): AccountPolicy {
  const { rate, shards } = policy;
  if (rate === null || shards === 1) return policy;
  return {
    ...policy,
    rate: { perMinute: Math.floor(rate.perMinute / shards), burst: Math.floor(rate.burst / shards) },
  };
}
