import { describeError, log } from '../../lib/log.ts';
import { earlySweepStep } from './early-sweep.ts';
import { SWEEP_START, type SweepPosition } from './retention.ts';
import type { StorageChange, StorageGuard, StorageLevel } from './storage-guard.ts';

/** Nothing could be freed: what waits has to come to an end first, and a look goes through all of it. */
const FREE_AGAIN_MS = 60_000;

interface StorageWatchDeps {
  readonly storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;
  readonly guard: StorageGuard;
  /** The messages whose calls are under way. */
  readonly sendingSeqs: () => readonly number[];
  /** Told before rows are deleted. */
  readonly onSweep: () => void;
  /** Told of what the owner must know. */
  readonly onChange: (kind: StorageChange, level: StorageLevel) => void;
  readonly waitUntil: (work: Promise<void>) => void;
  readonly outbox: () => string;
}

/** Tells when an outbox comes to be nearly full, and frees space then, beside whatever else goes on. */
export class StorageWatch {
  readonly #deps: StorageWatchDeps;
  #from: SweepPosition = SWEEP_START;
  #isFreeing = false;
  /** Nothing could be freed: looked at again from this time on (ms). */
  #againAt = 0;

  constructor(deps: StorageWatchDeps) {
    this.#deps = deps;
  }

  look(): void {
    const { guard, onChange, waitUntil } = this.#deps;
    const level = guard.level();
    const kind = guard.note(level);
    if (kind !== null) onChange(kind, level);
    if (level.state === 'ok' || this.#isFreeing || Date.now() < this.#againAt) return;
    this.#isFreeing = true;
    waitUntil(this.#free());
  }

  /** In steps, between which others are served, until it is well below or nothing more may go. Never throws. */
  async #free(): Promise<void> {
    const { storage, guard, sendingSeqs, onSweep, outbox } = this.#deps;
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
      log('error', 'outbox.sweep.failed', { outbox: outbox(), error: describeError(thrown) });
      this.#againAt = Date.now() + FREE_AGAIN_MS;
    } finally {
      this.#isFreeing = false;
    }
    this.look();
  }
}
