import type { Alarm } from '../../lib/alarm.ts';
import { DAY, MINUTE } from '../../lib/time.ts';
import { describeError, log } from '../../lib/log.ts';
import type { AccountMessage } from '../state/acceptance.ts';
import { inTime } from '../../lib/wait.ts';
import {
  endFor,
  handedFor,
  handOnAt,
  linkAccount,
  nextAccount,
  reportsTo,
  type EndedElsewhere,
  type Handed,
  type HandOnAnswer,
} from '../state/fallback.ts';
import type { Calls } from '../state/calls.ts';
import { messageId, messageRow, type MessageRow } from '../state/message.ts';

/** The maximum number of fallbacks that go to another account in one call. Each has the size of a message. */
const BATCH = 16;

/** The waits after failed calls to the other account's outbox (ms); the last one repeats. */
const AGAIN_MS = [2_000, 10_000, 30_000, MINUTE, 5 * MINUTE] as const;

/** A call without an answer failed after this (ms). */
const TIMEOUT_MS = 30_000;

const UNANSWERED = 'the outbox of the other account did not answer';

/** The time for which a refusal is not final (ms): the other account may not have read its configuration yet. */
const REFUSED_MS = 2 * MINUTE;

/** The time after which the end of a fallback stays unknown (ms). */
export const LOST_MS = 7 * DAY;

/**
 * Messages whose fallback another account sends, or may have to. `waits`: until the message has not been sent for too
 * long. `leaves`: until the other account has taken its fallback. `away`: until the other account reports how that ended.
 * `reports`: for a message that was taken from another account, until that account knows how it ended.
 */
export interface HandingRow extends Record<string, SqlStorageValue> {
  seq: number;
  phase: 'waits' | 'leaves' | 'away' | 'reports';
  /** The other account; null if it waits. */
  account: string | null;
  /** The time since which it is in this phase (ms). */
  since: number;
  tries: number;
  next_at: number;
}

/** Records when another account is to send a message's fallback. Needs a row only if a fallback has `after`. */
export function watchMessage(
  sql: SqlStorage,
  row: Pick<MessageRow, 'seq' | 'fallback' | 'created_at' | 'next_at'>,
  now: number,
): void {
  const at = handOnAt(row);
  if (at !== null)
    sql.exec(
      `INSERT INTO handings (seq, phase, since, next_at) VALUES (?, 'waits', ?, ?) ON CONFLICT (seq) DO NOTHING`,
      row.seq,
      now,
      at,
    );
}

export const handingOf = (sql: SqlStorage, seq: number): HandingRow | null =>
  sql.exec<HandingRow>('SELECT * FROM handings WHERE seq = ?', seq).toArray()[0] ?? null;

/** True if another account has a message's fallback, or is to get it. */
export const isWithOthers = (sql: SqlStorage, seq: number): boolean =>
  ['leaves', 'away'].includes(handingOf(sql, seq)?.phase ?? '');

/** Deletes claims of other accounts' messages that have expired: they belong to no event. */
export const sweepHandedClaims = (sql: SqlStorage, now: number): unknown =>
  sql.exec("DELETE FROM dedupe_claims WHERE key >= '@' AND key < 'A' AND expires_at < ?", now);

/** The outbox of another account. */
interface Other {
  readonly takeHanded: (handed: readonly Handed[]) => Promise<readonly HandOnAnswer[]>;
  readonly endedElsewhere: (ended: readonly EndedElsewhere[]) => Promise<void>;
}

interface HandingsDeps {
  readonly sql: SqlStorage;
  readonly account: () => string;
  /** The outbox's random tag, part of each message id. */
  readonly tag: string;
  readonly outbox: (account: string) => Other;
  readonly calls: Pick<Calls, 'left' | 'spend'>;
  readonly alarm: Pick<Alarm, 'bringForward'>;
  readonly clock: () => number;
}

/** The changes that follow, each in a commit of its own. */
export interface HandOnEffects {
  /** Messages that were not sent for too long. */
  readonly overdue: (seqs: readonly number[]) => void;
  /** Another account has taken the fallback of a message, as `message`. */
  readonly taken: (seq: number, message: string) => void;
  readonly refused: (row: HandingRow, refusal: string) => void;
  /** It is unknown how they ended. */
  readonly lost: (seqs: readonly number[]) => void;
}

/**
 * Gives fallbacks to other accounts, and reports to them how the ones that it took from them ended. A row has each
 * thing to do until the other account has answered; that account takes each fallback only once.
 */
export class Handings {
  readonly #deps: HandingsDeps;
  #running = false;
  /** True if a row was written that {@link run} has not read. */
  #isAsked = false;

  constructor(deps: HandingsDeps) {
    this.#deps = deps;
  }

  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** Has the next fallback of a message given to its account. */
  leave(row: MessageRow): void {
    const to = nextAccount(row) ?? '';
    linkAccount(this.#deps.sql, row.seq, to);
    this.#add(row.seq, 'leaves', to);
  }

  /**
   * Has the end of a message that was taken from another account reported to it. False if that account does not want to
   * know.
   */
  report(row: MessageRow): boolean {
    const to = reportsTo(row);
    if (to !== null) this.#add(row.seq, 'reports', to.account);
    return to !== null;
  }

  #here({ seq }: MessageRow): AccountMessage {
    const { account, tag } = this.#deps;
    return { account: account(), message: messageId(seq, tag) };
  }

  /** The commit that is being made writes what has to be done at once; the alarm makes sure of it. */
  #add(seq: number, phase: HandingRow['phase'], account: string): void {
    const { sql, alarm, clock } = this.#deps;
    const now = clock();
    sql.exec(
      'INSERT OR REPLACE INTO handings (seq, phase, account, since, tries, next_at) VALUES (?, ?, ?, ?, 0, ?)',
      seq,
      phase,
      account,
      now,
      now,
    );
    this.#isAsked = true;
    alarm.bringForward(now);
  }

  remove(seq: number): void {
    this.#deps.sql.exec('DELETE FROM handings WHERE seq = ?', seq);
  }

  /** Returns the time when something has to be done (ms); null: never. */
  nextAt(): number | null {
    return (
      this.#deps.sql.exec<{ at: number | null }>('SELECT min(next_at) AS at FROM handings').one().at ?? null
    );
  }

  /** Does what is due. Never throws. */
  async run(follows: HandOnEffects): Promise<void> {
    this.#isAsked = false;
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
    if (account === null || phase === 'away') {
      follows[account === null ? 'overdue' : 'lost'](rows.map(({ seq }) => seq));
      return true;
    }
    const { calls } = this.#deps;
    if (calls.left === 0) return false;
    calls.spend();
    // First: if the object stops meanwhile, the same call is made again.
    for (const row of rows) this.#postpone(row);
    try {
      if (phase === 'leaves') await this.#give(account, rows, follows);
      else await this.#report(account, rows);
    } catch (thrown) {
      log('warn', 'handing.unanswered', { account, error: describeError(thrown) });
      const now = this.#deps.clock();
      const lost = rows.flatMap(({ seq, since }) => (now - since > LOST_MS ? [seq] : []));
      if (lost.length > 0) follows.lost(lost);
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
    const given = this.#messagesOf(
      rows,
      (row) => handedFor(row, this.#here(row), clock()),
      (seq) => follows.lost([seq]),
    );
    const call = outbox(account).takeHanded(given.map(({ what }) => what));
    const answers = await inTime(TIMEOUT_MS, call, UNANSWERED);
    for (const [at, { handing }] of given.entries()) {
      const answer = answers[at];
      if (answer === undefined) continue;
      if ('message' in answer) follows.taken(handing.seq, answer.message);
      else if (clock() - handing.since >= REFUSED_MS) follows.refused(handing, answer.refusal);
    }
  }

  async #report(account: string, rows: readonly HandingRow[]): Promise<void> {
    const { outbox } = this.#deps;
    const ended = this.#messagesOf(
      rows,
      (row) => endFor(row, this.#here(row)),
      (seq) => this.remove(seq),
    );
    await inTime(TIMEOUT_MS, outbox(account).endedElsewhere(ended.map(({ what }) => what)), UNANSWERED);
    for (const { handing } of ended) this.remove(handing.seq);
  }

  /** Returns what the other account gets of each message. A person may have changed the course of a message meanwhile. */
  #messagesOf<What>(
    rows: readonly HandingRow[],
    whatOf: (row: MessageRow) => What | null,
    isNone: (seq: number) => void,
  ) {
    return rows.flatMap((handing) => {
      const row = messageRow(this.#deps, handing.seq);
      const what = row && whatOf(row);
      if (what === null) isNone(handing.seq);
      return what === null ? [] : [{ handing, what }];
    });
  }
}
