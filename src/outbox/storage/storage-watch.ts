import { describeError, log } from '../../lib/log.ts';
import { earlySweepStep } from './early-sweep.ts';
import { SWEEP_START, type SweepPosition } from './retention.ts';
import type { StorageChange, StorageGuard, StorageLevel } from './storage-guard.ts';

/** When to try again after nothing could be freed: waiting messages have to end first, and each try reads all rows. */
const FREE_AGAIN_MS = 60_000;

interface StorageWatchDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  readonly guard: StorageGuard;
  /** The messages whose calls are under way. */
  readonly sendingSeqs: () => readonly number[];
  /** Called before rows are deleted. */
  readonly onSweep: () => void;
  /** Called with what the owner must be notified of. */
  readonly onChange: (kind: StorageChange, level: StorageLevel) => void;
  readonly waitUntil: (work: Promise<void>) => void;
  readonly account: () => string;
}

/** Reports when an outbox becomes nearly full, and then frees space in the background. */
export class StorageWatch {
  readonly #deps: StorageWatchDeps;
  #from: SweepPosition = SWEEP_START;
  #isFreeing = false;
  /** When space may be freed again, after nothing could be freed (ms). */
  #againAt = 0;

  constructor(deps: StorageWatchDeps) {
    this.#deps = deps;
  }

  look(): void {
    const { guard, onChange, waitUntil } = this.#deps;
    if (guard.isFar) return;
    const level = guard.level();
    const kind = guard.note(level);
    if (kind !== null) onChange(kind, level);
    if (level.state === 'ok' || this.#isFreeing || Date.now() < this.#againAt) return;
    this.#isFreeing = true;
    waitUntil(this.#free());
  }

  /**
   * Works in steps, between which other calls are served, until it is well below the limit or nothing more may be
   * deleted. Never throws.
   */
  async #free(): Promise<void> {
    const { storage, guard, sendingSeqs, onSweep, account } = this.#deps;
    try {
      while (guard.level().state !== 'ok') {
        onSweep();
        const context = { sql: storage.sql, now: Date.now(), sendingSeqs: sendingSeqs() };
        const next = storage.transactionSync(() => earlySweepStep(context, this.#from));
        this.#from = next ?? SWEEP_START;
        if (next === null) {
          this.#againAt = Date.now() + FREE_AGAIN_MS;
          break;
        }
        await scheduler.wait(0);
      }
    } catch (thrown) {
      log('error', 'outbox.sweep.failed', { account: account(), error: describeError(thrown) });
      this.#againAt = Date.now() + FREE_AGAIN_MS;
    } finally {
      this.#isFreeing = false;
    }
    this.look();
  }
}
