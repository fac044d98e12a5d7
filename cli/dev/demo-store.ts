import { isDeepStrictEqual } from 'node:util';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import type { Client } from '../client.ts';
import { must } from '../failure.ts';
import { readFolder } from '../folder/read.ts';
import { readConfig, readVersion } from '../relay/config.ts';
import { published, type Version } from '../relay/shapes.ts';
import { withOrigins } from './demo-page.ts';

export interface StoreContent {
  readonly version: Version;
  readonly sources: Readonly<Record<string, unknown>>;
  /** True if these are the demo's documents and nothing else, for whichever page. */
  readonly isDemo: boolean;
  /** True if they are for the page of this run, too. */
  readonly isCurrent: boolean;
}

/** Reads the configuration in force; null: nothing was ever published. `demo`: the demo's documents, for the page of this run. */
export async function inForce(client: Client, demo: ConfigSet): Promise<StoreContent | null> {
  const { version: number, set } = must(await readConfig(client));
  const version = must(await readVersion(client, number));
  if (version === null) return null;
  return {
    version,
    sources: set.sources,
    isDemo: isDeepStrictEqual(withOrigins(set, []), withOrigins(demo, [])),
    isCurrent: isDeepStrictEqual(set, demo),
  };
}

/** Publishes the demo's documents: for an empty store, or one that has them for a page on another port. */
export async function publishDemo(client: Client, demo: ConfigSet): Promise<StoreContent> {
  const query = { note: 'the demo, by npm start' };
  must(await client.request('POST', '/config', published, { query, body: demo }));
  const now = await inForce(client, demo);
  if (now === null) throw new Error('the demo was published, but nothing is active');
  return now;
}

/** The documents of a folder that has no errors. */
export const readSet = (folder: string): ConfigSet => must(readFolder(folder)).set;
