import { asObject } from '../../src/lib/json.ts';
import { join } from 'node:path';
import { sameDocument } from '../../shared/yaml-patch/same.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { ok } from '../../src/lib/result.ts';
import type { Cli } from '../command.ts';
import { failed, type CommandResult } from '../failure.ts';
import { withModeline, textFor, writeFiles } from '../folder/write.ts';
import { isFile, readFile, type LocalFolder } from '../folder/read.ts';
import { count } from '../text.ts';
import type { DocumentId } from '../folder/kinds.ts';
import { writeYaml } from '../../shared/yaml-patch/rewrite.ts';
import { planned, type Existing, type SourcePlan } from '../../shared/new-source/plan.ts';
import type { LeftRoute } from '../../shared/new-source/story.ts';
import type { Source } from '../../src/config/compiled/config.ts';
import { sampleOf, type SampleDocument } from '../../src/config/documents/provider-file.ts';
import { readRequestText } from '../fixtures/read.ts';
import { writeHttpFile } from '../fixtures/http-file.ts';
import { renderFixture, expectedText } from '../fixtures/run.ts';

type Change = NewFile & { readonly how: 'fresh' | 'extended' | 'overwritten' };

/** The file to write for a document; none if it has the right content. A list gets more numbers, or quiet hours. */
function changeOf(
  cli: Cli,
  { kind, name, value, text }: NewDocument,
  { folder, documents }: LocalFolder,
): readonly Change[] {
  const known = documents.find((one) => one.kind === kind && one.name === name);
  if (known === undefined) {
    const file = join(folder, kind, `${name}.yaml`);
    return [{ how: 'fresh', file, text: withModeline(cli, kind, file, text) }];
  }
  const { file } = known;
  if (kind !== 'recipients')
    return sameDocument(known.value, value)
      ? []
      : [{ how: 'overwritten', file, text: textFor(known, value) }];
  const more = extendedList(known.value, value);
  return more === null ? [] : [{ how: 'extended', file, text: textFor(known, more) }];
}

function changeOfFixture({ file, text }: NewFile): readonly Change[] {
  if (!isFile(file)) return [{ how: 'fresh', file, text }];
  const known = readFile(file);
  return known.ok && known.value === text ? [] : [{ how: 'overwritten', file, text }];
}

/** Writes new documents and fixtures into a folder; asks before it overwrites any. Returns the files that it wrote. */
export async function writeNew(
  cli: Cli,
  documents: readonly NewDocument[],
  fixtures: readonly NewFile[],
  local: LocalFolder,
  options: { readonly yes?: true; readonly force?: true },
): Promise<CommandResult<readonly string[]>> {
  const changes = [
    ...documents.flatMap((one) => changeOf(cli, one, local)),
    ...fixtures.flatMap(changeOfFixture),
  ];
  const of = (wanted: Change['how']) => changes.filter(({ how }) => how === wanted);
  const overwritten = of('overwritten');
  const may = await mayOverwrite(
    cli,
    overwritten.map(({ file }) => file),
    options,
  );
  if (!may.ok) return may;
  const files = [...of('fresh'), ...of('extended'), ...overwritten];
  const written = writeFiles({ write: files });
  return written.ok ? ok(files.map(({ file }) => file)) : written;
}

async function mayOverwrite(
  { ask }: Cli,
  files: readonly string[],
  { yes, force }: { readonly yes?: true; readonly force?: true },
): Promise<CommandResult> {
  if (files.length === 0 || force === true) return ok(undefined);
  if (ask === null || yes === true)
    return failed(
      `${count(files.length, 'file')} would be overwritten, so nothing was written; --force overwrites them`,
      { details: files },
    );
  const may = await ask.confirm(`Overwrite ${files.join(', ')}?`);
  if (!may.ok) return may;
  return may.value ? ok(undefined) : failed('nothing was written');
}

export interface NewDocument extends DocumentId {
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export const withDocuments = (set: ConfigSet, documents: readonly NewDocument[]): ConfigSet =>
  documents.reduce(
    (sum, { kind, name, value }) => ({ ...sum, [kind]: { ...sum[kind], [name]: value } }),
    set,
  );

export const documentsOf = (plan: SourcePlan, existing: Existing): readonly NewDocument[] =>
  planned(plan, existing)
    .filter(({ kind }) => kind !== 'recipients' || plan.lists === undefined)
    .map(({ kind, name, value, comment, left = [] }) => ({
      kind,
      name,
      value,
      text: comment + writeYaml(value) + left.map(commented).join(''),
    }));

/** A route at the end of a source's file: without the `# ` of its lines it is one of the routes. */
const commented = ({ route, does }: LeftRoute): string =>
  `\n  # ${String(route['name'])}: ${does}. Remove "# " to enable it:\n${writeYaml([route])
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '  #\n' : `  # ${line}\n`))
    .join('')}`;

/** A list with these numbers, and quiet hours if it has none; null when it has them, or is not a list. */
export function extendedList(
  document: unknown,
  { numbers, people, quiet }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  const value = asObject(document);
  const isQuieter = quiet !== undefined && value['quiet'] === undefined;
  const more = isQuieter ? { quiet } : {};
  if (people !== undefined) {
    const all = withPeople(value['people'], people);
    return all === null && !isQuieter ? null : { ...value, ...(all !== null && { people: all }), ...more };
  }
  const known = value['numbers'];
  if (!Array.isArray(known)) return null;
  const missing = Array.isArray(numbers) ? numbers.filter((number) => !known.includes(number)) : [];
  if (missing.length === 0 && !isQuieter) return null;
  return { ...value, numbers: [...known.map(String), ...missing.map(String)], ...more };
}

/** The people of a list with those who are not in it yet, under free names; null: all are. */
function withPeople(known: unknown, more: unknown): Readonly<Record<string, unknown>> | null {
  const people = asObject(known);
  const all: Record<string, unknown> = { ...people };
  for (const person of Object.values(asObject(more))) {
    if (Object.values(all).some((one) => sameDocument(one, person))) continue;
    let at = 1;
    while (Object.hasOwn(all, `person-${at}`)) at += 1;
    all[`person-${at}`] = person;
  }
  return Object.keys(all).length === Object.keys(people).length ? null : all;
}

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
