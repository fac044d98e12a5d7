import { logMessage, type Origin } from './log-lines.ts';
import { cancelMessages, type CancelFilter, type CancelStep } from './operate/cancel-many.ts';
import {
  cancelMessage,
  retryMessage,
  retryMessages,
  type BulkFilter,
  type BulkFrom,
  type BulkStep,
  type OperateContext,
} from './operate/operate.ts';
import { type ReadContext } from './read/read.ts';
import { messageRow } from './state/message.ts';
import { messageSeq, type MessageRow } from './state/message.ts';
import type { Tail } from './tail/tail.ts';

/** The result of a person's action. `refusal`: why nothing was done; null: it was done. */
export interface Operated {
  readonly refusal: string | null;
}

interface OperationsDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  readonly read: () => ReadContext;
  readonly tail: Tail;
  readonly origin: () => Origin;
  /** Called with each message that is cancelled, in the transaction that says so. */
  readonly onCancelled: (row: MessageRow) => void;
  /** Called after each change, in the same commit; `now` in ms. */
  readonly onChanged: (now: number) => void;
}

/** What people do with messages: retry and cancel, one or many. */
export class Operations {
  readonly #deps: OperationsDeps;

  constructor(deps: OperationsDeps) {
    this.#deps = deps;
  }

  /** Another attempt at a message that is dead or waits; see `operate.ts`. Null: there is no such message. */
  retry(id: string, by: string): Operated | null {
    return this.#one(id, by, this.#retry);
  }

  /** Takes a message out of delivery. Null: there is no such message. */
  cancel(id: string, by: string): Operated | null {
    return this.#one(id, by, this.#cancel);
  }

  /**
   * Retries a bounded number of messages numbered above `after`, or only counts them; the answer says where the next
   * call continues.
   */
  retryMany(filter: BulkFilter, by: string, from: BulkFrom): BulkStep {
    const { read, onChanged } = this.#deps;
    const context = this.#context(by);
    const done = retryMessages(context, filter, from, this.#retry);
    if (done.retried === 0 || from.isDryRun) return done;
    read().claims.counters.keepNow();
    onChanged(context.now);
    return done;
  }

  /**
   * Cancels a bounded number of waiting messages numbered above `after`, or only counts them; see {@link
   * cancelMessages}.
   */
  cancelMany(filter: CancelFilter, by: string, from: BulkFrom): CancelStep {
    const context = this.#context(by);
    const done = cancelMessages(context, filter, from, this.#cancel);
    if (done.cancelled > 0 && !from.isDryRun) this.#deps.onChanged(context.now);
    return done;
  }

  #one(id: string, by: string, act: typeof retryMessage): Operated | null {
    const read = this.#deps.read();
    const seq = messageSeq(id, read.tag);
    const row = seq === null ? null : messageRow(read, seq);
    if (row === null) return null;
    const context = this.#context(by);
    const done = act(context, row);
    if (!done.ok) return { refusal: done.error };
    // The row does not show the last attempt's state any more, so a restart could not count it from there.
    read.claims.counters.keepNow();
    this.#deps.onChanged(context.now);
    return { refusal: null };
  }

  readonly #retry: typeof retryMessage = (context, row) => {
    const done = retryMessage(context, row);
    if (done.ok) this.#deps.tail.changed(row, 'queued');
    return done;
  };

  /** Memory follows when it stands. */
  readonly #cancel: typeof cancelMessage = (context, row) => {
    const { storage, read, tail, origin, onCancelled } = this.#deps;
    const done = storage.transactionSync(() => {
      const result = cancelMessage(context, row);
      if (result.ok) onCancelled(row);
      return result;
    });
    if (!done.ok) return done;
    const { claims } = read();
    // Else it would take memory, and have the alarm look for it, as long as its account cannot send.
    claims.queue.turns.remove(row);
    claims.counters.reached(row.source, 'cancelled', context.now);
    logMessage('message.cancelled', row, origin(), { by: context.by });
    tail.changed(row, 'cancelled');
    return done;
  };

  #context(by: string): OperateContext {
    const { storage, read } = this.#deps;
    const { flight } = read().claims;
    return { sql: storage.sql, now: Date.now(), by, isSending: (seq) => flight.has(seq) };
  }
}
