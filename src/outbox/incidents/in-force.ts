import type { LoadedConfig } from '../../config/config.ts';
import { readFact, writeFact } from '../state/facts.ts';

/** The newest activation of a configuration that this object knows of. */
const ACTIVATION = 'activation';

/**
 * Keeps the configuration that this object used last, and the newest activation that has routed one of its webhooks. An
 * older configuration, which an edge cache may still have, is not in force.
 */
export class InForce {
  readonly #sql: SqlStorage;
  #newest: number | null = null;
  #config: LoadedConfig | null = null;
  #isBehind = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The configuration that was used last; null if none was. */
  get config(): LoadedConfig | null {
    return this.#config;
  }

  /** True if the last configuration that was to be used is not in force any more. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  get newest(): number {
    return (this.#newest ??= Number(readFact(this.#sql, ACTIVATION) ?? 0));
  }

  /** An activation is known of: older ones are not in force any more. */
  expect(activation: number): void {
    if (activation > this.newest) this.settle(activation);
  }

  /** The registry says that this activation is in force. It is older than a known one if the registry was restored. */
  settle(activation: number): void {
    if (activation === this.newest) return;
    writeFact(this.#sql, ACTIVATION, String(activation));
    this.#newest = activation;
  }

  /** Uses a configuration, unless it is not in force any more. */
  use(config: LoadedConfig): 'older' | 'new' | 'same' {
    this.#isBehind = this.isOlder(config);
    if (this.#isBehind) return 'older';
    this.expect(config.activation);
    const isNew = config !== this.#config;
    this.#config = config;
    return isNew ? 'new' : 'same';
  }

  /** True if receivers must not be notified by this configuration. */
  isOlder({ activation }: Pick<LoadedConfig, 'activation'>): boolean {
    return activation < this.newest;
  }
}
