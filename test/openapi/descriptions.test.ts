import { describe, expect, it } from 'vitest';
import { DEFAULTS, DESCRIPTIONS } from '../../openapi/descriptions.ts';
import { CONSTRAINTS } from '../../openapi/constraints.ts';
import { DOCUMENTS, groupsOf, shapeOf } from '../../openapi/groups.ts';
import { REQUEST_BODIES, REQUEST_DESCRIPTIONS } from '../../openapi/request-bodies.ts';

type Keys = Readonly<Record<string, readonly string[]>>;

const documents = keysOf(DOCUMENTS);
const bodies = keysOf(REQUEST_BODIES);

describe('the words about documents', () => {
  it('are there for every key of every document, and for no other', () => {
    expect(namesIn(DESCRIPTIONS)).toEqual(documents);
  });

  it('are there for every key of every other body', () => {
    const own = Object.fromEntries(Object.entries(bodies).filter(([group]) => !(group in documents)));
    expect(namesIn(REQUEST_DESCRIPTIONS)).toEqual(own);
  });

  it('are sentences', () => {
    const groups: readonly Readonly<Record<string, string>>[] = [
      ...Object.values(DESCRIPTIONS),
      ...Object.values(REQUEST_DESCRIPTIONS),
    ];
    const words = groups.flatMap((keys) => Object.values(keys));
    expect(words.filter((text) => !/^[A-Z`][^]*\.$/.test(text))).toEqual([]);
    expect(words.filter((text) => text.includes(']('))).toEqual([]);
  });

  it.each([
    ['defaults', DEFAULTS],
    ['limits', CONSTRAINTS],
  ])('have %s only for keys that there are', (_, groups) => {
    const known = { ...documents, ...bodies };
    const unknown = Object.entries(namesIn(groups)).flatMap(([group, keys]) =>
      keys.filter((key) => known[group]?.includes(key) !== true).map((key) => `${group}.${key}`),
    );
    expect(unknown).toEqual([]);
  });
});

/** The keys of each group in the schemas. */
function keysOf(roots: Readonly<Record<string, Parameters<typeof groupsOf>[0]>>): Keys {
  const found = new Map<string, Set<string>>();
  for (const [root, schema] of Object.entries(roots)) {
    for (const [object, group] of groupsOf(schema, root)) {
      const keys = found.get(group) ?? new Set();
      for (const key of Object.keys(shapeOf(object))) keys.add(key);
      found.set(group, keys);
    }
  }
  return sorted([...found].map(([group, keys]) => [group, [...keys].toSorted()]));
}

const namesIn = (groups: Readonly<Record<string, object>>): Keys =>
  sorted(Object.entries(groups).map(([group, keys]) => [group, Object.keys(keys).toSorted()]));

function sorted(entries: readonly (readonly [string, readonly string[]])[]): Keys {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
