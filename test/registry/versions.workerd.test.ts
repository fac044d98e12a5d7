import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { EMPTY_SET } from '../../src/config/schema.ts';
import { Versions } from '../../src/registry/versions.ts';

const NOW = Date.now();

/** Runs `body` on the versions of a registry of its own. */
const inRegistry = (body: (versions: Versions) => void): Promise<void> =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), (_, { storage }) =>
    body(new Versions(storage.sql)),
  );

const withTemplate = (name: string): string => JSON.stringify({ ...EMPTY_SET, templates: { [name]: {} } });

describe('versions of the configuration', () => {
  it('begin with the empty set, which is version 0 and in force by no activation', () =>
    inRegistry((versions) => {
      expect(versions.active()).toEqual({ activation: 0, version: 0 });
      expect(versions.read()).toEqual({ version: 0, documents: JSON.stringify(EMPTY_SET) });
      expect(versions.inForce()).toEqual(EMPTY_SET);
    }));

  it('are added without being in force', () =>
    inRegistry((versions) => {
      expect(versions.add(withTemplate('a'), 'first', 'ada', NOW)).toBe(1);
      expect(versions.add(withTemplate('b'), 'second', 'ada', NOW)).toBe(2);
      expect(versions.active()).toEqual({ activation: 0, version: 0 });
      expect(versions.list(9, null).map(({ active }) => active)).toEqual([false, false]);
    }));

  it('count each activation, of the same version too', () =>
    inRegistry((versions) => {
      versions.add(withTemplate('a'), 'first', 'ada', NOW);
      versions.activate(1);
      versions.activate(1);
      expect(versions.active()).toEqual({ activation: 2, version: 1 });
      expect(Object.keys(versions.inForce().templates)).toEqual(['a']);
    }));

  it('can be read when another is in force; one that never was is null', () =>
    inRegistry((versions) => {
      versions.add(withTemplate('a'), 'first', 'ada', NOW);
      versions.activate(versions.add(withTemplate('b'), 'second', 'ada', NOW));
      expect(versions.read(1)).toEqual({ version: 1, documents: withTemplate('a') });
      expect(versions.read()?.version).toBe(2);
      expect(versions.read(3)).toBeNull();
      expect(versions.read(0)).toBeNull();
    }));

  it('are listed newest first, from before a version on', () =>
    inRegistry((versions) => {
      for (const name of ['a', 'b', 'c']) versions.add(withTemplate(name), name, 'ada', NOW);
      expect(versions.list(2, null).map(({ note }) => note)).toEqual(['c', 'b']);
      expect(versions.list(2, 2).map(({ note }) => note)).toEqual(['a']);
    }));
});
