import type { OverrideByHand } from './compiled/overrides.ts';
import { parseSet, type ConfigSet } from './documents/schema.ts';

/** The only registry of a deployment. */
export const registry = (env: Pick<Env, 'REGISTRY'>): ReturnType<Env['REGISTRY']['getByName']> =>
  env.REGISTRY.getByName('registry');

/** A set, with the overrides by hand of today, in the order in which they were made. */
export interface StoredSet {
  readonly version: number;
  readonly set: ConfigSet;
  readonly overrides: readonly OverrideByHand[];
}

/** The set in force, or an earlier version, as it was written; null if there is no such version. */
export async function readSet(env: Env, version?: number): Promise<StoredSet | null> {
  const stored = await registry(env).read(version);
  return stored === null ? null : { ...stored, set: parseSet(stored.documents) };
}

/** The same with what hookbell put in when it was published, as webhooks are read by it. */
export async function readSetInUse(env: Env): Promise<StoredSet | null> {
  const stored = await registry(env).read();
  return stored === null ? null : { ...stored, set: parseSet(stored.built ?? stored.documents) };
}
