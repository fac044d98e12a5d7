import type { LoadedConfig } from '../../config/config.ts';
import { readFact, writeFact } from '../state/facts.ts';

/** The newest configuration that this object knows of: a copy from an edge cache may be older. */
const ACTIVATION = 'activation';

const BEHIND_MS = 120_000;

/**
 * Keeps the configuration that this object used last, and decides whether it may use another: never one that is older
 * than that of a webhook.
 */
export class InForce {
  readonly #sql: SqlStorage;
  #config: LoadedConfig | null = null;
  #activation: number | null = null;
  /** The time since which only an older configuration is read (ms). */
  #olderSince: number | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The configuration that was used last; null if none was read. */
  get config(): LoadedConfig | null {
    return this.#config;
  }

  /** True if only a configuration older than the last one is read. */
  get isOlder(): boolean {
    return this.#olderSince !== null;
  }

  /** A webhook was routed by this activation: its items wait until this object has read it, or a newer one. */
  expect(activation: number): void {
    if (activation <= this.#newest()) return;
    writeFact(this.#sql, ACTIVATION, String(activation));
    this.#activation = activation;
  }

  /** `older`: older than one that this object knows of, so it is not used. */
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

  /**
   * True if an edge cache is behind, which lasts for a minute. A version that stays older for longer is in force,
   * whatever happened to the other one.
   */
  #isBehind(now: number): boolean {
    this.#olderSince ??= now;
    return now - this.#olderSince < BEHIND_MS && now >= this.#olderSince;
  }
}
