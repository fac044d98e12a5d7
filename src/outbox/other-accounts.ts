import { MINUTE, formatDuration } from '../lib/duration.ts';
import type { Base } from './base.ts';
import { LOST_MS, type HandOnEffects } from './hand-on/handings.ts';
import { reportEnd, takeHanded } from './taken.ts';
import type { Incidents } from './incidents/incidents.ts';
import type { Ended } from './incidents/record.ts';
import { logMessage } from './log-lines.ts';
import type { Now } from './loop.ts';
import type { Messages } from './messages.ts';
import { FORGOTTEN } from './operate/operate.ts';
import type { AccountMessage } from './state/acceptance.ts';
import {
  handedFor,
  handOnAt,
  linkAccount,
  linkHanded,
  linkNothing,
  nextAccount,
  stepsIn,
} from './state/fallback.ts';
import type { EndedElsewhere, Handed, HandOnAnswer } from './state/handed.ts';
import { addLeaving, handingOf, removeHanding, watchMessage, type HandingRow } from './state/handings.ts';
import { messageId, messageRow, messageSeq, type Attempt, type MessageRow } from './state/message.ts';
import { FALLBACK_REFUSED } from './state/reason.ts';
import { isDue, isFinal } from './state/states.ts';
import { parseOwnJson } from '../lib/own-json.ts';

/** A message whose call is under way is checked again after this (ms). */
const UNDER_WAY_MS = 5_000;

interface Parts extends Base {
  readonly messages: Messages;
  readonly incidents: Incidents;
}

/**
 * The fallbacks that go from one account to another. When a message is dead, or has not been sent for too long, its
 * fallback is written into a row, in the transaction that records this, until the other account has taken it, once. For
 * a message about incidents, that account reports how its fallback ended; until then it is on its way.
 */
export class OtherAccounts {
  readonly #parts: Parts;
  /** True if a row was written for the next {@link follow} to read. */
  #isAsked = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Writes the fallback of a message that is dead, or has it given away, in the transaction that records this. Returns what follows once that stands; null if there is none. */
  fallBack(row: MessageRow, outcome: Attempt['outcome']): (() => void) | null {
    const { messages, incidents } = this.#parts;
    if (nextAccount(row) !== null) {
      this.#leave(row);
      incidents.handedOn(row, outcome);
      return () => undefined;
    }
    const next = messages.fallBack(row);
    if (next === null) return null;
    incidents.fellBack(row, next.seq, outcome);
    return next.queued;
  }

  /** A message ended, or waits again, and no fallback follows it. To be called last in the transaction that records this: a later write that fails would undo the rows alone, and not what memory of incidents has by then. */
  ended(row: MessageRow, state: Ended | 'superseded', outcome: Attempt['outcome'] | null): void {
    const { incidents, sql } = this.#parts;
    const isOver = row.fallback !== null && isFinal(state);
    const isEnd = isOver && state !== 'superseded' && state !== 'queued' && state !== 'retrying';
    if (isEnd && reportEnd(this.#parts, row, { state, outcome })) this.#soon();
    else if (isOver && handOnAt(row) !== null) removeHanding(sql, row.seq);
    if (state !== 'superseded') incidents.record(row, state, outcome);
  }

  /** Called after a change: does what the change asked for. */
  follow(now: Now): void {
    if (this.#isAsked) this.send(now);
  }

  /** Does what is due, in the background. `now` makes the changes that follow. */
  send(now: Now): void {
    const { alarm, handings, waitUntil } = this.#parts;
    this.#isAsked = false;
    if (handings.nextAt() === null) return;
    // Not in the commit that is being made now.
    const run = Promise.resolve().then(() => handings.run(this.#followsBy(now)));
    waitUntil(run.then(() => alarm.bringForward(handings.nextAt())));
  }

  /** The commit that is being made writes what has to be done; the alarm makes sure of it. */
  #soon(): void {
    const { alarm, clock } = this.#parts;
    this.#isAsked = true;
    alarm.bringForward(clock());
  }

  /** Another account gives these to this one. */
  take(list: readonly Handed[], isGone: boolean): readonly HandOnAnswer[] {
    return list.map((handed) => takeHanded(this.#parts, handed, isGone));
  }

  /** The other account reports how fallbacks ended. */
  endedElsewhere(list: readonly EndedElsewhere[]): void {
    const { incidents, sql, storage, tag } = this.#parts;
    for (const { id, by, state, outcome } of list)
      storage.transactionSync(() => {
        const seq = messageSeq(id, tag);
        const row = seq === null ? null : messageRow({ sql }, seq);
        const phase = seq === null ? undefined : handingOf(sql, seq)?.phase;
        // A person has sent it again meanwhile, or the end was reported already.
        if (row === null || (phase !== 'leaves' && phase !== 'away')) return;
        // The report may arrive before the answer that the fallback was taken.
        if (phase === 'leaves') this.#link(row, by);
        removeHanding(sql, row.seq);
        if (isFinal(row.state)) incidents.record(row, state, outcome);
      });
  }

  #followsBy(now: Now): HandOnEffects {
    return {
      overdue: (seqs) => now(() => seqs.forEach((seq) => this.#overdue(seq))),
      taken: (seq, message) => now(() => this.#taken(seq, message)),
      refused: (row, refusal) => now(() => this.#refused(row, refusal)),
      lost: (seq) => now(() => this.#lost(seq)),
    };
  }

  /** A message was not sent for too long. From now on it belongs to another account, unless its call is under way or a person holds it. */
  #overdue(seq: number): void {
    const { claims, clock, incidents, meta, origin, sql, storage, tail } = this.#parts;
    const row = messageRow({ sql }, seq);
    const account = row === null ? null : nextAccount(row);
    const at = row === null ? null : handOnAt(row);
    if (row === null || account === null || at === null || !isDue(row.state)) {
      removeHanding(sql, seq);
      return;
    }
    const isPaused = meta.pause !== null && meta.pause.by !== 'gateway';
    const wait = isPaused ? MINUTE : UNDER_WAY_MS;
    if (isPaused || claims.flight.has(seq)) {
      sql.exec('UPDATE handings SET next_at = ? WHERE seq = ?', clock() + wait, seq);
      return;
    }
    storage.transactionSync(() => {
      sql.exec(
        "UPDATE messages SET state = 'superseded', next_at = NULL, reason = ? WHERE seq = ?",
        `not sent within ${formatDuration(clock() - row.created_at)}: the account \`${account}\` sends its fallback`,
        seq,
      );
      this.#leave(row);
    });
    // Otherwise it would use memory, and the alarm would look for it.
    claims.queue.turns.remove(row);
    claims.queue.changed(clock());
    claims.counters.reached(row.source, 'superseded', clock());
    incidents.handedOn(row, null);
    logMessage('message.superseded', row, origin());
    tail.changed(row, 'superseded');
  }

  /** Has the next fallback given to its account. */
  #leave(row: MessageRow): void {
    const { account, clock, sql, tag } = this.#parts;
    const to = nextAccount(row) ?? '';
    const here = { account: account(), message: messageId(row.seq, tag) };
    linkAccount(sql, row.seq, to);
    addLeaving(sql, row.seq, to, handedFor(row, here, clock()), clock());
    this.#soon();
  }

  #taken(seq: number, message: string): void {
    const { clock, sql, storage } = this.#parts;
    const row = messageRow({ sql }, seq);
    const handing = handingOf(sql, seq);
    if (handing?.phase !== 'leaves') return;
    if (row === null) return void removeHanding(sql, seq);
    storage.transactionSync(() => {
      this.#link(row, { account: handing.account ?? '', message });
      if (row.says === null) removeHanding(sql, seq);
      else
        sql.exec(
          "UPDATE handings SET phase = 'away', what = NULL, next_at = ? WHERE seq = ?",
          clock() + LOST_MS,
          seq,
        );
    });
  }

  #link({ seq, forget, state }: MessageRow, { message }: AccountMessage): void {
    const { sql } = this.#parts;
    linkHanded(sql, seq, message);
    // Nobody tries it again.
    if (forget === 1 && state === 'superseded')
      sql.exec(`UPDATE messages SET params = '${FORGOTTEN}' WHERE seq = ?`, seq);
  }

  /** Sends what is left: the message itself, if it only waited; otherwise its next fallback. */
  #refused({ seq, account, what }: HandingRow, refusal: string): void {
    const { claims, clock, escapes, owner, sql, storage, tail } = this.#parts;
    const row = messageRow({ sql }, seq);
    if (row === null) return void removeHanding(sql, seq);
    const { draft } = parseOwnJson<Handed>(what ?? 'null');
    const from = { account: account ?? '', phone: draft.phone };
    const fallback = linkNothing(row, stepsIn(this.#parts.account(), draft.fallback ?? [], from));
    const reason = [row.reason, FALLBACK_REFUSED + refusal].filter(Boolean).join('; ');
    const waits = row.state === 'superseded';
    const next: MessageRow = {
      ...row,
      fallback,
      reason,
      ...(waits && { state: 'queued', next_at: clock() }),
    };
    const fellBack = storage.transactionSync(() => {
      removeHanding(sql, seq);
      sql.exec(
        'UPDATE messages SET state = ?, next_at = ?, reason = ?, fallback = ? WHERE seq = ?',
        next.state,
        next.next_at,
        reason,
        fallback,
        seq,
      );
      if (waits) watchMessage(sql, next, clock());
      const follows = waits ? null : this.fallBack(next, 'rejected');
      if (follows === null) escapes.watch([next]);
      if (!waits && follows === null && isFinal(row.state)) this.ended(next, 'dead', 'rejected');
      return follows;
    });
    fellBack?.();
    if (waits) {
      claims.queue.changed(clock());
      claims.counters.keepNow();
      tail.changed(next, 'queued');
    }
    owner.notTaken(from.account, refusal);
  }

  #lost(seq: number): void {
    const { incidents, sql, storage } = this.#parts;
    const row = messageRow({ sql }, seq);
    storage.transactionSync(() => {
      removeHanding(sql, seq);
      if (row === null || !isFinal(row.state)) return;
      sql.exec(
        'UPDATE messages SET reason = ? WHERE seq = ?',
        [row.reason, 'the outcome of its fallback is unknown'].filter(Boolean).join('; '),
        seq,
      );
      incidents.record(row, 'dead', 'uncertain');
    });
  }
}
