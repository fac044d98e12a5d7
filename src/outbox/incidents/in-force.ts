import type { LoadedConfig } from '../../config/config.ts';
import { readFact, writeFact } from '../state/facts.ts';

/** The newest configuration that this object knows of: a copy from an edge cache may be older. */
const ACTIVATION = 'activation';

const BEHIND_MS = 120_000;

/** Which configuration this object has used last, and whether it may use another: not one that is older than a webhook’s. */
export class InForce {
  readonly #sql: SqlStorage;
  #config: LoadedConfig | null = null;
  #activation: number | null = null;
  /** Since when only an older one is read (ms). */
  #olderSince: number | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The configuration that was used last; null: nothing was read. */
  get config(): LoadedConfig | null {
    return this.#config;
  }

  /** True if only an older one than was used already is read. */
  get isOlder(): boolean {
    return this.#olderSince !== null;
  }

  /** A webhook was routed by this activation: its items wait until this object has read it, or a newer one. */
  expect(activation: number): void {
    if (activation <= this.#newest()) return;
    writeFact(this.#sql, ACTIVATION, String(activation));
    this.#activation = activation;
  }

  /** `older`: than one that this object knows of, and it is not used. */
  use(config: LoadedConfig, now: number): 'older' | 'new' | 'same' {
    const newest = this.#newest();
    if (config.activation < newest && this.#isBehind(now)) return 'older';
    if (config.activation !== newest) writeFact(this.#sql, ACTIVATION, String(config.activation));
    this.#olderSince = null;
    this.#activation = config.activation;
    const isNew = config !== this.#config;
    this.#config = config;
    return isNew ? 'new' : 'same';
  }

  #newest(): number {
    return (this.#activation ??= Number(readFact(this.#sql, ACTIVATION) ?? 0));
  }

  /** An edge cache is behind for a minute. A version that is older for longer is in force, whatever happened to the other one. */
  #isBehind(now: number): boolean {
    this.#olderSince ??= now;
    return now - this.#olderSince < BEHIND_MS && now >= this.#olderSince;
  }
}
