import type { LoadedConfig } from '../../config/compiled/config.ts';
import { parseOwnJson } from '../../lib/json.ts';
import { DAY, minTime } from '../../lib/time.ts';
import type { Acceptance } from '../state/acceptance.ts';
import { factsOf, readFact, writeFact } from '../state/meta.ts';

/** A watched source: the longest time between its webhooks, and when its last one came (ms; null: none did). */
export interface Heartbeat {
  readonly source: string;
  readonly expectedMs: number;
  readonly lastAt: number | null;
}

export const watchedSources = ({ outlines }: Pick<LoadedConfig, 'outlines'>, account: string) =>
  [...outlines.values()].flatMap(({ id, account: of, heartbeatMs }) =>
    of === account && heartbeatMs !== null ? [{ source: id, expectedMs: heartbeatMs }] : [],
  );

/** For how long a source has been silent (ms): since its last event, or since it is watched. */
export const silentFor = (lastAt: number | null, since: number, now: number): number =>
  now - Math.max(lastAt ?? 0, since);

interface Watch {
  readonly since: number;
  readonly isSilent: boolean;
}

/** A source that became silent or is back, and how long it was silent (ms). */
export interface HeartbeatChange extends Heartbeat {
  readonly isSilent: boolean;
  readonly silentMs: number;
}

const KIND = 'heartbeat';

/** Watches sources for silence. A row for each has what its owner knows, so that each change is notified once. */
export class Heartbeats {
  readonly #sql: SqlStorage;
  #silent: Set<string> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  watched(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#watches()].map(([source, { since }]) => [source, since]));
  }

  /** Compares with the sources to watch now, and returns what changed since the last check. */
  check(heartbeats: readonly Heartbeat[], now: number): readonly HeartbeatChange[] {
    const watches = this.#watches();
    const named = new Set(heartbeats.map(({ source }) => source));
    for (const source of watches.keys()) if (!named.has(source)) this.#keep(source, null);
    return heartbeats.flatMap((heartbeat) => {
      const { source, expectedMs, lastAt } = heartbeat;
      const watch = watches.get(source) ?? { since: now, isSilent: false };
      const silentMs = silentFor(lastAt, watch.since, now);
      const isSilent = silentMs > expectedMs;
      if (!watches.has(source) || isSilent !== watch.isSilent) this.#keep(source, { ...watch, isSilent });
      return isSilent === watch.isSilent ? [] : [{ ...heartbeat, isSilent, silentMs }];
    });
  }

  get isWatching(): boolean {
    return this.#watches().size > 0;
  }

  /** True if its owner was notified that the source is silent: its next webhook is then reported. */
  isSilent(source: string): boolean {
    this.#silent ??= new Set([...this.#watches()].flatMap(([name, watch]) => (watch.isSilent ? [name] : [])));
    return this.#silent.has(source);
  }

  /** When to {@link check} next (ms): at once if the sources have changed or one is back; or when one may be overdue. */
  nextAt(heartbeats: readonly Heartbeat[], now: number): number | null {
    const watches = this.#watches();
    if (watches.size !== heartbeats.length || heartbeats.some(({ source }) => !watches.has(source)))
      return now;
    const times = heartbeats.map(({ source, expectedMs, lastAt }) => {
      const { since, isSilent } = watches.get(source) ?? { since: now, isSilent: false };
      const isOverdue = silentFor(lastAt, since, now) > expectedMs;
      if (isOverdue !== isSilent) return now;
      return isSilent ? null : Math.max(lastAt ?? 0, since) + expectedMs + 1;
    });
    return minTime(times);
  }

  #watches(): ReadonlyMap<string, Watch> {
    const facts = [...factsOf(this.#sql, KIND)];
    return new Map(facts.map(([source, text]) => [source, parseOwnJson<Watch>(text)]));
  }

  #keep(source: string, watch: Watch | null): void {
    writeFact(this.#sql, `${KIND}:${source}`, watch && JSON.stringify(watch));
    this.#silent = null;
  }
}

interface Kept {
  readonly routes: number;
  /** So many webhooks made nothing since the routes were changed, up to {@link ENOUGH}; null: one made something. */
  readonly nothing: number | null;
  readonly toldAt: number | null;
}

/** One webhook that makes nothing may be a test. */
const ENOUGH = 2;

/** Finds sources whose webhooks make nothing: a row for each, from the first that made something, or while none has. */
export class MadeNothing {
  readonly #sql: SqlStorage;
  /** The routes of sources whose webhooks are known to make something. */
  readonly #fine = new Map<string, number>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Counts a new event, in its commit. Returns true if its owner is to be notified of the source. */
  count({ event, routes, messages, items = [] }: Acceptance, now: number): boolean {
    const { source, silenced = [] } = event;
    if (routes === undefined || this.#fine.get(source) === routes) return false;
    const key = `made:${source}`;
    const text = readFact(this.#sql, key);
    const kept = text === null ? null : parseOwnJson<Kept>(text);
    const before = kept?.routes === routes ? kept : { routes, nothing: 0, toldAt: null };
    const keep = (next: Kept): void => writeFact(this.#sql, key, JSON.stringify(next));
    // What a silence took would have been made.
    const made = messages.length + items.length + silenced.length;
    if (before.nothing === null || made > 0) {
      if (before.nothing !== null) keep({ ...before, nothing: null });
      this.#fine.set(source, routes);
      return false;
    }
    const nothing = Math.min(ENOUGH, before.nothing + 1);
    const isDue = nothing === ENOUGH && (before.toldAt === null || Math.abs(now - before.toldAt) >= DAY);
    if (isDue || nothing !== before.nothing) keep({ routes, nothing, toldAt: isDue ? now : before.toldAt });
    return isDue;
  }
}
