import { describeError, log } from '../lib/log.ts';
import type { Base } from './base.ts';
import { handingOf } from './hand-on/handings.ts';
import { SWEEP_START, sweepStep, type SweepPosition } from './storage/retention.ts';

/**
 * The time after which to try again if nothing could be freed: waiting messages must end first, and each attempt reads
 * all rows.
 */
const FREE_AGAIN_MS = 60_000;

/** Reports when an outbox becomes nearly full, and then frees space in the background. */
export class StorageWatch {
  readonly #base: Base;
  #from: SweepPosition = SWEEP_START;
  #isFreeing = false;
  /** The time when space may be freed again, after nothing could be freed (ms). */
  #againAt = 0;

  constructor(base: Base) {
    this.#base = base;
  }

  look(): void {
    const { clock, guard, owner, storage, waitUntil } = this.#base;
    if (guard.isFar) return;
    const level = guard.level();
    storage.transactionSync(() => guard.note(level, (change) => owner.storage(change, level)));
    if (level.state === 'ok' || this.#isFreeing || clock() < this.#againAt) return;
    this.#isFreeing = true;
    waitUntil(this.#free());
  }

  /**
   * Works in steps, between which other calls are served, until the outbox is well below the limit or nothing more may
   * be deleted. Never throws.
   */
  async #free(): Promise<void> {
    const { account, claims, clock, guard, storage } = this.#base;
    try {
      while (guard.level().state !== 'ok') {
        claims.keepForSweep();
        const isSending = (seq: number): boolean =>
          claims.flight.has(seq) || handingOf(storage.sql, seq) !== null;
        const context = { sql: storage.sql, now: clock(), before: null, isSending };
        const next = storage.transactionSync(() => sweepStep(context, this.#from));
        this.#from = next ?? SWEEP_START;
        if (next === null) {
          this.#againAt = clock() + FREE_AGAIN_MS;
          break;
        }
        await scheduler.wait(0);
      }
    } catch (thrown) {
      log('error', 'outbox.sweep.failed', { account: account(), error: describeError(thrown) });
      this.#againAt = clock() + FREE_AGAIN_MS;
    } finally {
      this.#isFreeing = false;
    }
    this.look();
  }
}
