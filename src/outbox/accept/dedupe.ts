import { isAny, replaceRow } from '../../lib/store.ts';
import { DAY, HOUR } from '../../lib/time.ts';
import type { Acceptance, AcceptedEvent, DraftItem, DraftMessage, EventReason } from '../state/acceptance.ts';
import { claimKey, itemClaimKey, keysOf, onceKey } from '../state/event.ts';

export interface ClaimContext {
  readonly sql: SqlStorage;
  readonly now: number;
}

/** A key that an event takes for a time: no other event of its source gets it meanwhile. */
interface Claim {
  readonly key: string;
  readonly windowMs: number;
}

const SIGNED_BEFORE = 'everything that its sender signed has arrived before';

/** Returns the event that this one repeats: by its own key, or because everything signed in it came before (`reason`). */
export function firstOf(
  context: ClaimContext,
  event: AcceptedEvent,
): { readonly id: string; readonly reason?: string } | null {
  const { id, dedupe, signed, source } = event;
  const byKey = dedupe === null ? null : claimedBy(context, claimKey(source, dedupe.key));
  if (byKey !== null && byKey !== id) return { id: byKey };
  const owners = (signed?.keys ?? []).map((key) => claimedBy(context, itemClaimKey(source, key)));
  const [first] = owners;
  const isKnown = owners.every((owner) => owner !== null && owner !== id);
  return isKnown && first ? { id: first, reason: SIGNED_BEFORE } : null;
}

/** Of keys in an event's row, which ends at 2 MB (characters). Claims beyond this are never deleted. */
const MAX_KEYS_OF_DUPLICATES = 60_000;

/** The first event claims the duplicate's new signatures as well, so that these make no further event. */
export function addDuplicate(context: ClaimContext, event: AcceptedEvent, first: string): void {
  const signed = unclaimedSigned(context, event);
  insertClaims(context, { ...event, id: first }, signed);
  if (signed.length === 0)
    context.sql.exec('UPDATE events SET duplicates = duplicates + 1 WHERE id = ?', first);
  for (const [at, { key }] of signed.entries())
    context.sql.exec(
      `UPDATE events SET duplicates = duplicates + ?, item_keys = CASE
         WHEN length(item_keys) < ${MAX_KEYS_OF_DUPLICATES} THEN json_insert(item_keys, '$[#]', ?) ELSE item_keys END
         WHERE id = ?`,
      at === 0 ? 1 : 0,
      key,
      first,
    );
}

export const unclaimedSigned = (context: ClaimContext, { source, signed }: AcceptedEvent): readonly Claim[] =>
  (signed?.keys ?? []).flatMap((key) =>
    claimedBy(context, itemClaimKey(source, key)) === null ? [{ key, windowMs: signed?.windowMs ?? 0 }] : [],
  );

export function claimOwn(context: ClaimContext, event: AcceptedEvent): void {
  const { source, dedupe } = event;
  if (dedupe !== null) insertClaim(context, event, claimKey(source, dedupe.key), dedupe.windowMs);
}

export function insertClaims(context: ClaimContext, event: AcceptedEvent, claims: readonly Claim[]): void {
  for (const { key, windowMs } of claims)
    insertClaim(context, event, itemClaimKey(event.source, key), windowMs);
}

/** Leaves out items that came before, as after a lost answer, and what `once` has said. Of both, both must be new. */
export function unseenItems(
  context: ClaimContext,
  event: AcceptedEvent,
  { messages, items = [] }: Pick<Acceptance, 'messages' | 'items'>,
) {
  /** The event that has a key, by key; null if only this one has it. */
  const owners = new Map<string, string | null>();
  const ownerOf = (key: string | undefined): string | null => {
    if (key === undefined) return null;
    let owner = owners.get(key);
    if (owner === undefined) {
      const by = claimedBy(context, itemClaimKey(event.source, key));
      owner = by === event.id ? null : by;
      owners.set(key, owner);
    }
    return owner;
  };
  const came: string[] = [];
  const said: string[] = [];
  let repeats = 0;
  const isFresh = (draft: DraftMessage | DraftItem): boolean => {
    const before = ownerOf(draft.itemKey);
    const saidBy = ownerOf(onceKey(draft.route, draft));
    if (before !== null) came.push(before);
    else if (saidBy !== null) said.push(saidBy);
    if (before === null && saidBy === null) return true;
    repeats += 'phones' in draft ? draft.phones.length : 1;
    return false;
  };
  const fresh = messages.filter(isFresh);
  const freshItems = items.filter(isFresh);
  const leftOut = (by: readonly string[], why: string): readonly EventReason[] => {
    if (by.length === 0) return [];
    const events = [...new Set(by)].slice(0, 3).join(', ');
    const message = `left out ${by.length} of its ${messages.length + items.length} messages: ${why}, in ${events}`;
    return [{ code: 'duplicate', message, params: { left: String(by.length), events } }];
  };
  const keys = [...new Set([...fresh, ...freshItems].flatMap(keysOf))];
  const claims = keys.map((key) => ({ key, windowMs: event.itemWindowMs }));
  const ofItems = leftOut(came, 'their items arrived before');
  const ofOnce = leftOut(said, 'their `once` value arrived before');
  return { fresh, freshItems, claims, repeats, reasons: [...ofItems, ...ofOnce] };
}

/** What is known of an event: it was accepted before, or it repeats another one. Null: it is new. */
export function knownAs(context: ClaimContext, event: AcceptedEvent): 'accepted' | 'duplicate' | null {
  if (firstOf(context, event) !== null) return 'duplicate';
  return isStored(context, event.id) ? 'accepted' : null;
}

export const isStored = ({ sql }: Pick<ClaimContext, 'sql'>, eventId: string): boolean =>
  isAny(sql, 'SELECT 1 FROM events WHERE id = ?', eventId);

export function claimedBy({ sql, now }: ClaimContext, key: string): string | null {
  const claim = sql
    .exec<{ event_id: string; expires_at: number }>(
      'SELECT event_id, expires_at FROM dedupe_claims WHERE key = ?',
      key,
    )
    .toArray()[0];
  return claim === undefined || claim.expires_at <= now ? null : claim.event_id;
}

function insertClaim({ sql }: ClaimContext, event: AcceptedEvent, key: string, windowMs: number): void {
  replaceRow(sql, 'dedupe_claims', { key, event_id: event.id, expires_at: event.receivedAt + windowMs });
}

/** The maximum number of messages from one form to a number in any 24 hours: anybody can enter anybody's number. */
const VISITOR_MESSAGES_PER_DAY = 3;

/** The first of so many places that no event has, nor one of these claims; null if there is none. */
function freePlace(
  context: ClaimContext,
  source: string,
  place: string,
  count: number,
  taken: readonly Claim[] = [],
): string | null {
  for (let at = 0; at < count; at += 1) {
    const key = `${place}:${at}`;
    const isTaken = taken.some((one) => one.key === key);
    if (!isTaken && claimedBy(context, itemClaimKey(source, key)) === null) return key;
  }
  return null;
}

/** Of one more form from its address; null if the address is not limited, or over its limit. */
export function addressClaim(context: ClaimContext, { event, address }: Acceptance): Claim | null {
  const { code = '', perHour = 0 } = address ?? {};
  const key = freePlace(context, event.source, `address:${code}`, perHour);
  return key === null ? null : { key, windowMs: HOUR };
}

/** Leaves out messages over the limit of their number. `claims`: one for each message to a visitor's number. */
export function ofToday(context: ClaimContext, { source }: AcceptedEvent, messages: readonly DraftMessage[]) {
  const claims: Claim[] = [];
  const kept = messages.filter(({ toVisitor = false, phone }) => {
    if (!toVisitor) return true;
    const key = freePlace(context, source, `visitor:${phone}`, VISITOR_MESSAGES_PER_DAY, claims);
    if (key !== null) claims.push({ key, windowMs: DAY });
    return key !== null;
  });
  const leftOut = messages.length - kept.length;
  const message = `${leftOut} of its messages ${leftOut === 1 ? 'was' : 'were'} left out: a visitor’s number gets at most ${VISITOR_MESSAGES_PER_DAY} a day`;
  const params = { left: String(leftOut), max: String(VISITOR_MESSAGES_PER_DAY) };
  const reasons: readonly EventReason[] = leftOut === 0 ? [] : [{ code: 'left-out', message, params }];
  return { kept, claims, reasons };
}
