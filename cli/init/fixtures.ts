import { join } from 'node:path';
import type { Source } from '../../src/config/compiled/config.ts';
import { sampleOf, type SampleDocument } from '../../src/config/documents/starter.ts';
import { readRequestText } from '../fixtures/read.ts';
import { writeHttpFile } from '../fixtures/http-file.ts';
import { renderFixture } from '../fixtures/render.ts';
import { expectedText } from '../fixtures/run.ts';

export interface NewFile {
  readonly file: string;
  readonly text: string;
}

/** A fixture for each route: the first sample that it takes. `compiled`: the source, if it has no errors. */
export async function fixturesOf(
  folder: string,
  source: string,
  samples: readonly SampleDocument[],
  compiled: Source | undefined,
): Promise<readonly NewFile[]> {
  const files: NewFile[] = [];
  const taken = new Set<string>();
  for (const sample of samples) {
    const { name, text } = fixtureOf(source, sample);
    const made = await withExpected(join(folder, 'fixtures', source, name), source, text, compiled);
    const { routes } = made;
    // A fixture stands alone: one that is silent because of an earlier sample would be sent.
    if (sample.silent !== undefined || routes.every((route) => taken.has(route))) continue;
    for (const route of routes) taken.add(route);
    files.push(...made.files);
  }
  return files;
}

/** A fixture and, where the source takes it, its expected messages, with the routes that make them. */
export async function withExpected(file: string, source: string, text: string, compiled: Source | undefined) {
  const request = readRequestText({ file, source }, text);
  const rendered = compiled && request.ok ? await renderFixture(compiled, request.value) : null;
  const files: NewFile[] = [{ file, text }];
  if (rendered?.ok !== true) return { files, routes: [] };
  files.push({ file: file.replace(/\.(json|http)$/, '.expected.json'), text: expectedText(rendered.value) });
  return { files, routes: rendered.value.messages.map(({ route }) => route) };
}

function fixtureOf(source: string, document: SampleDocument): { name: string; text: string } {
  const { name, content_type, headers, query, body } = sampleOf(document);
  const stem = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^\.+/, '');
  const text = document.payload === undefined ? body : JSON.stringify(document.payload, null, 2);
  const isPlain = content_type === 'application/json' && Object.keys({ ...headers, ...query }).length === 0;
  if (isPlain) return { name: `${stem}.json`, text: `${text}\n` };
  const search = new URLSearchParams(query).toString();
  const path = `/hooks/${source}${search === '' ? '' : `?${search}`}`;
  const all = Object.entries({ 'Content-Type': content_type, ...headers });
  return { name: `${stem}.http`, text: writeHttpFile(path, all, text) };
}
