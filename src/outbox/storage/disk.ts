import { DISK } from '../../lib/shares.ts';
import { readFact, writeFact } from '../state/meta.ts';

/** As a share of the size that an outbox may have: from here on finished events are swept early … */
const LOW_SHARE = 0.8;
/** … until it is below this. On the edge it must not notify its owner with every event. */
const RECOVERED_SHARE = 0.75;

/** The platform's limit for an object on the paid plan, 10 GB, in MiB. */
const DEFAULT_MAX_MIB = 9_536;

const MIB = 1_048_576;

/** `low`: finished events are deleted early; `full`: webhooks are refused, deliveries continue. */
export type StorageState = 'ok' | 'low' | 'full';

/** Freed space does not count, though the platform keeps it for the object. */
export interface StorageLevel {
  readonly bytes: number;
  readonly maxBytes: number;
  readonly state: StorageState;
}

/** The limit from `OUTBOX_MAX_MIB`, in bytes; anything but a whole number counts as not set. */
export function maxStorageBytes(given: string | undefined): number {
  const mib = given !== undefined && /^[1-9]\d{0,6}$/.test(given) ? Number(given) : DEFAULT_MAX_MIB;
  return mib * MIB;
}

/** The changes that the owner is notified of. `back`: it was full, and accepts webhooks again. */
export type StorageChange = 'storage.low' | 'storage.full' | 'storage.back';

const KEY = 'storage';

/** A row has what its owner was notified of, so that a restart does not notify again. */
export class Disk {
  readonly #sql: SqlStorage;
  readonly #maxBytes: number;
  /** The worst state since the outbox was last well below the limit. */
  #worst: StorageState;
  /** The size when it was last measured, with what was accepted since. */
  #bytes: number;
  #measured = 0;

  constructor(sql: SqlStorage, maxBytes: number) {
    this.#sql = sql;
    this.#maxBytes = maxBytes;
    this.#bytes = sql.databaseSize;
    const worst = readFact(sql, KEY);
    this.#worst = worst === 'full' || worst === 'low' ? worst : 'ok';
  }

  /** Measures the size: workerd's `databaseSize` does not count freed pages. */
  measure(): StorageLevel {
    this.#bytes = this.#sql.databaseSize;
    this.#measured = this.#bytes;
    return this.level;
  }

  /** True if it may have grown by a thousandth of its limit since it was measured, or is nearly full. */
  get isDue(): boolean {
    return this.#bytes - this.#measured > this.#maxBytes / 1_000 || this.level.state !== 'ok';
  }

  get level(): StorageLevel {
    const [bytes, maxBytes] = [this.#bytes, this.#maxBytes];
    const isLow = bytes >= maxBytes * (this.#worst === 'ok' ? LOW_SHARE : RECOVERED_SHARE);
    return { bytes, maxBytes, state: bytes >= maxBytes * DISK.all ? 'full' : isLow ? 'low' : 'ok' };
  }

  /** True if another message about what was accepted may be queued. */
  hasRoom(isUrgent: boolean): boolean {
    return this.#bytes < this.#maxBytes * (isUrgent ? DISK.urgent : DISK.all);
  }

  /** Returns the number of bytes that may still be accepted from a source; `isOpen`: it cannot prove its sender. */
  bytesLeft(isOpen: boolean): number {
    return this.#maxBytes * (isOpen ? DISK.open : DISK.all) - this.#bytes;
  }

  accepted(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Notifies of a change. To be called in a transaction: if `notify` throws, the next call does both. */
  note(notify: (change: StorageChange) => void): void {
    const [before, { state }] = [this.#worst, this.level];
    // The level may go up and down at the edge. Until it is well below, the owner knows the worst state already.
    if (state === before || (state === 'low' && before === 'full')) return;
    writeFact(this.#sql, KEY, state === 'ok' ? null : state);
    if (state !== 'ok') notify(`storage.${state}`);
    else if (before === 'full') notify('storage.back');
    this.#worst = state;
  }
}
