import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

type Files = Readonly<Record<string, string>>;

/**
 * The types that more than one file makes of one schema, each with the file of that schema. An answer of the admin API is
 * described once, in `src`. The Worker that writes it, the console and the command line make a type of that description, and
 * a reader finds all of them by one name.
 */
const OF_ONE_SCHEMA: Readonly<Record<string, string>> = {
  AccountStatus: 'outbox/answers/api-status',
  ByHandAnswer: 'registry/api-silence',
  EventSummary: 'outbox/answers/api-event',
  FoundNumber: 'admin/messages/api-found-number',
  IncidentAnswer: 'outbox/answers/api-incident',
  ListedSilence: 'registry/api-silence',
  Message: 'outbox/answers/api-message',
  OpenIncidentsAnswer: 'outbox/answers/api-incident',
  PairedKey: 'registry/api-pairing',
  PairingAnswer: 'registry/api-pairing',
  PreviewAnswer: 'admin/preview/api-preview',
  ProviderAnswer: 'admin/config/api-provider',
  RejectionAnswer: 'registry/api-rejection',
  Released: 'registry/api-rejection',
  SilencePreview: 'registry/api-silence-look',
  Stats: 'metrics/api-stats',
  Suppression: 'registry/api-suppression',
  Version: 'registry/api-version',
};

/** The types that a file exports from its outermost level. */
const DECLARED = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

const exportedTypes = (code: string): readonly string[] =>
  [...code.matchAll(DECLARED)].map(([, name = '']) => name);

/** The names that more than one file exports, each with its files. */
function repeated(files: Files): ReadonlyMap<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>();
  for (const [path, code] of Object.entries(files))
    for (const name of exportedTypes(code)) paths.set(name, [...(paths.get(name) ?? []), path]);
  return new Map([...paths].filter(([, of]) => of.length > 1));
}

/** True if a file makes the type `name` of a schema that it has from `schema`, or that is there itself. */
const isMadeOf = (name: string, schema: string, path: string, code: string): boolean =>
  new RegExp(String.raw`^export type ${name} = (?:z\.output|AnswerOf)<typeof \w`, 'm').test(code) &&
  (path === `src/${schema}.ts` || new RegExp(String.raw` from '[^']*/${schema}\.[jt]s';$`, 'm').test(code));

/** The names that more than one file exports, but for those that all of them make of one schema. */
const shared = (files: Files, schemas: Readonly<Record<string, string>> = {}): readonly string[] =>
  [...repeated(files)]
    .filter(([name, paths]) => {
      const schema = schemas[name];
      return schema === undefined || !paths.every((path) => isMadeOf(name, schema, path, files[path] ?? ''));
    })
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`);

const exported: Files = Object.fromEntries(
  globSync('{src,cli,console,shared,patch,simulator}/**/*.{ts,tsx}', { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
);

describe('the name of an exported type', () => {
  it.each([
    ['an interface', 'export interface Taken {}'],
    ['an interface with parameters', 'export interface Taken<Item> {}'],
    ['a type', 'export type Taken = string;'],
    ['a class', 'export class Taken {}'],
    ['an abstract class', 'export abstract class Taken {}'],
  ])('is found for %s', (_, code) => {
    expect(shared({ 'a.ts': code, 'b.ts': 'export type Taken = 1;' })).toEqual(['Taken: a.ts, b.ts']);
  });

  it.each([
    ['is not exported', 'interface Taken {}'],
    ['is exported again', "export type { Taken } from './b.ts';"],
    ['has a longer name', 'export interface TakenItem {}'],
  ])('is free where a type %s', (_, code) => {
    expect(shared({ 'a.ts': code, 'b.ts': 'export type Taken = 1;' })).toEqual([]);
  });

  const IMPORTED = "import { taken } from '../src/api-taken.ts';\n";

  it.each([
    ['a type of the schema', `${IMPORTED}export type Taken = z.output<typeof taken>;`, true],
    ['a part of it', `${IMPORTED}export type Taken = z.output<typeof taken>['items'][number];`, true],
    ['an interface', `${IMPORTED}export interface Taken {}`, false],
    [
      'a type of another schema',
      "import { taken } from './taken.ts';\nexport type Taken = z.output<typeof taken>;",
      false,
    ],
  ])('is judged where another file has %s', (_, code, may) => {
    const files = { 'src/api-taken.ts': 'export type Taken = AnswerOf<typeof taken>;', 'cli/a.ts': code };
    expect(shared(files, { Taken: 'api-taken' })).toEqual(may ? [] : ['Taken: src/api-taken.ts, cli/a.ts']);
    expect(shared(files)).toHaveLength(1);
  });

  it('belongs to one type, or to the types of one schema', () => {
    expect(Object.keys(exported).length).toBeGreaterThan(900);
    expect(shared(exported, OF_ONE_SCHEMA)).toEqual([]);
  });

  it('is listed with its schema only as long as several types have it', () => {
    const names = repeated(exported);
    expect(Object.keys(OF_ONE_SCHEMA).filter((name) => !names.has(name))).toEqual([]);
  });
});
