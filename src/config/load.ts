import * as z from 'zod/mini';
import type { LoadedConfig } from './config.ts';
import { lazyConfig } from './lazy-config.ts';
import { EMPTY_SET, type ConfigSet } from './schema.ts';
import { describeError, log } from '../lib/log.ts';

/** The one key that a webhook reads: the published set, and in its metadata which one it is. */
export const CURRENT_KEY = 'config/current';

/** Where version `n` stands, unchanged for ever. */
export const versionKey = (n: number): string => `config/versions/${n}`;

/**
 * What a publish writes under {@link CURRENT_KEY}. `activation` grows with each publish and each rollback, so that a
 * copy read from a stale edge cache is known to be the older one, which `version` alone cannot tell after a rollback.
 */
export interface Published {
  readonly activation: number;
  readonly version: number;
  readonly set: ConfigSet;
}

const documents = z.record(z.string(), z.unknown());
const setSchema = z.object({
  sources: documents,
  templates: documents,
  recipients: documents,
  accounts: documents,
});
const publishedSchema: z.ZodMiniType<Published> = z.object({
  activation: z.number(),
  version: z.number(),
  set: setSchema,
});

/** A set, and a published set, from their JSON. */
export const parseSet = (json: string): ConfigSet => setSchema.parse(JSON.parse(json));
export const parsePublished = (json: string): Published => publishedSchema.parse(JSON.parse(json));

/** How long a compiled set is used before KV is asked again, in ms. With the edge cache's time: under a minute. */
const MEMORY_MS = 15_000;

/** KV's own cache at the edge, in seconds; 30 is the platform's minimum. */
const EDGE_CACHE_SECONDS = 30;

interface Loaded {
  readonly activation: number;
  readonly config: LoadedConfig;
  readonly checkedAt: number;
}

/** Keyed by the namespace, so that two deployments in one process (tests) never share. */
const memory = new WeakMap<KVNamespace, Loaded>();

/**
 * The configuration in force: from memory, or by one cached KV read, of which `onRead` is told. Throws only when there
 * never was one to use.
 */
export async function loadConfig(kv: KVNamespace, now: number, onRead?: () => void): Promise<LoadedConfig> {
  const known = memory.get(kv);
  if (known !== undefined && now - known.checkedAt < MEMORY_MS && now >= known.checkedAt) return known.config;
  onRead?.();
  try {
    const text = await kv.get(CURRENT_KEY, { type: 'text', cacheTtl: EDGE_CACHE_SECONDS });
    const published = text === null ? { activation: 0, version: 0, set: EMPTY_SET } : parsePublished(text);
    return useConfig(kv, published, now);
  } catch (thrown) {
    if (known === undefined) throw thrown;
    // KV out of reach: the last set that was read is better than refusing every webhook.
    log('warn', 'config.read.failed', { error: describeError(thrown), version: known.config.version });
    memory.set(kv, { ...known, checkedAt: now });
    return known.config;
  }
}

/** Puts a set in force in this isolate at once: what was read from KV, or what was just published here. */
export function useConfig(kv: KVNamespace, published: Published, now: number): LoadedConfig {
  const known = memory.get(kv);
  const isKnown = known !== undefined && known.activation >= published.activation;
  const config = isKnown ? known.config : lazyConfig(published.set, published.version);
  memory.set(kv, { activation: isKnown ? known.activation : published.activation, config, checkedAt: now });
  return config;
}
