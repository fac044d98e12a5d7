import { ok, type Result } from '../lib/result.ts';
import type { Acceptance, DraftMessage, Quota, Receipt } from '../outbox/acceptance.ts';
import { shardName, shardOf } from '../outbox/shards.ts';
import type { NotAccepted } from './accept.ts';

/** The objects of an account, by name. */
export interface Objects {
  /** Hands a part of an event to one of them. */
  readonly accept: (name: string, part: Acceptance) => Promise<Result<Receipt, NotAccepted>>;
  /** Asks one of them, which counts for the source, whether it takes one more webhook. */
  readonly admit: (name: string, source: string, quota: Quota) => Promise<Result<null, NotAccepted>>;
}

/**
 * Hands an event to an account of several objects. Its dedupe key decides which one keeps the event and its claim;
 * each receiver's messages go to the receiver's own. The first commit names the other objects, so that a sender that
 * got no answer and tries again completes what is missing, and a real duplicate adds nothing.
 *
 * A source's limit is counted by one object, so that it is kept as a whole. Where nothing else decides, that one keeps
 * its events as well; else it is asked first.
 */
export async function acceptSharded(
  objects: Objects,
  account: string,
  shards: number,
  { event, messages, quota }: Acceptance,
): Promise<Result<Receipt, NotAccepted>> {
  const counts = shardOf(event.source, shards);
  const home = homeOf(event, quota === undefined ? null : counts, shards);
  if (quota !== undefined && home !== counts) {
    const admitted = await objects.admit(shardName(account, counts), event.source, quota);
    if (!admitted.ok) return admitted;
  }
  const byShard = groupByShard(messages, home, shards);
  const others = [...byShard.keys()].filter((shard) => shard !== home);
  const first = await objects.accept(shardName(account, home), {
    event: { ...event, shards: others },
    messages: byShard.get(home) ?? [],
    ...(quota !== undefined && home === counts && { quota }),
  });
  if (!first.ok) return first;

  // A copy's claim, under a key that no other event has, makes it stay as long as the event's own claim does: were it
  // gone before, a late duplicate would be taken for new.
  const { event: id } = first.value;
  const dedupe = event.dedupe === null ? null : { ...event.dedupe, key: id };
  const copy = { ...event, id, dedupe, signed: null, isHome: false, shards: [] };
  const rest = await Promise.all(
    (first.value.shards ?? []).map((shard) =>
      objects.accept(shardName(account, shard), { event: copy, messages: byShard.get(shard) ?? [] }),
    ),
  );
  const failed = rest.find((result) => !result.ok);
  if (failed !== undefined) return failed;
  const ids = [first, ...rest].flatMap((result) => (result.ok ? result.value.messages : []));
  return ok({ event: id, duplicate: first.value.duplicate, messages: ids });
}

/**
 * `counts`: the object that counts for the event's source; null: nobody has to. Two claims have to be seen together, so
 * events of which something is signed only once share the object of their source.
 */
function homeOf(
  { id, source, dedupe, signed }: Acceptance['event'],
  counts: number | null,
  shards: number,
): number {
  if (signed !== null) return shardOf(source, shards);
  if (dedupe !== null) return shardOf(`${source}\n${dedupe.key}`, shards);
  return counts ?? shardOf(id, shards);
}

/** A status has no receiver: it stays with its event. */
function groupByShard(
  messages: readonly DraftMessage[],
  home: number,
  shards: number,
): ReadonlyMap<number, DraftMessage[]> {
  const groups = new Map<number, DraftMessage[]>();
  for (const message of messages) {
    const shard = message.phone === null ? home : shardOf(message.phone, shards);
    const group = groups.get(shard);
    if (group === undefined) groups.set(shard, [message]);
    else group.push(message);
  }
  return groups;
}
