import type { AccountPolicy } from '../config/compiled/config.ts';
import type { AttemptResult } from '../gateway/client.ts';
import { describeError, log } from '../lib/log.ts';
import { reasonIn, withoutWords } from '../lib/reason.ts';
import { fnv } from '../lib/text.ts';
import { standingIn, standingOf } from '../lib/shares.ts';
import { insertMessage, insertMessages, rewriteMessage } from './accept/rows.ts';
import type { Base } from './base.ts';
import { watchMessage } from './state/fallback.ts';
import { Incidents } from './incidents/incidents.ts';
import { decide, type Decision, type RecordedAttempt } from './send/decide.ts';
import { INTERRUPTED, type CallEnd } from './send/claims.ts';
import type { Ready } from './send/queue.ts';
import type { DraftMessage, Drafts, MessageOrigin } from './state/acceptance.ts';
import * as circuit from './state/circuit.ts';
import { fallbackFor, handOnAt, linkFallback, nextAccount } from './state/fallback.ts';
import {
  attemptsText,
  changeRow,
  forgetting,
  messageId,
  messageRow,
  newestSeq,
  nextAttempt,
  parseAttempts,
  writeEnd,
  type Attempt,
  type End,
  type MessageRow,
} from './state/message.ts';
import { lastSweptSeq } from './housekeeping.ts';

const RECORD = `UPDATE messages SET state = ?, reason = ?, next_at = ?, tries = ?, refusals = ?, attempts = ?,
   sent_at = ?, ${forgetting('?8')} WHERE seq = ?9`;

/**
 * The life of a message: it is queued, waits, and ends, with or without a call. What a step means for other rows (the
 * incidents that it is about, its fallback, the escape channel) is written in the same transaction. Queue, counters,
 * log and tail learn of it once that stands.
 */
export class Messages {
  readonly #base: Base;
  readonly incidents: Incidents;
  nextSeq: number;
  /** The effects of the transaction that is being made; null while there is none. */
  #effects: (() => void)[] | null = null;

  constructor(base: Base) {
    this.#base = base;
    // They hear of their messages, and queue some themselves.
    this.incidents = new Incidents({ ...base, messages: this });
    const { claims, sql } = base;
    this.nextSeq = Math.max(newestSeq(sql), claims.queue.cursor, lastSweptSeq(sql)) + 1;
  }

  /** Makes one transaction, or a part of one. Its effects follow once it stands; a fault of one ends only the run. */
  change<Done>(work: () => Done): Done {
    const { claims, storage } = this.#base;
    if (this.#effects !== null) return storage.transactionSync(work);
    const effects: (() => void)[] = [];
    this.#effects = effects;
    const nextSeq = this.nextSeq;
    let done;
    try {
      done = storage.transactionSync(work);
    } catch (thrown) {
      this.nextSeq = nextSeq;
      throw thrown;
    } finally {
      this.#effects = null;
    }
    for (const effect of effects)
      try {
        effect();
      } catch (thrown) {
        claims.flight.fail(thrown);
      }
    return done;
  }

  follow(effect: () => void): void {
    this.#effects?.push(effect);
  }

  /** Returns the first one's number, which `also` gets in the same transaction; null: there is no space. */
  queue({ drafts, origin }: Drafts, also?: (seq: number) => void): number | null {
    const { disk, sql, tag, links, clock } = this.#base;
    const isOpen = origin.isOpen === true;
    const isUrgent = drafts.some(({ priority = 'normal' }) => standingOf(isOpen, priority) === 'urgent');
    if (!disk.hasRoom(isUrgent)) return null;
    return this.change(() => {
      const context = { sql, tag, now: clock(), nextSeq: this.nextSeq, links };
      also?.(context.nextSeq);
      this.queued(insertMessages(context, drafts, origin), context.now);
      return context.nextSeq;
    });
  }

  rewrite<Row extends Pick<MessageRow, 'seq'>>(row: Row, draft: DraftMessage, origin: MessageOrigin): Row {
    const { links, sql } = this.#base;
    return rewriteMessage(sql, row, draft, origin, links);
  }

  /** Has a message wait until a time (ms). If that has passed, the message may go at once. */
  postpone(row: Pick<MessageRow, 'seq' | 'standing'>, at: number): void {
    const { claims, sql } = this.#base;
    changeRow(sql, row, { next_at: at });
    claims.queue.dueAt(at, standingIn(row));
  }

  hurry(seq: number): void {
    const { claims, clock, sql } = this.#base;
    const row = messageRow({ sql }, seq);
    if (row?.state === 'retrying' && !claims.flight.has(seq)) this.postpone(row, clock());
  }

  /** A message that was over waits again, with a change of its row. */
  waitsAgain(row: MessageRow, change: Partial<MessageRow> = {}): void {
    const { claims, clock, escapes, sql, tail } = this.#base;
    const now = clock();
    const waiting = changeRow(sql, row, { ...change, state: 'queued', next_at: now });
    escapes.watch([waiting]);
    watchMessage(sql, waiting, now);
    this.follow(() => {
      claims.queue.changed(clock());
      tail.changed(waiting, 'queued');
    });
  }

  end(row: MessageRow, end: End): void {
    const { claims, clock, owner, sql, tail } = this.#base;
    this.change(() => {
      writeEnd(sql, row, end);
      this.ended(row, end.state, null);
      this.follow(() => {
        // Otherwise it would use memory, and the alarm would look for it, as long as its account cannot send.
        claims.queue.turns.remove(row);
        claims.counters.reached(row.source, end.state, clock());
        owner.ended(row, end);
        tail.changed(row, end.state);
      });
    });
  }

  /** Nothing else changes the row of a message whose call is under way. If it throws, nothing is recorded. */
  record(call: Ready, took: Omit<CallEnd, 'result'>, result: AttemptResult, policy: AccountPolicy): void {
    const { row, receivedAt } = call;
    const { claims, random, sql } = this.#base;
    const attempts = parseAttempts(row.attempts);
    const forbidden = circuit.forbiddenSoFar(attempts);
    const isForbiddenAgain = result.outcome === 'forbidden' && forbidden !== null;
    const tried = {
      tries: row.tries,
      refusals: row.refusals,
      onUncertain: row.on_uncertain === 'hold' ? ('hold' as const) : ('retry' as const),
      forbidden: forbidden?.count ?? 0,
      areOthersSent: isForbiddenAgain && circuit.isOtherSent(sql, forbidden.since),
    };
    const decision = decide(tried, result, policy, took.endedAt, random());
    const isSent = decision.state === 'sent';
    const attempt: Attempt = {
      n: nextAttempt(attempts),
      at: took.startedAt,
      duration_ms: result.duration_ms,
      outcome: result.outcome,
      // A gateway may repeat the message in its answer.
      ...(result.outcome !== 'sent' && (row.forget === 1 ? withoutWords(result) : reasonIn(result))),
      ...(result.http_status !== undefined && { http_status: result.http_status }),
      ...(result.response !== undefined && row.forget === 0 && { response: result.response }),
    };
    const latencyMs = isSent ? Math.max(0, took.endedAt - receivedAt) : null;
    try {
      this.change(() => {
        sql.exec(
          RECORD,
          decision.state,
          // The reason why it differs from its template, if that was known from the start.
          isSent && attempts.length === 0 ? row.reason : decision.reason && JSON.stringify(decision.reason),
          decision.nextAt,
          decision.tries,
          decision.refusals,
          attemptsText([...attempts, attempt]),
          isSent ? took.endedAt : null,
          isSent ? 1 : 0,
          row.seq,
        );
        if (policy.newContacts !== null && row.phone !== null)
          claims.contacts.called(row.phone, standingIn(row) === 'open', took.endedAt);
        if (decision.state !== 'dead' || !this.fallBack(row, attempt.outcome))
          this.ended(row, decision.state, attempt.outcome);
        this.follow(() =>
          this.#recorded({ row, attempt, decision, latencyMs }, result, policy, took.endedAt),
        );
      });
    } catch (thrown) {
      // Memory of what it has counted is read again.
      claims.contacts.recount();
      throw thrown;
    }
  }

  /** A message could not be claimed, or its call could not be recorded. */
  failed({ seq }: Pick<MessageRow, 'seq'>, thrown: unknown): void {
    const { account, tag } = this.#base;
    const message = messageId(seq, tag);
    log('error', 'outbox.message.failed', { account: account(), message, error: describeError(thrown) });
  }

  /** Queues the fallback of a dead message, or gives it to another account. False if there is none. */
  fallBack(row: MessageRow, outcome: Attempt['outcome']): boolean {
    const { clock, escapes, handings, sql } = this.#base;
    if (nextAccount(row) !== null) {
      handings.leave(row);
      this.incidents.handedOn(row, outcome);
      return true;
    }
    const now = clock();
    const next = fallbackFor(row, this.nextSeq, now);
    if (next === null) return false;
    insertMessage({ sql, now }, next);
    linkFallback(sql, row.seq, next.seq);
    escapes.follow(row.seq, next.seq);
    this.queued([next], now);
    this.incidents.fellBack(row, next.seq, outcome);
    return true;
  }

  /** Messages of one origin were queued. `receivedAt`: the time of their webhook (ms). */
  queued(rows: readonly MessageRow[], receivedAt: number): void {
    const { claims, clock, escapes, tail } = this.#base;
    const [first] = rows;
    if (first === undefined) return;
    this.nextSeq = Math.max(this.nextSeq, first.seq + rows.length);
    escapes.watch(rows);
    this.follow(() => {
      claims.queue.accepted(rows.map((row) => ({ row, receivedAt })));
      claims.counters.queued(first.source, rows.length, clock());
      for (const row of rows) tail.changed(row, 'queued');
    });
  }

  /** `outcome`: of its call. What its receiver knows is last: if a later write failed, memory would keep it. */
  ended(row: MessageRow, state: Decision['state'] | End['state'], outcome: Attempt['outcome'] | null): void {
    const { escapes, handings } = this.#base;
    if (state === 'sent') escapes.forget(row);
    if (row.fallback !== null && state !== 'queued' && state !== 'retrying') {
      const isReported = state !== 'superseded' && handings.report(row);
      if (!isReported && handOnAt(row) !== null) handings.remove(row.seq);
    }
    if (state !== 'superseded') this.incidents.record(row, state, outcome);
  }

  #recorded(
    recorded: Omit<RecordedAttempt, 'before'>,
    result: AttemptResult,
    policy: AccountPolicy,
    now: number,
  ): void {
    const { row, attempt, decision, latencyMs } = recorded;
    const { claims, meta, owner, tail } = this.#base;
    claims.counters.attempt(row, attempt, decision.state, latencyMs);
    if (decision.nextAt !== null) claims.queue.dueAt(decision.nextAt, standingIn(row));
    const before = { pause: meta.pause, circuit: meta.circuit };
    const caller = { source: row.source, standing: standingIn(row) };
    // An interruption shows nothing about the gateway: a deploy must not open the circuit.
    if (result !== INTERRUPTED)
      meta.circuit = circuit.afterCall(meta.circuit, result, caller, policy.circuit, now);
    if (result.outcome === 'unauthorized') meta.pause ??= { at: now, by: 'gateway', ...reasonIn(result) };
    if (result.outcome === 'forbidden') this.#noteForbidden(row, attempt.at, now);
    if (decision.state === 'sent') meta.forbidden = null;
    owner.recorded({ before, ...recorded });
    tail.changed(row, decision.state, recorded);
  }

  #noteForbidden(row: MessageRow, startedAt: number, now: number): void {
    const { meta, sql } = this.#base;
    const isOpen = standingIn(row) === 'open';
    const { since = null } = meta.forbidden ?? {};
    const isAsked = since !== null && startedAt >= since && !isOpen;
    if (isAsked && !circuit.isUrgentUntried(sql, now))
      meta.pause ??= { at: now, by: 'gateway', code: 'account-forbidden' };
    const { event_id: event, params, seq, source } = row;
    const witness = { event: event ?? `#${seq}`, text: fnv(params), source, isOpen };
    meta.forbidden = circuit.withWitness(meta.forbidden, witness, circuit.isOtherSource(sql, source), now);
  }
}
