import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { unknownName } from '../../src/config/documents/unknown-name.ts';
import type { Question } from '../../src/config/documents/starter.ts';
import { FIRST_LANGUAGE } from '../../src/config/documents/starter-texts.ts';
import { err, ok } from '../../src/lib/result.ts';
import type { CommandResult } from '../failure.ts';
import { readFolder, type LocalDocument } from '../folder/read.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'examples', 'recipes');

/** A folder of documents to start from, `examples/recipes/{id}`. A file of this package, checked by its tests. */
export interface Recipe {
  readonly id: string;
  readonly folder: string;
  readonly title: string;
  readonly about: string;
  /** Alternative sources. One is needed, by default the first. */
  readonly choose?: { readonly name: string; readonly question: string; readonly sources: readonly string[] };
  /** Questions that only the owner can answer. An answer replaces its example in all documents. */
  readonly asks?: Readonly<Record<string, Question>>;
  /** The steps at the provider of a source, where those of its starter are for other routes. */
  readonly steps?: Readonly<Record<string, string>>;
}

export const recipes = (): readonly Recipe[] => readdirSync(FOLDER).sort().map(readRecipe);

export function findRecipe(id: string): CommandResult<Recipe> {
  const all = recipes();
  const found = all.find((one) => one.id === id);
  if (found !== undefined) return ok(found);
  const message = unknownName(
    'recipe',
    id,
    all.map((one) => one.id),
  );
  return err({ message, details: all.map(({ id: name, about }) => `${name}: ${about}`), exit: 2 });
}

function readRecipe(id: string): Recipe {
  const folder = join(FOLDER, id);
  const read: unknown = parse(readFileSync(join(folder, 'recipe.yaml'), 'utf8'));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of this package, which its tests check
  return { ...(read as Omit<Recipe, 'id' | 'folder'>), id, folder };
}

/** The documents of a recipe, with the texts of `{language}/templates`, or else in English. */
export function recipeDocuments(
  { folder }: Recipe,
  language: string,
): CommandResult<readonly LocalDocument[]> {
  const first = readFolder(folder);
  if (!first.ok || !languagesOf(folder).includes(language))
    return first.ok ? ok(first.value.documents) : first;
  const translated = readFolder(join(folder, language));
  if (!translated.ok) return translated;
  return ok(
    first.value.documents.map(
      (one) =>
        translated.value.documents.find(({ kind, name }) => kind === one.kind && name === one.name) ?? one,
    ),
  );
}

/** The languages other than English in which a recipe has texts. */
const languagesOf = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => existsSync(join(folder, name, 'templates')));

export const recipeLanguages = ({ folder }: Recipe): readonly string[] => [
  FIRST_LANGUAGE,
  ...languagesOf(folder),
];
