import { expect, it } from 'vitest';
import type * as core from 'zod/v4/core';
import { DEFAULTS, DESCRIPTIONS } from '../../openapi/descriptions.ts';
import { DOCUMENTS } from '../../openapi/groups.ts';
import { HINTS } from '../../openapi/hints.ts';
import { REQUEST_BODIES, REQUEST_DESCRIPTIONS } from '../../openapi/request-bodies.ts';
import { keysIn } from './keys.ts';

type Keys = Readonly<Record<string, readonly string[]>>;

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...DESCRIPTIONS,
  ...REQUEST_DESCRIPTIONS,
};

it('every key of every document and of every other body is described, and no other', () => {
  const documents = keysOf(DOCUMENTS);
  const others = Object.entries(keysOf(REQUEST_BODIES)).filter(([group]) => !(group in documents));
  expect(namesIn(DESCRIPTIONS)).toEqual(documents);
  expect(namesIn(REQUEST_DESCRIPTIONS)).toEqual(Object.fromEntries(others));
  const words = Object.values(WORDS).flatMap((keys) => Object.values(keys));
  expect(words.filter((text) => !/^[A-Z`][^]*\.$/.test(text) || text.includes(']('))).toEqual([]);
});

it('defaults and hints are only of keys that there are', () => {
  const known: Keys = { ...keysOf(DOCUMENTS), ...keysOf(REQUEST_BODIES) };
  const unknown = [DEFAULTS, HINTS].flatMap((groups) =>
    Object.entries(namesIn(groups)).flatMap(([group, keys]) =>
      keys.filter((key) => known[group]?.includes(key) !== true).map((key) => `${group}.${key}`),
    ),
  );
  expect(unknown).toEqual([]);
});

/** The keys of each group in the schemas. */
function keysOf(roots: Readonly<Record<string, core.$ZodType>>): Keys {
  const groups = Map.groupBy(keysIn(roots), ({ group }) => group);
  return sorted(
    [...groups].map(([group, all]) => [group, [...new Set(all.map(({ key }) => key))].toSorted()]),
  );
}

const namesIn = (groups: Readonly<Record<string, object>>): Keys =>
  sorted(Object.entries(groups).map(([group, keys]) => [group, Object.keys(keys).toSorted()]));

function sorted(entries: readonly (readonly [string, readonly string[]])[]): Keys {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
