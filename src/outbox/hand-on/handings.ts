import { DAY, MINUTE } from '../../lib/duration.ts';
import { describeError, log } from '../../lib/log.ts';
import { inTime } from '../../lib/timeout.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import type { EndedElsewhere, Handed, HandOnAnswer } from '../state/handed.ts';
import { removeHanding, type HandingRow } from '../state/handings.ts';

/** The maximum number of fallbacks that go to another account in one call. Each has the size of a message. */
const BATCH = 16;

/** The waits after failed calls to the other account's outbox (ms); the last one repeats. */
const AGAIN_MS = [2_000, 10_000, 30_000, MINUTE, 5 * MINUTE] as const;

/** A call without an answer failed after this (ms). */
const TIMEOUT_MS = 30_000;

const UNANSWERED = 'the outbox of the other account did not answer';

/** The time for which a refusal is not final (ms): the other account may not have read its configuration yet. */
const REFUSED_MS = 2 * MINUTE;

/** The time after which the end of a fallback stays unknown (ms). The other account's claim outlives it. */
export const LOST_MS = 7 * DAY;

/** The outbox of another account. */
interface Other {
  readonly takeHanded: (handed: readonly Handed[]) => Promise<readonly HandOnAnswer[]>;
  readonly endedElsewhere: (ended: readonly EndedElsewhere[]) => Promise<void>;
}

interface HandingsDeps {
  readonly sql: SqlStorage;
  readonly account: () => string;
  readonly outbox: (account: string) => Other;
  /** True if the run may make one more call; else the next run continues. */
  readonly mayCall: () => boolean;
  readonly spend: () => void;
  readonly clock: () => number;
}

/** The changes that follow, each in a commit of its own. */
export interface HandOnEffects {
  /** Messages that were not sent for too long. */
  readonly overdue: (seqs: readonly number[]) => void;
  /** Another account has taken the fallback of a message, as `message`. */
  readonly taken: (seq: number, message: string) => void;
  readonly refused: (row: HandingRow, refusal: string) => void;
  /** It is unknown how it ended. */
  readonly lost: (seq: number) => void;
}

/**
 * Gives fallbacks to other accounts, and reports to them how the ones that it took from them ended. A row has each
 * thing to do until the other account has answered; that account takes each fallback only once.
 */
export class Handings {
  readonly #deps: HandingsDeps;
  #running = false;

  constructor(deps: HandingsDeps) {
    this.#deps = deps;
  }

  /** Returns the time when something has to be done (ms); null: never. */
  nextAt(): number | null {
    return (
      this.#deps.sql.exec<{ at: number | null }>('SELECT min(next_at) AS at FROM handings').one().at ?? null
    );
  }

  /** Does what is due. Never throws. */
  async run(follows: HandOnEffects): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      for (let rows = this.#due(); rows.length > 0; rows = this.#due())
        if (!(await this.#handle(rows, follows))) break;
    } catch (thrown) {
      log('error', 'handing.failed', { account: this.#deps.account(), error: describeError(thrown) });
    } finally {
      this.#running = false;
    }
  }

  /** Returns the next rows of one phase and one account. */
  #due(): readonly HandingRow[] {
    const { sql, clock } = this.#deps;
    const rows = sql
      .exec<HandingRow>('SELECT * FROM handings WHERE next_at <= ? ORDER BY next_at LIMIT ?', clock(), BATCH)
      .toArray();
    const [first] = rows;
    return rows.filter(({ phase, account }) => phase === first?.phase && account === first.account);
  }

  /** Handles rows. False if no further call may be made now. */
  async #handle(rows: readonly HandingRow[], follows: HandOnEffects): Promise<boolean> {
    const [{ phase, account } = { phase: 'waits', account: null }] = rows;
    if (account === null) {
      follows.overdue(rows.map(({ seq }) => seq));
      return true;
    }
    if (phase === 'away') {
      for (const { seq } of rows) follows.lost(seq);
      return true;
    }
    const { mayCall, spend } = this.#deps;
    if (!mayCall()) return false;
    spend();
    // First: if the object stops meanwhile, the same call is made again.
    for (const row of rows) this.#postpone(row);
    try {
      if (phase === 'leaves') await this.#give(account, rows, follows);
      else await this.#report(account, rows);
    } catch (thrown) {
      log('warn', 'handing.unanswered', { account, error: describeError(thrown) });
      const now = this.#deps.clock();
      for (const { seq, since } of rows) if (now - since > LOST_MS) follows.lost(seq);
    }
    return true;
  }

  #postpone({ seq, tries }: HandingRow): void {
    const { sql, clock } = this.#deps;
    const wait = AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)] ?? MINUTE;
    sql.exec('UPDATE handings SET tries = tries + 1, next_at = ? WHERE seq = ?', clock() + wait, seq);
  }

  async #give(account: string, rows: readonly HandingRow[], follows: HandOnEffects): Promise<void> {
    const { outbox, clock } = this.#deps;
    const call = outbox(account).takeHanded(rows.map(({ what }) => parseOwnJson(what ?? 'null')));
    const answers = await inTime(TIMEOUT_MS, call, UNANSWERED);
    for (const [at, row] of rows.entries()) {
      const answer = answers[at];
      if (answer === undefined) continue;
      if ('message' in answer) follows.taken(row.seq, answer.message);
      else if (clock() - row.since >= REFUSED_MS) follows.refused(row, answer.refusal);
    }
  }

  async #report(account: string, rows: readonly HandingRow[]): Promise<void> {
    const { outbox, sql } = this.#deps;
    const call = outbox(account).endedElsewhere(rows.map(({ what }) => parseOwnJson(what ?? 'null')));
    await inTime(TIMEOUT_MS, call, UNANSWERED);
    for (const { seq } of rows) removeHanding(sql, seq);
  }
}
