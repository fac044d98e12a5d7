import { describe, expect, it } from 'vitest';
import { own } from '../../../shared/new-source/own.ts';
import { findRecipe, recipeDocuments, recipeLanguages, recipes } from '../../../cli/recipes/recipe.ts';
import { hookbell } from '../offline.ts';

const ALL = recipes().map((recipe) => [recipe.id, recipe] as const);

/** The outputs of a text; what stands between them is in a language. */
const outputsIn = (document: unknown): readonly string[] =>
  (String(own(document, 'message')).match(/\{\{[^]*?\}\}/g) ?? [])
    .map((one) => one.replaceAll(/"[^"]*"/g, '""').replaceAll(/\s/g, ''))
    .sort();

describe.each(ALL)('the recipe %s', (_, recipe) => {
  it('is a folder that `check` finds nothing wrong with, fixtures included', async () => {
    const stdout = expect.stringMatching(/\d+ fixtures/) as unknown;
    expect(await hookbell(['check', recipe.folder])).toMatchObject({ code: 0, stderr: '', stdout });
  });

  it('says the same in German, since its texts are templates', () => {
    expect(recipeLanguages(recipe)).toEqual(['en', 'de']);
    const english = recipeDocuments(recipe, 'en');
    const german = recipeDocuments(recipe, 'de');
    if (!english.ok || !german.ok) throw new Error('cannot be read');
    for (const [at, { kind, name, value }] of english.value.entries()) {
      if (kind === 'sources') expect(JSON.stringify(value), name).not.toContain('"send"');
      if (kind !== 'templates') continue;
      const other = german.value[at]?.value;
      expect(other, name).not.toEqual(value);
      // One word per case may need a condition that English does without.
      expect(outputsIn(other), name).toEqual(outputsIn(value));
    }
  });
});

it('a recipe that there is not is refused with what was meant, and with all that there are', () => {
  const found = findRecipe('ordr');
  const message = 'there is no recipe `ordr`; did you mean `order`?';
  expect(found).toMatchObject({ ok: false, error: { exit: 2, message } });
  const details = found.ok ? [] : (found.error.details ?? []);
  expect(details.map((one) => one.split(':')[0])).toEqual(ALL.map(([id]) => id));
});
