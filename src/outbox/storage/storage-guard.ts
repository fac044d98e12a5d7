/** Of the size that an outbox may have: from here on finished events are swept early … */
const LOW_SHARE = 0.8;
/** … until it is below this, … */
const RECOVERED_SHARE = 0.75;
/** … and from here on nothing more is taken over. */
const FULL_SHARE = 0.95;

/** The platform's 10 GB for an object on the paid plan, in MiB. */
const DEFAULT_MAX_MIB = 9_536;

const MIB = 1_048_576;

/** How full an outbox is. `low`: finished events are swept early; `full`: webhooks are refused, deliveries go on. */
export type StorageState = 'ok' | 'low' | 'full';

/** How full an outbox is, in bytes. Space that was freed is not in it, though the platform keeps it for the object. */
export interface StorageLevel {
  readonly bytes: number;
  readonly maxBytes: number;
  readonly state: StorageState;
}

/** How large an outbox may get, by the var `OUTBOX_MAX_MIB`; what is no whole number counts as not set. */
export function maxStorageBytes(given: string | undefined): number {
  const mib = given !== undefined && /^[1-9]\d{0,6}$/.test(given) ? Number(given) : DEFAULT_MAX_MIB;
  return mib * MIB;
}

/**
 * How full an outbox of so many bytes is. It was `low` before: then it stays so until it is well below, so that an
 * outbox on the edge sweeps and tells its owner once, and not at each event.
 */
export function storageLevel(bytes: number, maxBytes: number, wasLow: boolean): StorageLevel {
  const isLow = bytes >= maxBytes * (wasLow ? RECOVERED_SHARE : LOW_SHARE);
  return { bytes, maxBytes, state: bytes >= maxBytes * FULL_SHARE ? 'full' : isLow ? 'low' : 'ok' };
}

/** What the owner is told of a change. `back`: it was full, and takes webhooks again. */
export type StorageChange = 'storage.low' | 'storage.full' | 'storage.back';

const KEY = 'storage';

/** Watches how full one outbox is. What its owner was told is in a row, so that a restart does not tell it again. */
export class StorageGuard {
  readonly #sql: SqlStorage;
  readonly #maxBytes: number;
  /** The worst since it was well below. */
  #told: StorageState;

  constructor(sql: SqlStorage, maxBytes: number) {
    this.#sql = sql;
    this.#maxBytes = maxBytes;
    const row = sql.exec<{ value: string }>('SELECT value FROM meta WHERE key = ?', KEY).toArray()[0];
    this.#told = row?.value === 'full' ? 'full' : row?.value === 'low' ? 'low' : 'ok';
  }

  /** The size without freed pages: workerd leaves them out of what it calls the database's size. */
  level(): StorageLevel {
    return storageLevel(this.#sql.databaseSize, this.#maxBytes, this.#told !== 'ok');
  }

  /** How many bytes may still be taken over. */
  bytesLeft(): number {
    return this.#maxBytes * FULL_SHARE - this.#sql.databaseSize;
  }

  /** Takes in how full it is, in the surrounding commit; what of it the owner must know, null: nothing. */
  note({ state }: StorageLevel): StorageChange | null {
    const before = this.#told;
    // It may go up and down at the edge: until it is well below, the owner knows the worst already.
    if (state === before || (state === 'low' && before === 'full')) return null;
    this.#told = state;
    if (state === 'ok') this.#sql.exec('DELETE FROM meta WHERE key = ?', KEY);
    else this.#sql.exec('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', KEY, state);
    if (state !== 'ok') return `storage.${state}`;
    return before === 'full' ? 'storage.back' : null;
  }
}
