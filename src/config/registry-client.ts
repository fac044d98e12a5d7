import { parseSet } from './parse-set.ts';
import type { ConfigSet } from './schema.ts';

/** The only registry of a deployment. */
export const registry = (env: Pick<Env, 'REGISTRY'>): ReturnType<Env['REGISTRY']['getByName']> =>
  env.REGISTRY.getByName('registry');

/** The set in force, or an earlier version; null if there is no such version. */
export async function readSet(
  env: Env,
  version?: number,
): Promise<{ version: number; set: ConfigSet } | null> {
  const stored = await registry(env).read(version);
  return stored === null ? null : { version: stored.version, set: parseSet(stored.documents) };
}
