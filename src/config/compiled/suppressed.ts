import type { LoadedConfig } from './config.ts';

/** The maximum number of receivers who have opted out; all isolates read them. */
export const MAX_SUPPRESSIONS = 100_000;

type Suppressions = Pick<LoadedConfig, 'suppressions'>;

const receivers = new WeakMap<Suppressions, ReadonlySet<string>>();

/** The last text that was split. Most publishes have the same one. */
let last: { readonly text: string; readonly split: ReadonlySet<string> } | null = null;

/** True if a receiver has opted out. */
export function isSuppressed(config: Suppressions, receiver: string): boolean {
  if (config.suppressions === '') return false;
  const known = receivers.get(config) ?? split(config.suppressions);
  receivers.set(config, known);
  return known.has(receiver);
}

function split(text: string): ReadonlySet<string> {
  if (last?.text !== text) last = { text, split: new Set(text.split('\n')) };
  return last.split;
}
