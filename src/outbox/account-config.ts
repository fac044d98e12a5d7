import { DEFAULT_ACCOUNT } from '../config/account-policy.ts';
import type { AccountPolicy, LoadedConfig } from '../config/config.ts';
import { loadConfig, MEMORY_MS, parsePublished, useConfig } from '../config/load.ts';
import type { Calls } from './state/calls.ts';
import { accountOf, shardIn, shardPolicy } from './state/shards.ts';

/** The configuration as one outbox reads it, and its account's policy in it. */
export class AccountConfig {
  readonly #env: Env;
  readonly #calls: Calls;
  readonly #outbox: () => string;
  #known: LoadedConfig | null = null;
  /** When it was read last (ms). */
  #readAt = 0;

  /** `outbox`: the object's name. */
  constructor(env: Env, calls: Calls, outbox: () => string) {
    this.#env = env;
    this.#calls = calls;
    this.#outbox = outbox;
  }

  /** What was read last; null: nothing yet. */
  get known(): LoadedConfig | null {
    return this.#known;
  }

  async read(): Promise<LoadedConfig> {
    this.#known = await loadConfig(this.#env, Date.now(), () => this.#calls.spend());
    this.#readAt = Date.now();
    return this.#known;
  }

  /** The policy, unless it has to be read (null). */
  policyNow(now: number): AccountPolicy | null {
    const age = now - this.#readAt;
    return this.#known === null || age < 0 || age >= MEMORY_MS ? null : this.policyIn(this.#known);
  }

  async policy(): Promise<AccountPolicy> {
    return this.policyIn(await this.read());
  }

  /** With this object's share of the pace. */
  policyIn(config: LoadedConfig): AccountPolicy {
    const outbox = this.#outbox();
    const policy = config.accounts.get(accountOf(outbox)) ?? DEFAULT_ACCOUNT;
    return shardPolicy(policy, shardIn(outbox), Date.now());
  }

  /** Uses what was just published as the configuration in force. */
  use(published: string): LoadedConfig {
    this.#known = useConfig(this.#env.CONFIG, parsePublished(published), Date.now());
    this.#readAt = Date.now();
    return this.#known;
  }
}
