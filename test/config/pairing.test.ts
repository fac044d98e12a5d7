import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { PAIRING_MS, Pairings } from '../../src/config/pairing.ts';
import { Registry } from '../../src/config/registry.ts';
import { bindings } from './support.ts';

const NOW = Date.now();

interface Bench {
  readonly pairings: Pairings;
  /** Everything that is kept, as JSON. */
  readonly kept: () => string;
}

const bench = (use: (bench: Bench) => void | Promise<void>) =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), async (_, { storage: { sql } }) => {
    const kept = () => JSON.stringify(sql.exec('SELECT * FROM pairings').toArray());
    await use({ pairings: new Pairings(sql), kept });
  });

describe('a pairing window', () => {
  it('is closed until it is opened, and by itself after ten minutes', () =>
    bench(({ pairings }) => {
      expect(pairings.take('tasks', NOW)).toEqual({ state: 'closed' });
      expect(pairings.open('tasks', NOW)).toEqual({ state: 'open', expiresAt: NOW + PAIRING_MS });
      expect(pairings.take('tasks', NOW + PAIRING_MS - 1)).toMatchObject({ state: 'open' });
      expect(pairings.take('tasks', NOW + PAIRING_MS)).toEqual({ state: 'closed' });
      // The clock of another isolate may be behind: what has expired has expired.
      expect(pairings.take('tasks', NOW)).toEqual({ state: 'closed' });
    }));

  it('is one source’s own', () =>
    bench(async ({ pairings }) => {
      pairings.open('tasks', NOW);
      expect(await pairings.capture('pages', 'key-1', NOW)).toBe(false);
      expect(pairings.take('pages', NOW)).toEqual({ state: 'closed' });
    }));

  it('that is shut takes no key', () =>
    bench(async ({ pairings, kept }) => {
      pairings.open('tasks', NOW);
      pairings.close('tasks');
      expect(await pairings.capture('tasks', 'key-1', NOW)).toBe(false);
      expect(await pairings.capture('tasks', 'key-1', NOW + PAIRING_MS)).toBe(false);
      expect(kept()).toBe('[]');
    }));
});

describe('the key that comes in', () => {
  it('is shown once, and gone', () =>
    bench(async ({ pairings, kept }) => {
      pairings.open('tasks', NOW);
      expect(await pairings.capture('tasks', 'key-1', NOW + 1)).toBe(true);
      expect(pairings.take('tasks', NOW + 2)).toEqual({ state: 'captured', secret: 'key-1' });
      expect(pairings.take('tasks', NOW + 2)).toEqual({ state: 'closed' });
      expect(kept()).toBe('[]');
      expect(await pairings.capture('tasks', 'key-1', NOW + 3)).toBe(false);
    }));

  it('is the first: of two that race the other is refused', () =>
    bench(async ({ pairings }) => {
      pairings.open('tasks', NOW);
      const both = [pairings.capture('tasks', 'key-1', NOW), pairings.capture('tasks', 'key-2', NOW)];
      expect(await Promise.all(both)).toEqual([true, false]);
      expect(pairings.take('tasks', NOW)).toEqual({ state: 'captured', secret: 'key-1' });
    }));

  it('may come again as long as it is kept: the answer to it may have been lost', () =>
    bench(async ({ pairings }) => {
      pairings.open('tasks', NOW);
      expect(await pairings.capture('tasks', 'key-1', NOW)).toBe(true);
      expect(await pairings.capture('tasks', 'key-1', NOW + 1)).toBe(true);
      expect(await pairings.capture('tasks', 'key-10', NOW + 1)).toBe(false);
    }));

  it('waits ten minutes from when it came, and is deleted at the next touch of any source', () =>
    bench(async ({ pairings, kept }) => {
      const late = NOW + PAIRING_MS - 1;
      pairings.open('tasks', NOW);
      await pairings.capture('tasks', 'key-1', late);
      pairings.open('pages', late + PAIRING_MS - 1);
      expect(kept()).toContain('key-1');
      expect(await pairings.capture('other', 'key-2', late + PAIRING_MS)).toBe(false);
      expect(kept()).not.toContain('key-1');
    }));

  it.each<[string, (pairings: Pairings) => unknown]>([
    ['closing', (pairings) => pairings.close('tasks')],
    ['opening anew', (pairings) => pairings.open('tasks', NOW + 1)],
  ])('is dropped by %s', (_, act) =>
    bench(async ({ pairings, kept }) => {
      pairings.open('tasks', NOW);
      await pairings.capture('tasks', 'key-1', NOW);
      act(pairings);
      expect(kept()).not.toContain('key-1');
    }),
  );
});

it('a key that nobody asked for any more is gone when the registry wakes', () =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), async (_, state) => {
    const registry = new Registry(state, bindings());
    registry.openPairing('tasks', NOW - 365 * 86_400_000);
    expect(await registry.capturePairing('tasks', 'key-1', NOW - 365 * 86_400_000)).toBe(true);
    const woken = new Registry(state, bindings());
    expect(state.storage.sql.exec('SELECT * FROM pairings').toArray()).toEqual([]);
    expect(woken.takePairing('tasks', NOW)).toEqual({ state: 'closed' });
  }));
