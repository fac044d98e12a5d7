import type { LoadedConfig } from '../config/config.ts';
import { heldBy, placementOf, type Holds } from '../config/placement.ts';
import { registry } from '../config/registry-client.ts';
import type { Alarm } from '../lib/alarm.ts';
import type { AccountConfig } from './account-config.ts';
import type { Claims } from './send/claims.ts';
import type { Calls } from './state/calls.ts';
import { shardIn } from './state/shards.ts';

/** How long after a change an object without new messages checks whether it still needs its share of the pace. */
const LOOK_AGAIN_MS = 150_000;

interface LeftBehindDeps {
  readonly env: Pick<Env, 'REGISTRY'>;
  readonly sql: SqlStorage;
  readonly alarm: Alarm;
  readonly calls: Calls;
  readonly config: AccountConfig;
  readonly claims: Claims;
  /** The object's name. */
  readonly outbox: () => string;
}

/** An object that gets no new messages since `shards` was lowered. It reports what it holds until it holds nothing. */
export class LeftBehind {
  readonly #deps: LeftBehindDeps;

  constructor(deps: LeftBehindDeps) {
    this.#deps = deps;
  }

  /** A change was published. */
  look(config: LoadedConfig): void {
    if (this.#isLeft(config)) this.#deps.alarm.bringForward(Date.now() + LOOK_AGAIN_MS);
  }

  /** Reports to the registry what this object holds, if that has changed: lists read this object until it is empty. */
  async report(config: LoadedConfig): Promise<void> {
    const { env, alarm, calls, outbox } = this.#deps;
    if (!this.#isLeft(config)) return;
    const was = heldBy(placementOf(this.#deps.config.policyIn(config)), shardIn(outbox()));
    const holds = this.#holds();
    if (holds === was) return;
    calls.spend();
    await registry(env).reportHeld(outbox(), holds);
    if (was === 'waiting') alarm.bringForward(Date.now() + LOOK_AGAIN_MS);
  }

  #isLeft(config: LoadedConfig): boolean {
    return shardIn(this.#deps.outbox()) >= this.#deps.config.policyIn(config).shards;
  }

  #holds(): Holds {
    const { sql, claims } = this.#deps;
    const isAny = (rows: string): boolean => sql.exec(`SELECT 1 FROM ${rows} LIMIT 1`).toArray().length > 0;
    const waiting = `messages WHERE next_at IS NOT NULL OR (seq > ${claims.cursor} AND state = 'queued')`;
    if (claims.flight.seqs().length > 0 || isAny(waiting) || isAny('items WHERE closed_at = 0'))
      return 'waiting';
    return ['events', 'messages', 'items', 'dedupe_claims', 'notices'].some(isAny) ? 'rows' : 'nothing';
  }
}
