import type { LoadedConfig } from '../../config/config.ts';
import type { Calls } from '../state/calls.ts';
import type { Heartbeats, HeartbeatChange } from './heartbeat.ts';
import { watchedSources } from './silent-source.ts';
import { objectNames } from '../state/shards.ts';

/** How often the other objects of an account are asked whether a silent source is back, in ms. */
const ASK_AGAIN_MS = 5 * 60_000;

/** The platform opens no more connections at once. */
const AT_ONCE = 6;

interface HeartbeatCheckDeps {
  readonly heartbeats: Heartbeats;
  readonly calls: Calls;
  /** The object's name, and its account's: of several objects only the one with the account's name watches. */
  readonly name: () => string;
  readonly account: () => string;
  /** When this object got the last webhook of each source (ms). */
  readonly lastEvents: (sources: readonly string[]) => readonly (number | null)[];
  /** The same of another object of the account. */
  readonly ask: (name: string, sources: readonly string[]) => Promise<readonly (number | null)[]>;
  readonly onChanges: (changes: readonly HeartbeatChange[]) => void;
  readonly clock: () => number;
}

/** Checks whether an account's sources are silent, as soon as the first of them can be. */
export class HeartbeatCheck {
  readonly #deps: HeartbeatCheckDeps;
  /** When the account's other objects got the last webhook of a source, by their last answers (ms). */
  readonly #elsewhere = new Map<string, number>();
  /**
   * The objects that the current check has still to ask; null: none is under way. It may take several alarms, since the
   * calls of one alarm are limited.
   */
  #toAsk: readonly string[] | null = null;
  #lookedAt: number | null = null;
  #isLooking = false;

  constructor(deps: HeartbeatCheckDeps) {
    this.#deps = deps;
  }

  /** When the next check is due (ms): a source is new, can be overdue, or may be back; null: none is watched. */
  nextAt(config: LoadedConfig): number | null {
    const { heartbeats, clock } = this.#deps;
    if (!this.#isHome) return null;
    const now = clock();
    if (this.#toAsk !== null) return now;
    const areOthers = this.#others(config).length > 0;
    // A webhook that comes to this object starts a check by itself.
    const backAt = areOthers ? (this.#lookedAt ?? now - ASK_AGAIN_MS) + ASK_AGAIN_MS : null;
    return heartbeats.nextAt(this.#beats(config), now, backAt);
  }

  /** Checks, as far as the calls of this run allow. */
  async run(config: LoadedConfig): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      if (await this.#askOthers(config)) this.#check(config);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Whether all have answered. */
  async #askOthers(config: LoadedConfig): Promise<boolean> {
    const { calls, ask, account } = this.#deps;
    const names = watchedSources(config, account()).map(({ source }) => source);
    let toAsk = this.#toAsk ?? (names.length === 0 ? [] : this.#others(config));
    while (toAsk.length > 0) {
      this.#toAsk = toAsk;
      const some = toAsk.slice(0, Math.min(AT_ONCE, calls.left));
      if (some.length === 0) return false;
      calls.spend(some.length);
      const answers = await Promise.all(some.map((name) => ask(name, names)));
      for (const lasts of answers) this.#remember(names, lasts);
      toAsk = toAsk.slice(some.length);
    }
    this.#toAsk = null;
    return true;
  }

  #remember(names: readonly string[], lasts: readonly (number | null)[]): void {
    for (const [index, name] of names.entries())
      this.#elsewhere.set(name, Math.max(this.#elsewhere.get(name) ?? 0, lasts[index] ?? 0));
  }

  #check(config: LoadedConfig): void {
    const { heartbeats, account, onChanges, clock } = this.#deps;
    const now = clock();
    this.#lookedAt = now;
    const changes = heartbeats.check(this.#beats(config), account(), now);
    if (changes.length > 0) onChanges(changes);
  }

  #beats(config: LoadedConfig) {
    const { account, lastEvents } = this.#deps;
    const watched = watchedSources(config, account());
    const lasts = lastEvents(watched.map(({ source }) => source));
    return watched.map((one, index) => ({
      ...one,
      lastAt: Math.max(lasts[index] ?? 0, this.#elsewhere.get(one.source) ?? 0) || null,
    }));
  }

  get #isHome(): boolean {
    return this.#deps.name() === this.#deps.account();
  }

  #others(config: LoadedConfig): readonly string[] {
    const account = this.#deps.account();
    return objectNames(account, config.accounts.get(account)).filter((name) => name !== account);
  }
}
