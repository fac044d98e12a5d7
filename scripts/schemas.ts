import '../cli/facts.ts';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import '../cli/facts.ts';
import { documentSchemas } from '../api-docs/document-schemas.ts';

const FOLDER = join(dirname(import.meta.dirname), 'assets', 'schemas');

/** Writes the JSON Schema of each kind of document into the static assets. An unchanged one is not written again. */
function main(): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, schema] of Object.entries(documentSchemas())) {
    const file = join(FOLDER, `${name}.json`);
    const text = `${JSON.stringify(schema)}\n`;
    if (read(file) === text) continue;
    // In one step: a relay or an editor may be reading it.
    const fresh = `${file}.${process.pid}.tmp`;
    writeFileSync(fresh, text);
    renameSync(fresh, file);
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

main();
