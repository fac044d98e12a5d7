import type { LoadedConfig } from '../../config/config.ts';
import type { Heartbeats, HeartbeatChange } from './heartbeat.ts';
import { watchedSources } from './silent-source.ts';

interface HeartbeatCheckDeps {
  readonly heartbeats: Heartbeats;
  readonly account: () => string;
  /** When the last webhook of a source came (ms); null: never. */
  readonly lastEventAt: (source: string) => number | null;
  readonly onChanges: (changes: readonly HeartbeatChange[]) => void;
  readonly clock: () => number;
}

/** Checks whether an account's sources are silent, as soon as the first of them can be. */
export class HeartbeatCheck {
  readonly #deps: HeartbeatCheckDeps;

  constructor(deps: HeartbeatCheckDeps) {
    this.#deps = deps;
  }

  /** When the next check is due (ms): a source is new, can be overdue, or is back; null: none of them. */
  nextAt(config: LoadedConfig): number | null {
    const { heartbeats, clock } = this.#deps;
    return heartbeats.nextAt(this.#beats(config), clock());
  }

  run(config: LoadedConfig): void {
    const { heartbeats, account, onChanges, clock } = this.#deps;
    const changes = heartbeats.check(this.#beats(config), account(), clock());
    if (changes.length > 0) onChanges(changes);
  }

  #beats(config: LoadedConfig) {
    const { account, lastEventAt } = this.#deps;
    return watchedSources(config, account()).map((one) => ({ ...one, lastAt: lastEventAt(one.source) }));
  }
}
