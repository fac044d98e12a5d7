import { parseOwnJson } from '../lib/own-json.ts';
import { accountOf, objectNames, shardIn } from '../outbox/state/shards.ts';
import type { AccountPolicy, Config } from '../config/config.ts';
import {
  isPlain,
  placementOf,
  spreadOver,
  withHeld,
  type Holds,
  type Placement,
} from '../config/placement.ts';

/** A set before and after a publish. */
export interface SetChange {
  readonly before: Config;
  readonly after: Config;
  /** The documents of the accounts before the publish. */
  readonly documents: Readonly<Record<string, unknown>>;
}

/** The placements of accounts whose `shards` ever changed: a table of the registry. */
export class StoredPlacements {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** All of them by account, as JSON; undefined: there are none. */
  json(): string | undefined {
    const rows = this.#sql
      .exec<{ account: string; placement: string }>('SELECT account, placement FROM placements')
      .toArray()
      .map(({ account, placement }) => `${JSON.stringify(account)}:${placement}`);
    return rows.length === 0 ? undefined : `{${rows.join()}}`;
  }

  /** Updates the placements after a change of the set. To be called in the commit that publishes it. */
  change({ before, after, documents }: SetChange, now: number): void {
    for (const account of new Set([
      ...this.#accounts(),
      ...before.accounts.keys(),
      ...after.accounts.keys(),
    ])) {
      const old = before.accounts.get(account);
      const shards = after.accounts.get(account)?.shards ?? 0;
      const known = this.#read(account);
      // A new account begins with buckets.
      const from = known ?? (old === undefined ? null : placementOf(old));
      if (from === null) {
        if (shards > 1) this.#write(account, { spread: shards, former: [], left: [], shares: [] });
        continue;
      }
      const windowMs = Math.max(windowOf(before, account), windowOf(after, account));
      const next = spreadOver(from, shards, { now, windowMs });
      const document = documents[account] ?? known?.document ?? {};
      this.#write(account, shards === 0 ? { ...next, document } : next);
    }
  }

  /**
   * Records what an object without new messages still holds; false: nothing changed. `shards`: the account's current
   * number.
   */
  report(objectName: string, holds: Holds, { now, shards }: { now: number; shards: number }): boolean {
    const account = accountOf(objectName);
    const shard = shardIn(objectName);
    if (!Number.isInteger(shard)) return false;
    // An account has no record any more once its last change is long over.
    const from = this.#read(account) ?? (shards === 0 ? null : placementOf({ shards }));
    if (from === null) return false;
    const next = withHeld(from, shard, holds, now);
    if (next === from) return false;
    this.#write(account, next);
    return true;
  }

  /** All objects that hold something of an account. */
  objectNames(account: string, { shards }: Pick<AccountPolicy, 'shards'>): readonly string[] {
    const placement = this.#read(account);
    return objectNames(account, placement === null ? { shards } : { shards, placement });
  }

  #accounts(): readonly string[] {
    return this.#sql
      .exec<{ account: string }>('SELECT account FROM placements')
      .toArray()
      .map(({ account }) => account);
  }

  #read(account: string): Placement | null {
    const row = this.#sql
      .exec<{ placement: string }>('SELECT placement FROM placements WHERE account = ?', account)
      .toArray()[0];
    return row === undefined ? null : parseOwnJson<Placement>(row.placement);
  }

  #write(account: string, placement: Placement): void {
    const isOver = placement.spread === 0 ? placement.left.length === 0 : isPlain(placement);
    if (isOver) this.#sql.exec('DELETE FROM placements WHERE account = ?', account);
    else
      this.#sql.exec(
        'INSERT OR REPLACE INTO placements (account, placement) VALUES (?, ?)',
        account,
        JSON.stringify(placement),
      );
  }
}

/** The longest time for which a claim of the account's sources is kept (ms). */
const windowOf = ({ sources }: Config, account: string): number =>
  Math.max(
    0,
    ...[...sources.values()]
      .filter((source) => source.account === account)
      .map(({ dedupe }) => Math.max(dedupe.windowMs, dedupe.bodyMs)),
  );
