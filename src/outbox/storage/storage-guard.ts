import { DISK } from '../../lib/shares.ts';
import { readFact, writeFact } from '../state/facts.ts';

/** As a share of the size that an outbox may have: from here on finished events are swept early … */
const LOW_SHARE = 0.8;
/** … until it is below this, … */
const RECOVERED_SHARE = 0.75;

/** The platform's limit for an object on the paid plan, 10 GB, in MiB. */
const DEFAULT_MAX_MIB = 9_536;

const MIB = 1_048_576;

/**
 * While twice this could be added and it would still be well below the limit, an outbox is measured only when this much
 * was accepted, or this many events.
 */
const FAR_BYTES = 64 * MIB;
const FAR_EVENTS = 256;
const NEAR = { bytes: 0, events: 0 };

/**
 * The fill level of an outbox. `low`: finished events are deleted early; `full`: webhooks are refused, deliveries
 * continue.
 */
export type StorageState = 'ok' | 'low' | 'full';

/** The fill level of an outbox, in bytes. Freed space does not count, though the platform keeps it for the object. */
export interface StorageLevel {
  readonly bytes: number;
  readonly maxBytes: number;
  readonly state: StorageState;
}

/**
 * Returns the maximum size of an outbox, from the variable `OUTBOX_MAX_MIB`; anything but a whole number counts as
 * not set.
 */
export function maxStorageBytes(given: string | undefined): number {
  const mib = given !== undefined && /^[1-9]\d{0,6}$/.test(given) ? Number(given) : DEFAULT_MAX_MIB;
  return mib * MIB;
}

/**
 * Returns the fill level of an outbox of `bytes`. Once low, it stays low until it is well below the limit: an outbox
 * on the edge must not sweep and notify its owner with every event.
 */
export function storageLevel(bytes: number, maxBytes: number, wasLow: boolean): StorageLevel {
  const isLow = bytes >= maxBytes * (wasLow ? RECOVERED_SHARE : LOW_SHARE);
  return { bytes, maxBytes, state: bytes >= maxBytes * DISK.all ? 'full' : isLow ? 'low' : 'ok' };
}

/** The changes that the owner is notified of. `back`: it was full, and accepts webhooks again. */
export type StorageChange = 'storage.low' | 'storage.full' | 'storage.back';

const KEY = 'storage';

/**
 * Watches how full one outbox is. A row has what its owner was notified of, so that a restart does not notify again.
 */
export class StorageGuard {
  readonly #sql: SqlStorage;
  readonly #maxBytes: number;
  /** The worst state since the outbox was last well below the limit. */
  #worst: StorageState;
  /** The number of bytes that may be accepted before the size is measured again. */
  #unmeasured = NEAR;

  constructor(sql: SqlStorage, maxBytes: number) {
    this.#sql = sql;
    this.#maxBytes = maxBytes;
    const worst = readFact(sql, KEY);
    this.#worst = worst === 'full' ? 'full' : worst === 'low' ? 'low' : 'ok';
  }

  /** The size without freed pages: workerd's `databaseSize` does not count them. */
  level(): StorageLevel {
    return storageLevel(this.#sql.databaseSize, this.#maxBytes, this.#worst !== 'ok');
  }

  /** The part of these bytes that is not for sources that cannot prove their sender. */
  get kept(): number {
    return this.isFar ? 0 : this.#maxBytes * (DISK.all - DISK.open);
  }

  /** Returns the minimum number of bytes that may still be accepted. */
  bytesLeft(): number {
    if (this.isFar) return FAR_BYTES;
    const size = this.#sql.databaseSize;
    const isFar = this.#worst === 'ok' && size + 2 * FAR_BYTES < this.#maxBytes * RECOVERED_SHARE;
    this.#unmeasured = isFar ? { bytes: FAR_BYTES, events: FAR_EVENTS } : NEAR;
    return this.#maxBytes * DISK.all - size;
  }

  /** An event of about `bytes` bytes was accepted. */
  accepted(bytes: number): void {
    const { bytes: left, events } = this.#unmeasured;
    this.#unmeasured = { bytes: left - bytes, events: events - 1 };
  }

  /** True if it is so far from the limit that the size, which takes a statement, need not be measured now. */
  get isFar(): boolean {
    return this.#unmeasured.bytes > 0 && this.#unmeasured.events > 0;
  }

  /**
   * Records the fill level, and calls `notify` with the change that the owner must be notified of, if there is one. To
   * be called in a transaction: if either throws, the next look does both.
   */
  note({ state }: StorageLevel, notify: (change: StorageChange) => void): void {
    const before = this.#worst;
    // The level may go up and down at the edge. Until it is well below, the owner knows the worst state already.
    if (state === before || (state === 'low' && before === 'full')) return;
    writeFact(this.#sql, KEY, state === 'ok' ? null : state);
    if (state !== 'ok') notify(`storage.${state}`);
    else if (before === 'full') notify('storage.back');
    this.#worst = state;
  }
}
