import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { AdminApi } from './admin-api.ts';
import { readSet } from './demo-config.ts';

/** The configuration in force in a store. */
export interface StoreContent {
  readonly version: number;
  readonly publishedAt: string;
  readonly by: string;
  readonly note: string;
  readonly sources: Readonly<Record<string, unknown>>;
  /** True if these are the demo's documents and nothing else. */
  readonly isDemo: boolean;
}

const set = z.record(z.string(), z.record(z.string(), z.unknown()));
const page = z.object({
  items: z.array(
    z.object({ version: z.number(), published_at: z.string(), by: z.string(), note: z.string() }),
  ),
});

/** Reads the configuration in force; null: nothing was ever published. */
export async function inForce(admin: AdminApi, folder: string): Promise<StoreContent | null> {
  const { body, headers } = await admin('GET', '/config');
  const version = Number(headers.get('hookbell-config-version'));
  if (version === 0) return null;
  const documents = set.parse(body);
  // The list begins below the cursor.
  const { body: list } = await admin('GET', `/config/versions?limit=1&cursor=${version + 1}`);
  const [known] = page.parse(list).items;
  if (known?.version !== version) throw new Error(`version ${version} is in force and not in the list`);
  return {
    version,
    publishedAt: known.published_at,
    by: known.by,
    note: known.note,
    sources: documents['sources'] ?? {},
    isDemo: isDeepStrictEqual(documents, readSet(folder)),
  };
}

/** The demo's note in the list of versions. */
const NOTE = 'the demo, by npm start';

/** Publishes the demo's documents: for an empty store. */
export async function publishDemo(admin: AdminApi, folder: string): Promise<StoreContent> {
  await admin('POST', `/config?note=${encodeURIComponent(NOTE)}`, readSet(folder));
  const published = await inForce(admin, folder);
  if (published === null) throw new Error('the demo was published, and nothing is in force');
  return published;
}
