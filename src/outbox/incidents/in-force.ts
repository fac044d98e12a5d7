import type { LoadedConfig } from '../../config/compiled/config.ts';
import { readFact, writeFact } from '../state/meta.ts';

const ACTIVATION = 'activation';

/** Keeps the newest activation that is known of. An older configuration, as an edge cache may have, is not in force. */
export class InForce {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get newest(): number {
    return Number(readFact(this.#sql, ACTIVATION) ?? 0);
  }

  expect(activation: number): void {
    if (activation > this.newest) this.settle(activation);
  }

  /** The registry says that this activation is in force. It is older than a known one if the registry was restored. */
  settle(activation: number): void {
    if (activation !== this.newest) writeFact(this.#sql, ACTIVATION, String(activation));
  }

  /** True if receivers must not be notified by this configuration. */
  isOlder({ activation }: Pick<LoadedConfig, 'activation'>): boolean {
    return activation < this.newest;
  }
}
