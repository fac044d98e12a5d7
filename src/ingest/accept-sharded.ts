import type { Problem } from '../lib/problem.ts';
import { ok, type Result } from '../lib/result.ts';
import type { Acceptance, DraftMessage, Receipt } from '../outbox/acceptance.ts';
import { shardName, shardOf } from '../outbox/shards.ts';

/** Hands a part of an event to the object of this name. */
export type AcceptIn = (objectName: string, part: Acceptance) => Promise<Result<Receipt, Problem>>;

/**
 * Hands an event to an account of several objects. Its dedupe key decides which one keeps the event and its claim;
 * each receiver's messages go to the receiver's own. The first commit names the other objects, so that a sender that
 * got no answer and tries again completes what is missing, and a real duplicate adds nothing.
 */
export async function acceptSharded(
  acceptIn: AcceptIn,
  account: string,
  shards: number,
  { event, messages }: Acceptance,
): Promise<Result<Receipt, Problem>> {
  const home = shardOf(event.dedupe === null ? event.id : `${event.source}\n${event.dedupe.key}`, shards);
  const byShard = groupByShard(messages, home, shards);
  const others = [...byShard.keys()].filter((shard) => shard !== home);
  const atHome = { event: { ...event, shards: others }, messages: byShard.get(home) ?? [] };
  const first = await acceptIn(shardName(account, home), atHome);
  if (!first.ok) return first;

  // A copy's claim, under a key that no other event has, makes it stay as long as the event's own claim does: were it
  // gone before, a late duplicate would be taken for new.
  const { event: id } = first.value;
  const dedupe = event.dedupe === null ? null : { ...event.dedupe, key: id };
  const copy = { ...event, id, dedupe, isHome: false, shards: [] };
  const rest = await Promise.all(
    (first.value.shards ?? []).map((shard) =>
      acceptIn(shardName(account, shard), { event: copy, messages: byShard.get(shard) ?? [] }),
    ),
  );
  const failed = rest.find((result) => !result.ok);
  if (failed !== undefined) return failed;
  const ids = [first, ...rest].flatMap((result) => (result.ok ? result.value.messages : []));
  return ok({ event: id, duplicate: first.value.duplicate, messages: ids });
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
