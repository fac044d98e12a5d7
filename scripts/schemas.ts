import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import '../cli/facts.ts';
import { documentSchemas } from '../api-docs/document-schemas.ts';
import { textOf, writeAtOnce } from './files.ts';

const FOLDER = join(dirname(import.meta.dirname), 'assets', 'schemas');

/** Writes the JSON Schema of each kind of document into the static assets. An unchanged one is not written again. */
mkdirSync(FOLDER, { recursive: true });
for (const [name, schema] of Object.entries(documentSchemas())) {
  const file = join(FOLDER, `${name}.json`);
  const text = `${JSON.stringify(schema)}\n`;
  if (textOf(file) !== text) writeAtOnce(file, text);
}
