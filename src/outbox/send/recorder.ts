import type { AccountPolicy } from '../../config/compiled/config.ts';
import type { AttemptResult } from '../../gateway/client.ts';
import { standingIn, type Standing } from '../../lib/shares.ts';
import { fnv } from '../../lib/fnv.ts';
import type { Counters } from '../counters/counters.ts';
import type { NotifiedStatus } from '../notify/notification.ts';
import { FORGOTTEN } from '../operate/operate.ts';
import { afterCall } from '../state/circuit.ts';
import {
  ACCOUNT_FORBIDDEN,
  forbiddenSoFar,
  isOtherSent,
  isOtherSource,
  isUrgentUntried,
  withWitness,
} from '../state/forbidden.ts';
import { FORGET_FALLBACK } from '../state/fallback.ts';
import {
  attemptsText,
  isDigest,
  nextAttempt,
  parseAttempts,
  type Attempt,
  type MessageRow,
} from '../state/message.ts';
import type { Meta } from '../state/meta.ts';
import { STOPPED } from '../state/reason.ts';
import type { Contacts } from './contacts.ts';
import { decide, type Decision } from './decide.ts';
import type { InFlight } from './flight.ts';
import type { Ready } from './ready-rows.ts';

/** The record of a call that was under way when the object stopped. */
const INTERRUPTED: AttemptResult = {
  outcome: 'uncertain',
  detail: STOPPED,
  duration_ms: 0,
};

/** An attempt that was just recorded, and the account's status before it. */
export interface RecordedAttempt {
  readonly before: NotifiedStatus;
  /** The message's row before the attempt. */
  readonly row: MessageRow;
  readonly attempt: Attempt;
  readonly decision: Decision;
  /** The time from the webhook to the gateway's answer that it is sent (ms); null if it is not sent. */
  readonly latencyMs: number | null;
}

interface RecorderDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  readonly meta: Meta;
  readonly contacts: Pick<Contacts, 'called' | 'recount'>;
  readonly counters: Counters;
  /** Called with the time of a message's next attempt (ms), and its standing. */
  readonly onDue: (at: number, standing: Standing) => void;
  /**
   * Writes the fallback of a message that is dead now, in the transaction that records this. Returns what follows once
   * that stands: memory must not have a message that no row has. Null if there is no fallback.
   */
  readonly fallBack: (row: MessageRow, outcome: Attempt['outcome']) => (() => void) | null;
  /**
   * Called after the attempt is written, in the same transaction. Not called for a message that its fallback replaces.
   */
  readonly onWritten: (row: MessageRow, state: Decision['state'], outcome: Attempt['outcome']) => void;
  /** Called after each attempt, in the same commit. */
  readonly onRecorded: (recorded: RecordedAttempt) => void;
  readonly clock: () => number;
  readonly random: () => number;
}

/** The times when a call began and when its answer arrived (ms): it may be recorded later. */
interface Took {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Records the result of a call: the attempt, the message's next state, and the account's pause and circuit. */
export class Recorder {
  readonly #deps: RecorderDeps;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /** Records a call that was under way when the object stopped, or that failed in this code. */
  recordInterrupted({ seq, at }: InFlight, policy: AccountPolicy): void {
    const { sql } = this.#deps.storage;
    const row = sql.exec<MessageRow>('SELECT * FROM messages WHERE seq = ?', seq).one();
    // The message is not sent by this call, so its duration does not matter.
    const took = { startedAt: at, endedAt: this.#deps.clock() };
    this.record({ row, receivedAt: row.created_at }, took, INTERRUPTED, policy)();
  }

  /**
   * Records the result of a call. Nothing else changes the row of a message whose call is under way, as far as this
   * depends on it. Returns the function that does the rest. May be called again after it threw: everything is recorded,
   * or nothing.
   */
  record(
    { row, receivedAt }: Ready,
    { startedAt, endedAt }: Took,
    result: AttemptResult,
    policy: AccountPolicy,
  ): () => void {
    const { storage, counters, random } = this.#deps;
    const { sql } = storage;
    const { seq } = row;
    const attempts = parseAttempts(row.attempts);
    const onUncertain = row.on_uncertain === 'hold' ? 'hold' : 'retry';
    const forbidden = forbiddenSoFar(attempts);
    const areOthersSent =
      result.outcome === 'forbidden' && forbidden !== null && isOtherSent(sql, forbidden.since);
    const decision = decide(
      {
        tries: row.tries,
        refusals: row.refusals,
        onUncertain,
        forbidden: forbidden?.count ?? 0,
        areOthersSent,
      },
      result,
      policy,
      endedAt,
      random(),
    );
    const attempt: Attempt = {
      n: nextAttempt(attempts),
      at: startedAt,
      duration_ms: result.duration_ms,
      outcome: result.outcome,
      ...(result.outcome !== 'sent' && { detail: result.detail }),
      ...(result.http_status !== undefined && { http_status: result.http_status }),
      // A gateway may repeat the message in its answer.
      ...(result.response !== undefined && row.forget === 0 && { response: result.response }),
    };
    const values = [
      decision.state,
      // The reason why it differs from its template, if that was known from the start.
      decision.state === 'sent' && attempts.length === 0 ? row.reason : decision.reason,
      decision.nextAt,
      decision.tries,
      decision.refusals,
      attemptsText([...attempts, attempt]),
      decision.state === 'sent' ? endedAt : null,
      decision.state === 'sent' ? 1 : 0,
      seq,
    ];
    const latencyMs = decision.state === 'sent' ? Math.max(0, endedAt - receivedAt) : null;
    const fellBack = this.#written(() => {
      writeRow(sql, values);
      if (policy.newContacts !== null && row.phone !== null)
        this.#deps.contacts.called(row.phone, standingIn(row) === 'open', endedAt);
      const follows = decision.state === 'dead' ? this.#deps.fallBack(row, attempt.outcome) : null;
      if (follows === null) this.#deps.onWritten(row, decision.state, attempt.outcome);
      return follows;
    });
    // All else follows, since the record stands whatever throws there.
    return () => {
      fellBack?.();
      counters.attempt(row.source, attempt, decision.state, latencyMs);
      if (decision.state === 'sent' && isDigest(row)) counters.digest();
      this.#follow({ row, attempt, decision, latencyMs }, result, policy, endedAt);
    };
  }

  /** Writes a record, all of it or nothing; memory of what it has counted is read again if it is nothing. */
  #written<Done>(write: () => Done): Done {
    const { storage, contacts } = this.#deps;
    try {
      return storage.transactionSync(write);
    } catch (thrown) {
      contacts.recount();
      throw thrown;
    }
  }

  /** Applies the consequences of a record for the account. */
  #follow(
    recorded: Omit<RecordedAttempt, 'before'>,
    result: AttemptResult,
    policy: AccountPolicy,
    now: number,
  ): void {
    const { row, attempt, decision } = recorded;
    const { meta } = this.#deps;
    if (decision.nextAt !== null) this.#deps.onDue(decision.nextAt, standingIn(row));
    const before = { pause: meta.pause, circuit: meta.circuit };
    const caller = { source: row.source, standing: standingIn(row) };
    // An interruption shows nothing about the gateway: a deploy must not open the circuit.
    if (result !== INTERRUPTED) meta.circuit = afterCall(meta.circuit, result, caller, policy.circuit, now);
    if (result.outcome === 'unauthorized') meta.pause ??= { at: now, by: 'gateway', reason: result.detail };
    if (result.outcome === 'forbidden') this.#noteForbidden(row, attempt.at, now);
    if (decision.state === 'sent') meta.forbidden = null;
    this.#deps.onRecorded({ before, ...recorded });
  }

  #noteForbidden(row: MessageRow, startedAt: number, now: number): void {
    const { meta, storage } = this.#deps;
    const isOpen = standingIn(row) === 'open';
    const { since = null } = meta.forbidden ?? {};
    const isAsked = since !== null && startedAt >= since && !isOpen;
    if (isAsked && !isUrgentUntried(storage.sql, now))
      meta.pause ??= { at: now, by: 'gateway', reason: ACCOUNT_FORBIDDEN };
    const { event_id: event, params, seq, source } = row;
    const witness = { event: event ?? `#${seq}`, text: fnv(params), source, isOpen };
    meta.forbidden = withWitness(meta.forbidden, witness, isOtherSource(storage.sql, source), now);
  }
}

function writeRow(sql: SqlStorage, values: readonly SqlStorageValue[]): void {
  sql.exec(
    `UPDATE messages SET state = ?, reason = ?, next_at = ?, tries = ?, refusals = ?, attempts = ?, sent_at = ?,
       params = CASE WHEN forget = 1 AND ?8 THEN '${FORGOTTEN}' ELSE params END,
       fallback = CASE WHEN forget = 1 AND ?8 THEN ${FORGET_FALLBACK} ELSE fallback END WHERE seq = ?9`,
    ...values,
  );
}
