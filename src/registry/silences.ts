import type { ByHandDocument } from '../config/documents/alerting-schema.ts';
import { BY_HAND } from '../config/compile/silences.ts';
import { DAY, iso } from '../lib/time.ts';
import { randomBase32, secureRandomBytes } from '../lib/id.ts';
import { parseOwnJson } from '../lib/json.ts';
import type { ChangedPart, InForce } from './kv-copy.ts';
import { Tables } from './schema.ts';
import { replaceRow } from '../lib/store.ts';

const LISTED_MS = 7 * DAY;

/** Every webhook's isolate reads each of them. People add a few; a program that adds more has to end some. */
export const MAX_BY_HAND = 50;

/** The maximum of their JSON, and of that of those that ended (UTF-16 units). A message has up to 500 KB of keys. */
const MAX_LENGTH = 2_000_000;

export interface SilenceByHand {
  readonly id: string;
  readonly by: string;
  readonly created_at: string;
  readonly ended_at?: string;
  readonly document: ByHandDocument;
}

export class Silences extends Tables {
  readonly #inForce: InForce;

  constructor(sql: SqlStorage, inForce: InForce) {
    super(sql);
    this.#inForce = inForce;
  }

  /** Returns those that have not ended, as documents by id in JSON; undefined if there are none. */
  json(now: number): string | undefined {
    const open = this.#after(now);
    return open.length === 0
      ? undefined
      : JSON.stringify(Object.fromEntries(open.map(({ id, document }) => [id, document])));
  }

  /** Null if there are too many. `id`: from a caller who may repeat the request; it prolongs the open silence with this id. */
  add(
    document: ByHandDocument,
    by: string,
    now: number,
    id = BY_HAND + randomBase32(12, secureRandomBytes),
  ): Promise<ChangedPart<SilenceByHand> | null> {
    return this.#inForce.change<SilenceByHand>(() => this.#add(document, by, now, id));
  }

  #add(document: ByHandDocument, by: string, now: number, id: string): SilenceByHand | null {
    this.sql.exec(
      `DELETE FROM silences WHERE until < ?1 OR (until <= ?2 AND id IN (SELECT id FROM (
         SELECT id, sum(length(entry)) OVER (ORDER BY until DESC, id) AS length FROM silences WHERE until <= ?2
       ) WHERE length > ${MAX_LENGTH}))`,
      now - LISTED_MS,
      now,
    );
    const open = this.#after(now);
    const known = open.find((one) => one.id === id);
    if (known !== undefined) return this.#prolong(known, document.until);
    const added = { id, by, created_at: iso(now), document };
    if (open.length >= MAX_BY_HAND || JSON.stringify([...open, added]).length > MAX_LENGTH) return null;
    this.#write(added, Date.parse(document.until));
    return added;
  }

  /** Prolongs a silence. The first request may not have got its answer, and may be repeated long after. */
  #prolong(known: SilenceByHand, until: string): SilenceByHand {
    if (Date.parse(until) <= Date.parse(known.document.until)) return known;
    const longer = { ...known, document: { ...known.document, until } };
    this.#write(longer, Date.parse(until));
    return longer;
  }

  /** Ends a silence. `over`: it had ended before; null if there is none with that id. */
  end(id: string, now: number): Promise<ChangedPart<SilenceByHand> | 'over' | null> {
    return this.#inForce.change<SilenceByHand, 'over' | null>(() => this.#end(id, now));
  }

  #end(id: string, now: number): SilenceByHand | 'over' | null {
    const known = this.list(now).find((one) => one.id === id);
    if (known === undefined) return null;
    if (!this.#after(now).some((one) => one.id === id)) return 'over';
    const ended = { ...known, ended_at: iso(now) };
    this.#write(ended, now);
    return ended;
  }

  find(id: string, now: number): SilenceByHand | null {
    return this.#after(now).find((one) => one.id === id) ?? null;
  }

  /** Returns those that have not ended, and those that ended within a week. The newest first. */
  list(now: number): readonly SilenceByHand[] {
    return this.#after(now - LISTED_MS).sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  }

  #after(time: number): SilenceByHand[] {
    return this.rows<{ entry: string }>('SELECT entry FROM silences WHERE until > ?', time).map(({ entry }) =>
      parseOwnJson<SilenceByHand>(entry),
    );
  }

  #write(entry: SilenceByHand, until: number): void {
    replaceRow(this.sql, 'silences', { id: entry.id, until, entry: JSON.stringify(entry) });
  }
}
