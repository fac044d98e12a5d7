import * as z from 'zod/mini';
import type { LoadedConfig } from '../config/config.ts';
import { formatDuration } from '../lib/duration.ts';
import type { Notice } from './notice.ts';

/** A source that should be heard of at least so often, and when that was last (ms); null: never. */
export interface Heartbeat {
  readonly source: string;
  readonly expectedMs: number;
  readonly lastAt: number | null;
}

/** The sources of an account that must not be silent. */
export const watchedSources = (
  { outlines }: Pick<LoadedConfig, 'outlines'>,
  account: string,
): readonly Omit<Heartbeat, 'lastAt'>[] =>
  [...outlines.values()].flatMap(({ id, account: of, heartbeatMs }) =>
    of === account && heartbeatMs !== null ? [{ source: id, expectedMs: heartbeatMs }] : [],
  );

/** The latest of several lists of times; null where none has any. */
export const latest = (lists: readonly (readonly (number | null)[])[], index: number): number | null =>
  Math.max(0, ...lists.map((times) => times[index] ?? 0)) || null;

/** What is kept of a watched source: since when it is watched (ms), and whether its owner was told that it is silent. */
interface Watch {
  readonly since: number;
  readonly isSilent: boolean;
}

const watchSchema = z.object({ since: z.number(), isSilent: z.boolean() });

/** A change of a source's pulse, with how long it was silent (ms). */
export interface PulseChange {
  readonly notice: Notice;
  readonly heartbeat: Heartbeat;
  readonly silentMs: number;
}

/** How long it is overdue counts from the last event, but never from before it was watched: it may be new. */
export const silentFor = (lastAt: number | null, since: number, now: number): number =>
  now - Math.max(lastAt ?? 0, since);

const KEY = 'heartbeat:';

/** Watches sources for silence. What was told stands in a row a source, so that each change is told once. */
export class Heartbeats {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The sources that are watched, and since when (ms). */
  watched(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#watches()].map(([source, { since }]) => [source, since]));
  }

  /** Takes in what is watched today, and gives what changed since the last look. */
  check(heartbeats: readonly Heartbeat[], account: string, now: number): readonly PulseChange[] {
    const watches = this.#watches();
    const named = new Set(heartbeats.map(({ source }) => source));
    for (const source of watches.keys()) if (!named.has(source)) this.#forget(source);
    return heartbeats.flatMap((heartbeat) => {
      const { source, expectedMs, lastAt } = heartbeat;
      const watch = watches.get(source) ?? { since: now, isSilent: false };
      const silentMs = silentFor(lastAt, watch.since, now);
      const isSilent = silentMs > expectedMs;
      if (!watches.has(source) || isSilent !== watch.isSilent) this.#keep(source, { ...watch, isSilent });
      return isSilent === watch.isSilent
        ? []
        : [{ notice: noticeOf(heartbeat, isSilent, account, now), heartbeat, silentMs }];
    });
  }

  #watches(): ReadonlyMap<string, Watch> {
    const rows = this.#sql
      .exec<{ key: string; value: string }>(
        'SELECT key, value FROM meta WHERE key >= ? AND key < ?',
        KEY,
        // The character after the colon.
        `${KEY.slice(0, -1)};`,
      )
      .toArray();
    return new Map(
      rows.map(({ key, value }) => [key.slice(KEY.length), watchSchema.parse(JSON.parse(value))]),
    );
  }

  #keep(source: string, watch: Watch): void {
    const value = JSON.stringify(watch);
    this.#sql.exec('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', KEY + source, value);
  }

  #forget(source: string): void {
    this.#sql.exec('DELETE FROM meta WHERE key = ?', KEY + source);
  }
}

function noticeOf(
  { source, expectedMs, lastAt }: Heartbeat,
  isSilent: boolean,
  account: string,
  now: number,
): Notice {
  const at = new Date(now).toISOString();
  if (!isSilent)
    return { kind: 'source.back', account, at, text: `hookbell: the source ${source} sends webhooks again.` };
  const last =
    lastAt === null ? 'It has never sent any' : `The last one came at ${new Date(lastAt).toISOString()}`;
  const text = `hookbell: the source ${source} has sent no webhook for more than ${formatDuration(expectedMs)}. ${last}; is it still set up at its provider?`;
  return { kind: 'source.silent', account, at, text };
}
