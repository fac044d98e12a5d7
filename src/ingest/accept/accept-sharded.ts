import { err, ok, type Result } from '../../lib/result.ts';
import type { Acceptance, Quota, Receipt } from '../../outbox/state/acceptance.ts';
import { shardName, shardOf } from '../../outbox/state/shards.ts';
import { NOT_ACCEPTED, type NotAccepted } from './not-accepted.ts';

/** The objects of an account, by name. */
export interface Objects {
  /** Hands a part of an event to one of them. */
  readonly accept: (name: string, part: Acceptance) => Promise<Result<Receipt, NotAccepted>>;
  /** Asks one of them, which counts for the source, whether it takes one more webhook. */
  readonly admit: (name: string, source: string, quota: Quota) => Promise<Result<null, NotAccepted>>;
}

/** By which spreads an account's objects are found. */
export interface Spreads {
  /** The one in force. */
  readonly spread: number;
  /** Those whose claims may still be in force, oldest first. */
  readonly former: readonly number[];
}

/** An event is handed on from former object to present one once; more often only while everybody learns of a change. */
const MAX_HANDS = 4;

/** Of an object's number and a spread, see `AcceptedEvent.shards`. No account has more than 64 objects. */
const PACK = 64;

/**
 * Hands an event to an account of several objects. Its dedupe key decides which one keeps the event and its claim;
 * each receiver's messages go to the receiver's own. The first commit names the other objects, so that a sender that
 * got no answer and tries again completes what is missing, and a real duplicate adds nothing.
 *
 * While claims of a former spread are in force, its object is asked first, and claims the event if nobody has: all who
 * know of different spreads for a moment meet there. What it has kept since before is completed there; all else goes to
 * where the first to claim it wanted it, under the first one's id, so that no try that broke off loses or doubles it.
 *
 * A source's limit is counted by one object, so that it is kept as a whole. Where nothing else decides, that one keeps
 * its events as well; else it is asked first.
 */
export async function acceptSharded(
  objects: Objects,
  account: string,
  { spread, former }: Spreads,
  { event, messages, quota }: Acceptance,
): Promise<Result<Receipt, NotAccepted>> {
  const counts = shardOf(event.source, spread);
  const home = homeOf(event, quota === undefined ? null : counts, spread);
  const hasClaims = event.dedupe !== null || event.signed !== null;
  const [oldest = spread] = hasClaims ? former : [];
  const asked = oldest === spread ? home : homeOf(event, null, oldest);
  const isCountedApart = asked !== counts || asked !== home;
  if (quota !== undefined && isCountedApart) {
    const admitted = await objects.admit(shardName(account, counts), event.source, quota);
    if (!admitted.ok) return admitted;
  }
  const part = (at: number, id = event.id): Acceptance => {
    const own = messages.filter(({ phone }) => phone === null || shardOf(phone, spread) === at);
    const others = new Set(messages.flatMap(({ phone }) => (phone === null ? [] : [shardOf(phone, spread)])));
    others.delete(at);
    return {
      event: { ...event, id, shards: [...others].map((shard) => packed(spread, shard)) },
      messages: own,
    };
  };
  let at = asked;
  let first = await objects.accept(shardName(account, at), {
    ...(at === home ? part(at) : claimOf(event, home)),
    ...(quota !== undefined && !isCountedApart && { quota }),
  });
  for (let hands = 0; first.ok && first.value.keeper !== undefined; hands += 1) {
    if (hands === MAX_HANDS) return err({ problem: NOT_ACCEPTED, refusal: null });
    const handed = { by: at, own: event.id };
    at = first.value.keeper;
    first = await objects.accept(shardName(account, at), { ...part(at, first.value.event), handed });
  }
  if (!first.ok) return first;

  // A copy's claim, under a key that no other event has, makes it stay as long as the event's own claim does: were it
  // gone before, a late duplicate would be taken for new.
  const { event: id } = first.value;
  const dedupe = event.dedupe === null ? null : { ...event.dedupe, key: id };
  const copy = { ...event, id, dedupe, signed: null, isHome: false, shards: [] };
  const rest = await Promise.all(
    (first.value.shards ?? []).map((code) => {
      // Without a spread it was accepted by the one that came before buckets.
      const by = Math.floor(code / PACK) || ([spread, ...former].find((one) => one < 0) ?? spread);
      const shard = code % PACK;
      const theirs = messages.filter(({ phone }) => phone !== null && shardOf(phone, by) === shard);
      return objects.accept(shardName(account, shard), { event: copy, messages: theirs });
    }),
  );
  const failed = rest.find((result) => !result.ok);
  if (failed !== undefined) return failed;
  const ids = [first, ...rest].flatMap((result) => (result.ok ? result.value.messages : []));
  return ok({ event: id, duplicate: first.value.duplicate, messages: ids });
}

/** All that claims are looked for by, and nothing that would be kept. */
const claimOf = (event: Acceptance['event'], keeper: number): Acceptance => ({
  event: { ...event, payload: '', headers: '', query: '' },
  messages: [],
  keeper,
});

const packed = (spread: number, shard: number): number => Math.max(0, spread) * PACK + shard;

/**
 * `counts`: the object that counts for the event's source; null: nobody has to. Two claims have to be seen together, so
 * events of which something is signed only once share the object of their source.
 */
function homeOf(
  { id, source, dedupe, signed }: Acceptance['event'],
  counts: number | null,
  spread: number,
): number {
  if (signed !== null) return shardOf(source, spread);
  if (dedupe !== null) return shardOf(`${source}\n${dedupe.key}`, spread);
  return counts ?? shardOf(id, spread);
}
