import { expect, it } from 'vitest';
import { DEFAULTS, DESCRIPTIONS } from '../../api-docs/descriptions.ts';
import { DOCUMENTS } from '../../api-docs/groups.ts';
import { HINTS } from '../../api-docs/components.ts';
import { BODY_KEYS } from '../../api-docs/routes.ts';
import { BODY_SCHEMAS, keysIn } from './keys.ts';

const keysOf = (roots: Parameters<typeof keysIn>[0]) =>
  [...new Set(keysIn(roots).map(({ group, key }) => `${group}.${key}`))].toSorted();

const namesIn = (groups: Readonly<Record<string, object>>) =>
  Object.entries(groups)
    .flatMap(([group, keys]) => Object.keys(keys).map((key) => `${group}.${key}`))
    .toSorted();

it('every key of every document and of every other body is described, and no other', () => {
  const documents = keysOf(DOCUMENTS);
  expect(namesIn(DESCRIPTIONS)).toEqual(documents);
  const others = keysOf(BODY_SCHEMAS).filter((key) => !documents.includes(key));
  expect(namesIn(BODY_KEYS)).toEqual(others);
  const words = [DESCRIPTIONS, BODY_KEYS].flatMap((groups) =>
    Object.values(groups).flatMap((keys): readonly string[] => Object.values(keys)),
  );
  expect(words.filter((text) => !/^[A-Z`][^]*\.$/.test(text) || text.includes(']('))).toEqual([]);
});

it('defaults and hints are only of keys that there are', () => {
  const known = new Set([...keysOf(DOCUMENTS), ...keysOf(BODY_SCHEMAS)]);
  expect([...namesIn(DEFAULTS), ...namesIn(HINTS)].filter((key) => !known.has(key))).toEqual([]);
});
