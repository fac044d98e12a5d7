import { err, ok, type Result } from '../../lib/result.ts';
import {
  NOBODY,
  type Acceptance,
  type DraftItem,
  type DraftMessage,
  type Quota,
  type Receipt,
} from '../../outbox/state/acceptance.ts';
import { shardName, shardOf } from '../../outbox/state/shards.ts';
import { NOT_ACCEPTED, type NotAccepted } from './not-accepted.ts';

/** The objects of an account, by name. */
export interface Objects {
  /** Hands a part of an event to one of them. */
  readonly accept: (name: string, part: Acceptance) => Promise<Result<Receipt, NotAccepted>>;
  /** Asks one of them, which counts for the source, whether it takes one more webhook. */
  readonly admit: (name: string, source: string, quota: Quota) => Promise<Result<null, NotAccepted>>;
}

/** The spreads that an account's objects are found by. */
interface Spreads {
  /** The one in force. */
  readonly spread: number;
  /** Former spreads whose claims may still be in force, oldest first. */
  readonly former: readonly number[];
}

/** An event is handed on from the former object to the present one once; more often only while a change spreads. */
const MAX_HANDS = 4;

/** Of an object's number and a spread, see `AcceptedEvent.shards`. No account has more than 64 objects. */
const PACK = 64;

/**
 * Hands an event to an account of several objects. Its dedupe key decides which one keeps the event and its claim; each
 * receiver's messages and items go to the receiver's own. The first commit names the other objects, so that a sender that got no
 * answer and tries again completes what is missing. A real duplicate adds nothing.
 *
 * While claims of a former spread are in force, its object is asked first and claims the event if nobody has: callers
 * that know different spreads for a moment meet there. An event that it accepted before is completed there. Any other
 * goes to the object that the first claim named, under the first claim's id, so that no interrupted try loses or
 * doubles it.
 *
 * A source's limit is counted by one object, so that it holds for the whole account. That object also keeps the
 * source's events unless something else decides; otherwise it is asked first.
 */
export async function acceptSharded(
  objects: Objects,
  account: string,
  { spread, former }: Spreads,
  { event, messages, items = [], quota }: Acceptance,
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
    const places = [...messages, ...items].flatMap(placesOf);
    const others = new Set(places.flatMap((place) => (place === null ? [] : [shardOf(place, spread)])));
    if (items.some(({ isEverywhere }) => isEverywhere))
      for (let shard = 0; shard < spread; shard += 1) others.add(shard);
    others.delete(at);
    return {
      event: { ...event, id, shards: [...others].map((shard) => packed(spread, shard)) },
      ...partOf(messages, items, (place) => place === null || shardOf(place, spread) === at),
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

  // A copy has a claim under a key that no other event has, so that it is kept as long as the event's own claim. If it
  // were deleted before, a late duplicate would count as new.
  const { event: id } = first.value;
  const dedupe = event.dedupe === null ? null : { ...event.dedupe, key: id };
  const copy = { ...event, id, dedupe, signed: null, isHome: false, shards: [] };
  const rest = await Promise.all(
    (first.value.shards ?? []).map((code) => {
      // A claim without a spread is from before there were buckets.
      const by = Math.floor(code / PACK) || ([spread, ...former].find((one) => one < 0) ?? spread);
      const shard = code % PACK;
      const theirs = partOf(messages, items, (place) => place !== null && shardOf(place, by) === shard);
      return objects.accept(shardName(account, shard), { event: copy, ...theirs });
    }),
  );
  const failed = rest.find((result) => !result.ok);
  if (failed !== undefined) return failed;
  const receipts = [first, ...rest].flatMap((result) => (result.ok ? [result.value] : []));
  const waiting = receipts.reduce((sum, one) => sum + (one.waiting ?? 0), 0);
  const { duplicate, reason } = first.value;
  return ok({
    event: id,
    duplicate,
    messages: receipts.flatMap((one) => one.messages),
    ...(waiting > 0 && { waiting }),
    ...(reason !== undefined && { reason }),
  });
}

/** What decides which object gets it; null: the one that keeps the event. */
type Place = string | null;

/**
 * A receiver's object sends to him, and knows what he was told once. What has no receiver is told once by the object of
 * its key: another event with that key may be kept elsewhere.
 */
const placeOf = (phone: string | null, { once }: Pick<DraftMessage, 'once'>): Place => phone ?? once ?? null;

const placesOf = (draft: DraftMessage | DraftItem): readonly Place[] =>
  ('phones' in draft ? draft.phones : [draft.phone]).map((phone) => placeOf(phone, draft));

/** What one object gets: the messages of its receivers, and the items with only those. */
function partOf(
  messages: readonly DraftMessage[],
  items: readonly DraftItem[],
  isTheirs: (place: Place) => boolean,
): Pick<Acceptance, 'messages' | 'items'> {
  const own = items
    .map((item) => {
      const phones = item.phones.filter((phone) => isTheirs(placeOf(phone, item)));
      return { ...item, phones: phones.length === 0 && item.isEverywhere === true ? [NOBODY] : phones };
    })
    .filter(({ phones }) => phones.length > 0);
  return {
    messages: messages.filter((message) => isTheirs(placeOf(message.phone, message))),
    ...(own.length > 0 && { items: own }),
  };
}

/** The event with only what claims are looked up by, and nothing that would be stored. */
const claimOf = (event: Acceptance['event'], keeper: number): Acceptance => ({
  event: { ...event, payload: '', headers: '', query: '' },
  messages: [],
  keeper,
});

const packed = (spread: number, shard: number): number => Math.max(0, spread) * PACK + shard;

/**
 * `counts`: the object that counts for the event's source; null: none has to. Two claims have to be seen together, so
 * events with something that is signed only once share the object of their source.
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
