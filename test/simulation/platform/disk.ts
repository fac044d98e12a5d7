import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Random } from '../simulation.ts';
import type { Scheduler } from './scheduler.ts';
import { SqlStatements } from './sql.ts';

const SIZE =
  'SELECT (c.page_count - f.freelist_count) * s.page_size AS bytes FROM pragma_page_count c, pragma_freelist_count f, pragma_page_size s';

/** The writes of one step: on disk as a whole, or not at all. */
interface Batch {
  readonly savepoint: string;
  readonly alarmBefore: number | null;
  isFlushed: boolean;
  /** Called once this is on disk: the output gate holds it back until then. */
  readonly waiting: (() => void)[];
}

export interface DiskHost {
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** Returns the time that the disk takes for a flush, in ms. */
  flushMs(): number;
  /** False: each write is a batch of its own (a planted fault). */
  isAtomic(): boolean;
  /** A flush is about to be, or was, confirmed. */
  atFlush(moment: 'before' | 'after'): void;
  /** Its alarm may have changed. */
  alarmChanged(): void;
}

/**
 * The store of one object, which outlives its instances. Writes are seen at once and are on disk after a flush. The
 * writes between two awaits are one batch; each unflushed batch is a savepoint of one transaction, so that a crash
 * can keep any first part of them.
 */
export class Disk {
  readonly statements: SqlStatements;
  alarm: number | null = null;
  readonly #database = new DatabaseSync(':memory:');
  readonly #host: DiskHost;
  readonly #batches: Batch[] = [];
  #isOpen = false;
  #flushedAt = 0;
  #transactions = 0;

  constructor(host: DiskHost) {
    this.#host = host;
    this.statements = new SqlStatements(this.#database);
  }

  /** Without freed pages. */
  get bytes(): number {
    return Number(this.#prepare(SIZE).get()?.['bytes'] ?? 0);
  }

  /** Returns what puts everything back as it is now. */
  snapshot(): () => void {
    const { alarm } = this;
    const bytes = this.#database.serialize();
    return () => {
      this.statements.forget();
      this.#prepared.clear();
      this.#database.deserialize(bytes);
      this.alarm = alarm;
      this.#host.alarmChanged();
    };
  }

  get hasUnflushed(): boolean {
    return this.#batches.some(({ isFlushed }) => !isFlushed);
  }

  /** Opens the batch of this step, unless it is open. */
  open(): void {
    if (this.#isOpen && this.#host.isAtomic()) return;
    this.#close();
    this.#isOpen = true;
    const savepoint = `b${this.#batches.length}`;
    this.#run(`SAVEPOINT ${savepoint}`);
    this.#batches.push({ savepoint, alarmBefore: this.alarm, isFlushed: false, waiting: [] });
    this.#host.scheduler.whenStepEnds(() => this.#close());
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const batch = this.#batches.at(-1);
    if (batch === undefined) return;
    const { scheduler } = this.#host;
    this.#flushedAt = Math.max(this.#flushedAt, scheduler.now + this.#host.flushMs());
    scheduler.at(this.#flushedAt, () => this.#flush(batch));
  }

  #flush(batch: Batch): void {
    // A crash may have thrown it away.
    if (batch.isFlushed || !this.#batches.includes(batch)) return;
    this.#host.atFlush('before');
    if (!this.#batches.includes(batch)) return;
    // With this one, those before it are on disk, too: theirs may be due at the same moment.
    const flushed = this.#batches.slice(0, this.#batches.indexOf(batch) + 1);
    for (const one of flushed) one.isFlushed = true;
    this.#host.atFlush('after');
    const waiting = flushed.flatMap((one) => one.waiting.splice(0));
    if (!this.hasUnflushed && !this.#isOpen) this.#commit();
    for (const release of waiting) release();
  }

  #commit(): void {
    if (this.#batches.length === 0) return;
    this.#run('RELEASE b0');
    this.#batches.length = 0;
  }

  /** Runs `release` once all that was written so far is on disk. */
  whenFlushed(release: () => void): void {
    const last = this.#batches.at(-1);
    if (last === undefined || last.isFlushed) release();
    else last.waiting.push(release);
  }

  /**
   * The instance is gone: of the writes that were not confirmed, any first part is on disk. The gate never sends what
   * it held back.
   */
  crash(): void {
    this.#isOpen = false;
    this.#transactions = 0;
    const unflushed = this.#batches.filter(({ isFlushed }) => !isFlushed);
    const kept = unflushed.length === 0 ? 0 : this.#host.random.int(0, unflushed.length);
    const lost = unflushed[kept];
    if (lost !== undefined) {
      this.#run(`ROLLBACK TO ${lost.savepoint}`);
      this.alarm = lost.alarmBefore;
    }
    this.#commit();
    this.#host.alarmChanged();
  }

  transactionSync<Value>(work: () => Value): Value {
    if (!this.#host.isAtomic()) return work();
    this.open();
    const savepoint = `t${this.#transactions}`;
    const { alarm } = this;
    this.#transactions += 1;
    this.#run(`SAVEPOINT ${savepoint}`);
    try {
      return work();
    } catch (thrown) {
      this.#run(`ROLLBACK TO ${savepoint}`);
      this.alarm = alarm;
      this.#host.alarmChanged();
      throw thrown;
    } finally {
      this.#run(`RELEASE ${savepoint}`);
      this.#transactions -= 1;
    }
  }

  readonly #prepared = new Map<string, StatementSync>();

  #prepare(text: string): StatementSync {
    let statement = this.#prepared.get(text);
    if (statement === undefined) this.#prepared.set(text, (statement = this.#database.prepare(text)));
    return statement;
  }

  #run(text: string): void {
    this.#prepare(text).run();
  }

  close(): void {
    this.#database.close();
  }
}
