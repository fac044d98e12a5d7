import { isAny } from '../../lib/store.ts';
import { DAY } from '../../lib/time.ts';
import { contactsOf, type Standing } from '../../lib/shares.ts';
import { readFact, writeFact } from '../state/meta.ts';

/** Beyond this number, the oldest are forgotten, so that the table stays small. */
export const MAX_CONTACTS = 200_000;
const FORGOTTEN_AT_ONCE = 1_000;

const MAX_DAYS = 4;

const FILLED = 'contacts';

const dayOf = (at: number): number => Math.floor(at / DAY);

type ContactCounts = Record<'today' | 'open' | 'all', number>;

/** The receivers that an account with `new_contacts` has called: a row for each, written with its first call's record. */
export class Contacts {
  readonly #sql: SqlStorage;
  #isFilled: boolean;
  readonly #days = new Map<number, ContactCounts>();
  /** The day of the last {@link use}; null if there was none. */
  #day: number | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#isFilled = readFact(sql, FILLED) !== null;
  }

  /** To be called first, with the policy in force. `isOn`: true if the account has `new_contacts`. */
  use(isOn: boolean, now: number): void {
    const day = dayOf(now);
    // The clock was ahead: receivers who were called then were called today.
    if (isOn && (this.#day === null || day < this.#day)) {
      this.#sql.exec('UPDATE contacts SET day = ?1 WHERE day > ?1', day);
      this.recount();
    }
    this.#day = day;
    if (isOn === this.#isFilled) return;
    // If it is set again, receivers who were called meanwhile are known as well.
    if (isOn)
      this.#sql.exec(
        `INSERT OR IGNORE INTO contacts (phone, day, open) SELECT DISTINCT phone, 0, 0 FROM messages
           WHERE phone IS NOT NULL AND attempts <> '[]' LIMIT ${MAX_CONTACTS}`,
      );
    writeFact(this.#sql, FILLED, isOn ? '1' : null);
    this.#isFilled = isOn;
    this.recount();
  }

  isKnown(phone: string): boolean {
    return isAny(this.#sql, 'SELECT 1 FROM contacts WHERE phone = ?', phone);
  }

  /** How many new receivers may be called today, besides those of the calls under way (`going`). */
  left(standing: Standing, perDay: number, going: readonly (string | null)[], now: number): number {
    const fresh = new Set(going.filter((phone) => phone !== null && !this.isKnown(phone)));
    return leftOf(this.#count(dayOf(now)), standing, perDay) - fresh.size;
  }

  /** True if a first message of an open source waited until its day was over, since that day had no more for it. */
  isOver(perDay: number, dueSince: number, now: number): boolean {
    const day = dayOf(dueSince);
    return day < dayOf(now) && leftOf(this.#count(day), 'open', perDay) <= 0;
  }

  /** A receiver was called. To be called in the transaction that records it. */
  called(phone: string, isOpen: boolean, now: number): void {
    if (this.isKnown(phone)) return;
    const day = dayOf(now);
    const { today, open, all } = this.#count(day);
    const more = isOpen ? 1 : 0;
    this.#sql.exec('INSERT INTO contacts (phone, day, open) VALUES (?, ?, ?)', phone, day, more);
    this.#days.set(day, { today: today + 1, open: open + more, all: all + 1 });
    if (all < MAX_CONTACTS) return;
    this.#sql.exec(
      `DELETE FROM contacts WHERE phone IN (SELECT phone FROM contacts ORDER BY day LIMIT ${FORGOTTEN_AT_ONCE})`,
    );
    this.recount();
  }

  /** Rows were changed in some other way, or a write was taken back. */
  recount(): void {
    this.#days.clear();
  }

  #count(day: number): ContactCounts {
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    const counts = this.#sql
      .exec<ContactCounts>(
        `SELECT count(*) FILTER (WHERE day = ?1) AS today, count(*) FILTER (WHERE day = ?1 AND open = 1) AS open,
           count(*) AS "all" FROM contacts`,
        day,
      )
      .one();
    if (this.#days.size >= MAX_DAYS) this.#days.clear();
    this.#days.set(day, counts);
    return counts;
  }
}

const leftOf = ({ today, open }: ContactCounts, standing: Standing, perDay: number): number =>
  standing === 'open' ? Math.min(perDay - today, contactsOf('open', perDay) - open) : perDay - today;

/** Returns when a new receiver may be called (ms), behind `ahead` others, if `left` more may be today. */
export function contactAt(perDay: number, left: number, ahead: number, now: number): number {
  if (ahead < left) return now;
  return (dayOf(now) + 1 + Math.floor((ahead - Math.max(0, left)) / perDay)) * DAY;
}
