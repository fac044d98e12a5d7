import { parseOwnJson } from '../lib/json.ts';
import type { Reason } from '../lib/reason.ts';
import { DAY, MINUTE, formatDuration } from '../lib/time.ts';
import { describeError, log } from '../lib/log.ts';
import { insertRow } from '../lib/store.ts';
import { inTime } from '../lib/wait.ts';
import type { Base } from './base.ts';
import type { Incidents } from './incidents/incidents.ts';
import type { Messages } from './message.ts';
import type { AccountMessage } from './state/acceptance.ts';
import {
  endFor,
  handedFor,
  handingOf,
  handOnAt,
  linkHanded,
  linkNothing,
  nextAccount,
  type EndedElsewhere,
  type Handed,
  type HandingRow,
  type HandOnAnswer,
} from './state/fallback.ts';
import {
  changeRow,
  forgetting,
  messageId,
  messageRow,
  messageSeq,
  type MessageRow,
} from './state/message.ts';
import { isDue, isFinal } from '../schema/states.ts';
import { inBackground, type Now } from './state/wiring.ts';

/** So many go to another account in one call: each has the size of a message. */
const BATCH = 16;

/** The waits after failed calls to the other account's outbox (ms); the last one repeats. */
const AGAIN_MS = [2_000, 10_000, 30_000, MINUTE, 5 * MINUTE] as const;

const TIMEOUT_MS = 30_000;

const UNANSWERED = 'the outbox of the other account did not answer';

/** For so long a refusal is not final (ms): the other account may not have read its configuration yet. */
const REFUSED_MS = 2 * MINUTE;

/** After so long the end of a fallback stays unknown (ms). */
const LOST_MS = 7 * DAY;

/** A message whose call is under way is checked again after this (ms). */
const UNDER_WAY_MS = 5_000;

/** Longer than {@link LOST_MS}, so that the other account cannot bring the same again (ms). */
const CLAIM_MS = 30 * DAY;

type Parts = Base & { readonly messages: Messages; readonly incidents: Incidents };

/**
 * The fallbacks that go from one account to another. When a message is dead, or has not been sent for too long, a row says
 * so, from the transaction that records this until the other account has taken the fallback, once. For a message about
 * incidents, that account reports how its fallback ended.
 */
export class OtherAccounts {
  readonly #parts: Parts;
  readonly #background: ReturnType<typeof inBackground>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#background = inBackground(parts, 'handing.failed', () => parts.handings.nextAt());
  }

  /** Does what is due, in the background. `now` makes the changes that follow. */
  send(now: Now): void {
    const { handings } = this.#parts;
    handings.isAsked = false;
    if (handings.nextAt() === null) return;
    this.#background.start(async () => {
      for (let rows = this.#due(); rows.length > 0; rows = this.#due())
        if (!(await this.#handle(rows, now))) break;
    });
  }

  /** Takes another account's fallbacks, each once, however often it comes. `isGone`: this account was removed. */
  take(list: readonly Handed[], isGone: boolean): readonly HandOnAnswer[] {
    const { account, clock, messages, sql, tag } = this.#parts;
    return list.map(({ id, draft, origin }) => {
      // A source's name cannot begin with `@`.
      const key = `@${id}`;
      const [known] = sql
        .exec<{ message: string }>('SELECT event_id AS message FROM dedupe_claims WHERE key = ?', key)
        .toArray();
      if (known !== undefined) return known;
      if (isGone) return { refusal: `there is no account \`${account()}\`` };
      const seq = messages.queue({ drafts: [draft], origin }, (number) =>
        insertRow(sql, 'dedupe_claims', {
          key,
          event_id: messageId(number, tag),
          expires_at: clock() + CLAIM_MS,
        }),
      );
      return seq === null
        ? { refusal: `the outbox of the account \`${account()}\` is full` }
        : { message: messageId(seq, tag) };
    });
  }

  endedElsewhere(list: readonly EndedElsewhere[]): void {
    const { handings, incidents, messages, sql, tag } = this.#parts;
    for (const { id, by, state, outcome } of list)
      messages.change(() => {
        const row = messageRow({ sql }, messageSeq(id, tag) ?? 0);
        const phase = handingOf(sql, row?.seq ?? 0)?.phase;
        // A person has sent it again meanwhile, or the end was reported already.
        if (row === null || (phase !== 'leaves' && phase !== 'away')) return;
        // The report may arrive before the answer that the fallback was taken.
        if (phase === 'leaves') this.#link(row, by.message);
        handings.remove(row.seq);
        if (isFinal(row.state)) incidents.record(row, state, outcome);
      });
  }

  /** Returns the next rows of one phase and one account. */
  #due(): readonly HandingRow[] {
    const { sql, clock } = this.#parts;
    const rows = sql
      .exec<HandingRow>('SELECT * FROM handings WHERE next_at <= ? ORDER BY next_at LIMIT ?', clock(), BATCH)
      .toArray();
    const [first] = rows;
    return rows.filter(({ phase, account }) => phase === first?.phase && account === first.account);
  }

  /** Handles rows. False if no further call may be made now. */
  async #handle(rows: readonly HandingRow[], now: Now): Promise<boolean> {
    const [{ phase, account } = { phase: 'waits', account: null }] = rows;
    if (account === null || phase === 'away') {
      now(() => {
        for (const { seq } of rows)
          if (account === null) this.#overdue(seq);
          else this.#lost(seq);
      });
      return true;
    }
    const { calls, clock, sql } = this.#parts;
    if (calls.left === 0) return false;
    calls.spend();
    // First: if the object stops meanwhile, the same call is made again.
    for (const { seq, tries } of rows) {
      const wait = AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)] ?? MINUTE;
      sql.exec('UPDATE handings SET tries = tries + 1, next_at = ? WHERE seq = ?', clock() + wait, seq);
    }
    try {
      if (phase === 'leaves') await this.#give(account, rows, now);
      else await this.#report(account, rows);
    } catch (thrown) {
      log('warn', 'handing.unanswered', { account, error: describeError(thrown) });
      for (const { seq, since } of rows) if (clock() - since > LOST_MS) now(() => this.#lost(seq));
    }
    return true;
  }

  async #give(account: string, rows: readonly HandingRow[], now: Now): Promise<void> {
    const { outbox, clock } = this.#parts;
    const given = this.#messagesOf(
      rows,
      (row) => handedFor(row, this.#here(row), clock()),
      (seq) => now(() => this.#lost(seq)),
    );
    const call = outbox(account).takeHanded(given.map(({ what }) => what));
    const answers = await inTime(TIMEOUT_MS, call, UNANSWERED);
    for (const [at, { handing }] of given.entries()) {
      const answer = answers[at];
      if (answer === undefined) continue;
      if ('message' in answer) now(() => this.#taken(handing.seq, answer.message));
      else if (clock() - handing.since >= REFUSED_MS) now(() => this.#refused(handing, answer.refusal));
    }
  }

  async #report(account: string, rows: readonly HandingRow[]): Promise<void> {
    const { handings, outbox } = this.#parts;
    const ended = this.#messagesOf(
      rows,
      (row) => endFor(row, this.#here(row)),
      (seq) => handings.remove(seq),
    );
    await inTime(TIMEOUT_MS, outbox(account).endedElsewhere(ended.map(({ what }) => what)), UNANSWERED);
    for (const { handing } of ended) handings.remove(handing.seq);
  }

  /** Returns what the other account gets of each message. A person may have changed the course of a message meanwhile. */
  #messagesOf<What>(
    rows: readonly HandingRow[],
    whatOf: (row: MessageRow) => What | null,
    isNone: (seq: number) => void,
  ) {
    return rows.flatMap((handing) => {
      const row = messageRow(this.#parts, handing.seq);
      const what = row && whatOf(row);
      if (what === null) isNone(handing.seq);
      return what === null ? [] : [{ handing, what }];
    });
  }

  #here({ seq }: MessageRow): AccountMessage {
    const { account, tag } = this.#parts;
    return { account: account(), message: messageId(seq, tag) };
  }

  /** A message was not sent for too long: another account has it, unless its call is under way or a person holds it. */
  #overdue(seq: number): void {
    const { claims, clock, handings, incidents, messages, meta, sql } = this.#parts;
    const row = messageRow({ sql }, seq);
    const account = row === null ? null : nextAccount(row);
    if (row === null || account === null || handOnAt(row) === null || !isDue(row.state))
      return handings.remove(seq);
    const isPaused = meta.pause !== null && meta.pause.by !== 'gateway';
    const wait = isPaused ? MINUTE : UNDER_WAY_MS;
    if (isPaused || claims.flight.has(seq)) {
      sql.exec('UPDATE handings SET next_at = ? WHERE seq = ?', clock() + wait, seq);
      return;
    }
    const after = formatDuration(clock() - row.created_at);
    const reason = { code: 'handed-on', params: { after, account } } as const;
    messages.change(() => {
      messages.end(row, { state: 'superseded', reason, isKept: true });
      handings.leave(row);
      incidents.handedOn(row, null);
    });
    claims.queue.changed(clock());
  }

  #taken(seq: number, message: string): void {
    const { clock, handings, messages, sql } = this.#parts;
    const row = messageRow({ sql }, seq);
    if (handingOf(sql, seq)?.phase !== 'leaves') return;
    if (row === null) return handings.remove(seq);
    messages.change(() => {
      this.#link(row, message);
      if (row.says === null) handings.remove(seq);
      else sql.exec("UPDATE handings SET phase = 'away', next_at = ? WHERE seq = ?", clock() + LOST_MS, seq);
    });
  }

  #link({ seq, state }: MessageRow, message: string): void {
    const { sql } = this.#parts;
    linkHanded(sql, seq, message);
    // Nobody tries it again.
    if (state === 'superseded') sql.exec(`UPDATE messages SET ${forgetting('1')} WHERE seq = ?`, seq);
  }

  /** Sends what is left: the message itself, if it only waited; otherwise its next fallback. */
  #refused({ seq, account }: HandingRow, refusal: string): void {
    const { escapes, handings, messages, owner, sql } = this.#parts;
    const row = messageRow({ sql }, seq);
    if (row === null) return handings.remove(seq);
    const reason = added(row, { code: 'fallback-refused', params: { error: refusal } });
    messages.change(() => {
      handings.remove(seq);
      const left = changeRow(sql, row, { reason, fallback: linkNothing(row) });
      if (row.state === 'superseded') messages.waitsAgain(left);
      else if (!messages.fallBack(left, 'rejected')) {
        escapes.watch([left]);
        if (isFinal(row.state)) messages.ended(left, 'dead', 'rejected');
      }
    });
    owner.first(['fallback.refused', account ?? '', refusal]);
  }

  #lost(seq: number): void {
    const { handings, incidents, messages, sql } = this.#parts;
    const row = messageRow({ sql }, seq);
    messages.change(() => {
      handings.remove(seq);
      if (row === null || !isFinal(row.state)) return;
      changeRow(sql, row, { reason: added(row, { code: 'fallback-unknown' }) });
      incidents.record(row, 'dead', 'uncertain');
    });
  }
}

const added = ({ reason }: Pick<MessageRow, 'reason'>, one: Reason): string =>
  JSON.stringify({ ...one, before: reason === null ? undefined : parseOwnJson<Reason>(reason) });
