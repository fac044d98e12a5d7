import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { patchOf, pathOf } from '../../../shared/yaml-patch/patch.ts';
import { documents, files, madePatch, SHOP, SHOP_TEXT as TEXT } from './support.ts';

const path = 'sources/shop.yaml';

it('a patch is short, and empty when nothing is different', () => {
  const after = { verify: { scheme: 'none' }, routes: [], locale: 'de' };
  expect(madePatch({ path, text: TEXT }, SHOP, parse(TEXT), after).split('\n')).toEqual([
    '--- a/sources/shop.yaml',
    '+++ b/sources/shop.yaml',
    '@@ -1,3 +1,4 @@',
    ' # Ask Zoë',
    ' verify: { scheme: none }',
    ' routes: [] # none yet',
    '+locale: de',
    '',
  ]);
  expect(madePatch({ path, text: TEXT }, SHOP, parse(TEXT), parse(TEXT))).toBe('');
});

const refused = (...given: Parameters<typeof patchOf>): string => {
  const patch = patchOf(...given);
  return patch.ok ? 'made' : patch.error;
};

it('a patch is refused when the file does not say what the document was', () => {
  expect(refused({ path, text: TEXT }, SHOP, { verify: {} }, {})).toMatch(
    /^sources\/shop\.yaml is not sources\/shop as it is in force/,
  );
  for (const text of ['{', 'a: *b\n', ''])
    for (const file of [path, 'sources/shop.json'])
      expect(refused({ path: file, text }, SHOP, { a: 1 }, { a: 2 })).not.toBe('made');
  expect(refused({ path, text: null }, SHOP, { a: 1 }, { a: 2 })).toContain(
    'there is no file of sources/shop',
  );
  expect(refused({ path, text: TEXT }, SHOP, undefined, { a: 2 })).not.toBe('made');
});

it('a patch that is applied gives a file of the new document', () => {
  fc.assert(
    fc.property(files, documents, (text, after) => {
      const patch = madePatch({ path, text }, SHOP, parse(text), after);
      const applied = patch === '' ? text : applyPatch(text, patch);
      expect(parse(applied === false ? '' : applied)).toEqual(after);
    }),
  );
});

it('the file of a document is the one that there is, else a new YAML file', () => {
  expect(pathOf(SHOP, ['sources/shop.json', 'sources/shopper.yaml'])).toBe('sources/shop.json');
  expect(pathOf(SHOP, ['templates/shop.yml', 'sources/shop.yml'])).toBe('sources/shop.yml');
  expect(pathOf(SHOP, [])).toBe(path);
});
