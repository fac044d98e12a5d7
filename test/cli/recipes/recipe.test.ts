import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { own } from '../../../shared/new-source/own.ts';
import { findRecipe, recipeDocuments, recipeLanguages, recipes } from '../../../cli/recipes/recipe.ts';
import { hookbell, ROOT } from '../support.ts';

const line = z
  .string()
  .max(200)
  .regex(/^\S.*[^.\s]$/);
const schema = z.strictObject({
  title: line,
  about: z
    .string()
    .max(200)
    .regex(/^\S.*\.$/),
  choose: z
    .strictObject({ name: z.string().regex(/^[a-z]+$/), question: line, sources: z.array(z.string()).min(2) })
    .optional(),
  asks: z.record(z.string(), z.strictObject({ question: line, example: line, pattern: line })).optional(),
  steps: z.record(z.string(), z.string().max(2_000)).optional(),
});

const ALL = recipes().map((recipe) => [recipe.id, recipe] as const);

/** The outputs and tags of a text; what stands between them is in a language. */
const liquidIn = (document: unknown): readonly string[] =>
  (String(own(document, 'message')).match(/\{\{[^]*?\}\}|\{%[^]*?%\}/g) ?? [])
    .map((one) => one.replaceAll(/"[^"]*"/g, '""').replaceAll(/\s|-(?=%\})|(?<=\{%)-/g, ''))
    .sort();

describe.each(ALL)('the recipe %s', (id, recipe) => {
  it('says what it is, and names only sources that it has', () => {
    const read: unknown = parse(readFileSync(join(recipe.folder, 'recipe.yaml'), 'utf8'));
    const { choose, steps = {} } = schema.parse(read);
    const sources = readdirSync(join(recipe.folder, 'sources')).map((file) => file.replace('.yaml', ''));
    expect(sources).toEqual(expect.arrayContaining([...Object.keys(steps), ...(choose?.sources ?? [])]));
  });

  it('is a folder that `check` finds nothing wrong with, fixtures included', async () => {
    const checked = await hookbell(['check', recipe.folder]);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toMatch(/\d+ fixtures/);
  });

  it('has a fixture for each source', () => {
    const fixtures = readdirSync(join(recipe.folder, 'fixtures'));
    expect(readdirSync(join(recipe.folder, 'sources')).map((file) => file.replace('.yaml', ''))).toEqual(
      fixtures,
    );
  });

  it('keeps its texts in templates, so that a language can have its own', () => {
    const documents = recipeDocuments(recipe, 'en');
    if (!documents.ok) throw new Error(documents.error.message);
    for (const { kind, value } of documents.value)
      if (kind === 'sources')
        expect(JSON.stringify(value), String(own(value, 'provider'))).not.toContain('"send"');
  });

  it('says the same in German', () => {
    expect(recipeLanguages(recipe)).toEqual(['en', 'de']);
    const english = recipeDocuments(recipe, 'en');
    const german = recipeDocuments(recipe, 'de');
    if (!english.ok || !german.ok) throw new Error('cannot be read');
    for (const [at, { kind, name, value }] of english.value.entries()) {
      if (kind !== 'templates') continue;
      const other = german.value[at]?.value;
      expect(other, name).not.toEqual(value);
      // One word per case may need a condition that English does without.
      expect(
        liquidIn(other).filter((one) => one.startsWith('{{')),
        name,
      ).toEqual(liquidIn(value).filter((one) => one.startsWith('{{')));
    }
  });

  it('has a page with a picture of its week', () => {
    const page = readFileSync(join(ROOT, 'docs/recipes', `${id}.md`), 'utf8');
    expect(page).toContain(`](${id}.svg)`);
    expect(existsSync(join(ROOT, 'docs/recipes', `${id}.svg`))).toBe(true);
    expect(readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8')).toContain(`[${id}](recipes/${id}.md)`);
  });
});

describe('a recipe that there is not', () => {
  it('is refused with what was meant, and with all that there are', () => {
    const found = findRecipe('ordr');
    expect(found).toMatchObject({
      ok: false,
      error: { exit: 2, message: 'there is no recipe `ordr`; did you mean `order`?' },
    });
    const details = found.ok ? [] : (found.error.details ?? []);
    expect(details.map((one) => one.split(':')[0])).toEqual(ALL.map(([id]) => id));
  });
});
