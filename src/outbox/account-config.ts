import { DEFAULT_ACCOUNT } from '../config/compiled/account-policy.ts';
import type { AccountPolicy, LoadedConfig } from '../config/compiled/config.ts';
import { readFacts } from '../config/compiled/facts.ts';
import { loadConfig, loadNewer, MEMORY_MS, parsePublished, useConfig } from '../config/load.ts';
import { readGateway } from '../config/secrets/gateway.ts';
import { V2, makers } from '../gateway/shape.ts';
import { parseOwnJson } from '../lib/json.ts';
import { describeError, log } from '../lib/log.ts';
import { loginMissing, type Reason } from '../lib/reason.ts';
import { newestActivation, settleActivation } from './state/meta.ts';
import type { Wiring } from './state/wiring.ts';

interface ConfigDeps extends Pick<Wiring, 'account' | 'calls' | 'clock' | 'sql'> {
  readonly env: Env;
}

export class AccountConfig {
  readonly #deps: ConfigDeps;
  /** What was read last. */
  known: LoadedConfig | null = null;
  /** Of the configuration that this object or a caller has read last; null if unknown. */
  publicUrl: string | null = null;
  /** A policy that a caller had read, as JSON and as it is, and of which activation. */
  #offered: { readonly text: string; readonly policy: AccountPolicy; readonly activation: number } | null =
    null;
  /** When the configuration was read, or until then the policy was brought (ms). */
  #readAt = 0;
  /** The newest activation that was known of at the last read. */
  #readFor = 0;

  constructor(deps: ConfigDeps) {
    this.#deps = deps;
  }

  /** Null if it has to be read (again). Older than the one in force only if the registry could not be reached. */
  inForce(now: number): LoadedConfig | null {
    const known = this.#isFresh(now) ? this.known : null;
    if (known === null) return null;
    const newest = newestActivation(this.#deps.sql);
    return known.activation < newest && this.#readFor < newest ? null : known;
  }

  /** Asks the registry if KV has an older one. If that does not answer, the older one notifies of no incident. */
  async read(): Promise<LoadedConfig> {
    const { calls, clock, env, sql } = this.#deps;
    const spend = (): void => calls.spend();
    const newest = newestActivation(sql);
    this.#readFor = newest;
    const config = await loadConfig(env, clock(), spend);
    if (config.activation >= newest) return this.#keep(config);
    try {
      const newer = await loadNewer(env, clock(), newest, spend);
      // A webhook that came meanwhile may have brought a newer one: that is read next.
      if (newestActivation(sql) === newest) {
        settleActivation(sql, newer.activation);
        this.#readFor = newer.activation;
      }
      return this.#keep(newer);
    } catch (thrown) {
      log('warn', 'config.read.failed', { error: describeError(thrown), version: config.version });
      return this.#keep(config);
    }
  }

  /**
   * Takes the account's policy, as JSON, from the caller who brings an event and has just read it, until this object has
   * read its own: so an object that an event starts can send it at once. Not taken: an older one than the last, and one
   * that names a maker while this isolate has not read the facts on makers.
   */
  offer(text: string | undefined, activation: number, now: number, publicUrl?: string): void {
    this.publicUrl = publicUrl ?? this.publicUrl;
    const last = this.#offered;
    if (last !== null && last.activation > activation) return;
    this.#offered = null;
    if (text === undefined || this.known !== null) return;
    const policy = last?.text === text ? last.policy : parseOwnJson<AccountPolicy>(text);
    if (policy.gateway.maker !== V2.maker && makers.known === null) return;
    this.#offered = { text, policy, activation };
    this.#readAt = now;
  }

  /** The policy that was read or offered last, however long ago; null if none was. */
  get last(): AccountPolicy | null {
    return this.known === null ? (this.#offered?.policy ?? null) : this.policyIn(this.known);
  }

  policyNow(now: number): AccountPolicy | null {
    return this.#isFresh(now) ? this.last : null;
  }

  /** What is missing of the account's login; null if nothing is, or if the policy has to be read. */
  blockedReason(): Reason | null {
    const { account, clock, env } = this.#deps;
    const policy = this.policyNow(clock());
    const gateway = policy === null ? null : readGateway(env, account(), policy.gateway);
    return gateway === null || gateway.ok ? null : loginMissing(gateway.error);
  }

  async policy(): Promise<AccountPolicy> {
    return this.policyIn(await this.read());
  }

  policyIn(config: LoadedConfig): AccountPolicy {
    return config.accounts.get(this.#deps.account()) ?? DEFAULT_ACCOUNT;
  }

  /** BCP 47; English if the source cannot be read, as a later deploy may have written it. */
  localeOf(source: string | null): string {
    try {
      return this.known?.sources.get(source ?? '')?.locale.locale ?? 'en';
    } catch {
      return 'en';
    }
  }

  async use(published: string): Promise<LoadedConfig> {
    const { calls, clock, env } = this.#deps;
    await readFacts(env, clock(), () => calls.spend());
    return this.#keep(useConfig(env.CONFIG, parsePublished(published), clock()));
  }

  #keep(config: LoadedConfig): LoadedConfig {
    this.known = config;
    this.#readAt = this.#deps.clock();
    this.publicUrl = config.publicUrl ?? this.publicUrl;
    return config;
  }

  #isFresh(now: number): boolean {
    return now >= this.#readAt && now - this.#readAt < MEMORY_MS;
  }
}
