import { documentsOf, type Documents } from '../config/documents/check.ts';
import { readFacts } from '../config/compiled/facts.ts';
import { listedOverride, type OverrideByHand, type Override } from '../config/compiled/rotation.ts';
import type { RecipientsDocument } from '../config/documents/recipients-schema.ts';
import { DAY, iso } from '../lib/time.ts';
import { randomBase32, secureRandomBytes } from '../lib/id.ts';
import { type FieldError, fieldError } from '../lib/problem.ts';
import { parseOwnJson } from '../lib/json.ts';
import type { ChangedPart, InForce } from './kv-copy.ts';
import { Tables } from './schema.ts';
import type { Versions } from './versions.ts';
import { insertRow, replaceRow } from '../lib/store.ts';

export const OVERRIDE = 'ovr_';

/** The time for which one that has ended is kept: a handover from it may still be due. */
const KEPT_MS = 7 * DAY;

/** Every webhook's isolate reads each of them. Of those that have ended, the newest are kept. */
export const MAX_OVERRIDES_BY_HAND = 100;

export interface NewOverride extends Override {
  readonly list: string;
}

interface OverridesDeps {
  readonly env: Env;
  readonly versions: Versions;
  readonly inForce: InForce;
}

export class Overrides extends Tables {
  readonly #deps: OverridesDeps;

  constructor(sql: SqlStorage, deps: OverridesDeps) {
    super(sql);
    this.#deps = deps;
  }

  json(now: number): string | undefined {
    const all = this.list(now).map(listedOverride);
    return all.length === 0 ? undefined : JSON.stringify(all);
  }

  /** Null if the list does not have the person any more. `full`: there are too many. */
  async add(
    override: NewOverride,
    by: string,
    now: number,
  ): Promise<ChangedPart<OverrideByHand> | 'full' | null> {
    const { env, versions, inForce } = this.#deps;
    await readFacts(env, now);
    return inForce.change<OverrideByHand, 'full' | null>(() =>
      hasTurns(documentsOf(versions.inForce()).recipients, override) ? this.#add(override, by, now) : null,
    );
  }

  /** Returns the last one if it is the same: the request may be repeated. */
  #add({ list, person, from, to }: NewOverride, by: string, now: number): OverrideByHand | 'full' {
    this.sql.exec(
      `DELETE FROM overrides WHERE until <= ?1 AND (until <= ?2 OR n NOT IN (
         SELECT n FROM overrides WHERE until <= ?1 ORDER BY n DESC LIMIT ${MAX_OVERRIDES_BY_HAND}
       ))`,
      now,
      now - KEPT_MS,
    );
    const open = this.#after(now);
    const last = open.findLast((one) => one.list === list);
    const [since, until] = [iso(from), iso(to)];
    const hasBegun = (one: OverrideByHand): boolean => Date.parse(one.since) <= now && from <= now;
    if (last?.person === person && last.until === until && (last.since === since || hasBegun(last)))
      return last;
    if (open.length >= MAX_OVERRIDES_BY_HAND) return 'full';
    const id = OVERRIDE + randomBase32(12, secureRandomBytes);
    const added = { id, list, person, since, until, by, created_at: iso(now) };
    insertRow(this.sql, 'overrides', { id, until: to, entry: JSON.stringify(added) });
    return added;
  }

  end(id: string, now: number): Promise<ChangedPart<OverrideByHand> | null> {
    return this.#deps.inForce.change<OverrideByHand>(() => {
      const known = this.#after(now).find((one) => one.id === id);
      return known === undefined ? null : this.#end(known, now);
    });
  }

  /** Returns those whose person is not in their list any more, or whose list has no rotation. */
  gone(recipients: Documents<RecipientsDocument>, now: number): readonly OverrideByHand[] {
    return this.#after(now).filter((one) => !hasTurns(recipients, one));
  }

  /** Ends them: a person with the same name later may be another one. */
  endGone(gone: readonly OverrideByHand[], now: number): void {
    for (const one of gone) this.#end({ ...one, is_gone: true }, now);
  }

  list(now: number): OverrideByHand[] {
    return this.#after(now - KEPT_MS);
  }

  #end(known: OverrideByHand, now: number): OverrideByHand {
    const ended = { ...known, ended_at: iso(now) };
    this.sql.exec(
      'UPDATE overrides SET until = ?, entry = ? WHERE id = ?',
      now,
      JSON.stringify(ended),
      known.id,
    );
    return ended;
  }

  #after(time: number): OverrideByHand[] {
    return this.rows<{ entry: string }>('SELECT entry FROM overrides WHERE until > ? ORDER BY n', time).map(
      ({ entry }) => parseOwnJson<OverrideByHand>(entry),
    );
  }
}

/** True if a person of the list may be on call. */
function hasTurns(
  recipients: Documents<RecipientsDocument>,
  { list, person }: Pick<NewOverride, 'list' | 'person'>,
): boolean {
  const { people = {}, rotation } = recipients.get(list) ?? {};
  return rotation !== undefined && Object.hasOwn(people, person);
}

export const goneWarning = ({ list, person, until }: OverrideByHand): FieldError =>
  fieldError(
    `recipients.${list}`,
    'override-ends',
    `ends the override by hand of \`${person}\` until ${until}: the list has no such person with turns any more`,
    { person, until },
  );

/** The number of base-32 digits of a code: 120 bits. */
const CODE_DIGITS = 24;

export class Calendars extends Tables {
  /** Null if nobody has asked for the link. */
  code(list: string): string | null {
    const [row] = this.rows<{ code: string }>('SELECT code FROM calendars WHERE list = ?', list);
    return row?.code ?? null;
  }

  /** Returns the code, which is made when it is first asked for. `isNew`: in place of the one that is known. */
  make(list: string, isNew: boolean): string {
    const known = isNew ? null : this.code(list);
    if (known !== null) return known;
    const code = randomBase32(CODE_DIGITS, secureRandomBytes);
    replaceRow(this.sql, 'calendars', { list, code });
    return code;
  }
}
