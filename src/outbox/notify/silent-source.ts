import type { LoadedConfig } from '../../config/config.ts';

/** A watched source: how often it must send at least, and when it sent its last webhook (ms; null: never). */
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

/**
 * For how long a source is silent (ms). Counted from its last event, but not from before it was watched: it may be new.
 */
export const silentFor = (lastAt: number | null, since: number, now: number): number =>
  now - Math.max(lastAt ?? 0, since);
