import { randomBase32, secureRandomBytes } from '../lib/id.ts';

/** The number of base-32 digits of a code: 120 bits. */
const CODE_DIGITS = 24;

/** The codes of the secret links of calendars, by list: a table of the registry. */
export class Calendars {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Null if nobody has asked for the link. */
  code(list: string): string | null {
    const [row] = this.#sql
      .exec<{ code: string }>('SELECT code FROM calendars WHERE list = ?', list)
      .toArray();
    return row?.code ?? null;
  }

  /** Returns the code, which is made when it is first asked for. `isNew`: in place of the one that is known. */
  make(list: string, isNew: boolean): string {
    const known = isNew ? null : this.code(list);
    if (known !== null) return known;
    const code = randomBase32(CODE_DIGITS, secureRandomBytes);
    this.#sql.exec('INSERT OR REPLACE INTO calendars (list, code) VALUES (?, ?)', list, code);
    return code;
  }
}
