import { isDeepStrictEqual } from 'node:util';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parse } from 'yaml';
import type { AdminApi } from './admin-api.ts';
import { withOrigins } from './demo-page.ts';
import { KINDS } from '../../src/config/documents/name.ts';

export interface StoreContent {
  readonly version: number;
  readonly publishedAt: string;
  readonly by: string;
  readonly note: string;
  readonly sources: Readonly<Record<string, unknown>>;
  /** True if these are the demo's documents and nothing else, for whichever page. */
  readonly isDemo: boolean;
  /** True if they are for the page of this run, too. */
  readonly isCurrent: boolean;
}

const set = z.record(z.string(), z.record(z.string(), z.unknown()));
const page = z.object({
  items: z.array(
    z.object({ version: z.number(), published_at: z.string(), by: z.string(), note: z.string() }),
  ),
});

type Documents = Parameters<typeof withOrigins>[0];

/** Reads the configuration in force; null: nothing was ever published. `demo`: the demo's documents, for the page of this run. */
export async function inForce(admin: AdminApi, demo: Documents): Promise<StoreContent | null> {
  const { body, headers } = await admin('GET', '/config');
  const version = Number(headers.get('hookbell-config-version'));
  if (version === 0) return null;
  const documents = set.parse(body);
  // The list begins below the cursor.
  const { body: list } = await admin('GET', `/config/versions?limit=1&cursor=${version + 1}`);
  const [known] = page.parse(list).items;
  if (known?.version !== version) throw new Error(`version ${version} is active but not in the list`);
  return {
    version,
    publishedAt: known.published_at,
    by: known.by,
    note: known.note,
    sources: documents['sources'] ?? {},
    isDemo: isDeepStrictEqual(withOrigins(documents, []), withOrigins(demo, [])),
    isCurrent: isDeepStrictEqual(documents, demo),
  };
}

/** The demo's note in the list of versions. */
const NOTE = 'the demo, by npm start';

/** Publishes the demo's documents: for an empty store, or one that has them for a page on another port. */
export async function publishDemo(admin: AdminApi, demo: Documents): Promise<StoreContent> {
  await admin('POST', `/config?note=${encodeURIComponent(NOTE)}`, demo);
  const published = await inForce(admin, demo);
  if (published === null) throw new Error('the demo was published, but nothing is active');
  return published;
}

/** The documents of a folder (`sources/*.yaml`, `templates/*.yaml` …) as one set, as `POST /config` accepts it. */
export function readSet(folder: string): Record<string, Record<string, unknown>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, readDocuments(join(folder, kind))]));
}

function readDocuments(folder: string): Record<string, unknown> {
  // A set without silences, for example, has no folder for them.
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return Object.fromEntries(
    files.map((file) => [file.replace(/\.yaml$/, ''), parse(readFileSync(join(folder, file), 'utf8'))]),
  );
}
