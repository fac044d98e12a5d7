import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { KINDS } from '../../src/config/documents/name.ts';

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
