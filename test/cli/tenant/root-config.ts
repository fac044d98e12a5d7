import { readRootConfig, type JsonObject } from '../../../cli/tenant/wrangler.ts';

/** The repository's `wrangler.toml`. */
export async function rootConfig(): Promise<JsonObject> {
  const read = await readRootConfig();
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}
