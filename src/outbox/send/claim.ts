import { describeError } from '../../lib/log.ts';
import type { AccountPolicy } from '../../config/compiled/config.ts';
import { messageRow, type End, type MessageRow } from '../state/message.ts';
import { EXPIRED } from '../state/reason.ts';
import { contactsOf, standingIn, type Standing } from '../../lib/shares.ts';
import { contactAt, type Contacts } from './contacts.ts';
import type { Pace } from './pace.ts';
import type { Queue } from './queue.ts';
import type { Ready } from './ready-rows.ts';

const notMet = (perDay: number): string =>
  `no first contact was left that day: sources that cannot prove their sender have ${contactsOf('open', perDay)} of ${perDay} (\`new_contacts\`)`;

/** The limit on new receivers in a day. `going`: the receivers whose calls are under way. */
interface NewContacts {
  readonly known: Contacts;
  readonly perDay: number;
  readonly going: readonly (string | null)[];
}

/** The rules for choosing messages. */
export interface ClaimRules {
  readonly storage: Pick<DurableObjectStorage, 'sql'>;
  readonly queue: Queue;
  readonly policy: Pick<AccountPolicy, 'perRecipient'>;
  readonly pace: Pick<Pace, 'nextSendToAt'>;
  readonly now: number;
  /** The number of messages that may be claimed together if the last one is of a standing. */
  readonly capacity: Readonly<Record<Standing, number>>;
  /** The limit on new receivers that may be called, if there is one. */
  readonly contacts?: NewContacts;
  /** True for a message whose receiver has opted out. */
  readonly isSuppressed?: (row: MessageRow) => boolean;
  /** Ends a message that is not sent any more. */
  readonly end: (row: MessageRow, end: End) => void;
  /**
   * Called with each message about incidents. Returns the row to send, which may have newer content; null if it is not
   * sent now.
   */
  readonly review?: (row: MessageRow) => MessageRow | null;
}

/**
 * The maximum number of rows that one claim reads: thousands of expired or cancelled messages must not delay new
 * ones.
 */
const MAX_LOOKS = 256;

/**
 * Takes the next messages from the queue, in the order of sending. Their receivers are busy until they are released.
 * Messages that are too old to be sent, or whose receiver has opted out, end.
 */
export function claimMessages(rules: ClaimRules): readonly Ready[] {
  const { queue, policy, pace, now } = rules;
  const chosen: Ready[] = [];
  queue.load(now);
  const opensAt = (phone: string | null, standing: Standing): number =>
    pace.nextSendToAt(policy.perRecipient, { phone, standing }, now);
  const newUntil = (phone: string, standing: Standing, seq: number): number =>
    heldUntil(rules, { phone, standing, seq }, chosen);
  const may = (standing: Standing): boolean => chosen.length < rules.capacity[standing];
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const next = queue.turns.take(now, opensAt, newUntil, may);
    if (next === null) break;
    const ready = queue.takeRow(next.seq, now);
    const row = ready === null ? null : toSend(rules, ready.row);
    if (ready === null || row === null) queue.turns.release(next);
    else chosen.push({ ...ready, row });
  }
  return chosen;
}

/**
 * Returns the time to check again if a receiver may get its first message (ms): `now` if it may, or had one. `chosen`:
 * messages that go now.
 */
function heldUntil(
  { contacts, now, storage }: Pick<ClaimRules, 'contacts' | 'now' | 'storage'>,
  { phone, standing, seq }: { readonly phone: string; readonly standing: Standing; readonly seq: number },
  chosen: readonly Ready[],
): number {
  if (contacts === undefined || standing === 'urgent' || contacts.known.isKnown(phone)) return now;
  const { known, perDay, going } = contacts;
  const left = known.left(standing, perDay, [...going, ...chosen.map(({ row }) => row.phone)], now);
  if (left > 0) return now;
  // It is taken so that it ends.
  if (standing === 'open' && known.isOver(perDay, dueSince(messageRow(storage, seq)) ?? now, now)) return now;
  return contactAt(perDay, 0, 0, now);
}

/** The time from which a message could be sent (ms): it may have had a delay. */
const dueSince = (row: MessageRow | null): number | null => row && Math.max(row.created_at, row.next_at ?? 0);

/** Something threw for a message that was to be claimed. */
export class MessageFault extends Error {
  readonly row: MessageRow;

  constructor(row: MessageRow, thrown: unknown) {
    super(describeError(thrown), { cause: thrown });
    this.row = row;
  }
}

/** Returns the row to send; null if the message is not sent now. Throws {@link MessageFault}. */
function toSend(rules: ClaimRules, row: MessageRow): MessageRow | null {
  try {
    return ends(rules, row) ? null : reviewed(rules, row);
  } catch (thrown) {
    throw new MessageFault(row, thrown);
  }
}

const reviewed = ({ review }: ClaimRules, row: MessageRow): MessageRow | null =>
  row.says === null || review === undefined ? row : review(row);

/** Ends a message that must not be sent. False if it may be sent. */
function ends({ contacts, now, isSuppressed, end }: ClaimRules, row: MessageRow): boolean {
  const isUnmet =
    contacts !== undefined &&
    standingIn(row) === 'open' &&
    row.phone !== null &&
    !contacts.known.isKnown(row.phone) &&
    contacts.known.isOver(contacts.perDay, dueSince(row) ?? now, now);
  if (isUnmet) end(row, { state: 'expired', reason: notMet(contacts.perDay) });
  else if (row.expires_at !== null && row.expires_at <= now) end(row, { state: 'expired', reason: EXPIRED });
  else if (isSuppressed?.(row)) end(row, { state: 'suppressed', reason: 'its receiver has opted out' });
  else return false;
  return true;
}
