import type { LoadedConfig } from '../config/config.ts';
import { registry } from '../config/registry-client.ts';
import type { Alarm } from '../lib/alarm.ts';
import type { AccountConfig } from './account-config.ts';
import type { Calls } from './state/calls.ts';

/** How long after a publish an outbox looks whether its account was removed and holds nothing, in ms. */
const LOOK_MS = 150_000;

interface RemovalDeps {
  readonly env: Pick<Env, 'REGISTRY'>;
  readonly sql: SqlStorage;
  readonly alarm: Alarm;
  readonly calls: Calls;
  readonly config: AccountConfig;
  readonly account: () => string;
}

/** The outbox of an account that was removed. It sends what waits, and says when nothing is stored any more. */
export class Removal {
  readonly #deps: RemovalDeps;

  constructor(deps: RemovalDeps) {
    this.#deps = deps;
  }

  /** The account may have been removed: an outbox that holds nothing has no other alarm that would say so. */
  look(config: LoadedConfig): void {
    if (this.#isRemoved(config)) this.#deps.alarm.bringForward(Date.now() + LOOK_MS);
  }

  /** Has the registry forget the account once nothing of it is stored: lists read this outbox until then. */
  async report(config: LoadedConfig): Promise<void> {
    const { env, alarm, calls, account } = this.#deps;
    if (!this.#isRemoved(config) || !this.#isEmpty()) return;
    calls.spend();
    const isForgotten = await registry(env).forgetAccount(account());
    if (!isForgotten) alarm.bringForward(Date.now() + LOOK_MS);
  }

  #isRemoved(config: LoadedConfig): boolean {
    return this.#deps.config.policyIn(config).isRemoved;
  }

  #isEmpty(): boolean {
    return ['events', 'messages', 'incidents', 'beyond', 'dedupe_claims', 'notices'].every(
      (table) => this.#deps.sql.exec(`SELECT 1 FROM ${table} LIMIT 1`).toArray().length === 0,
    );
  }
}
