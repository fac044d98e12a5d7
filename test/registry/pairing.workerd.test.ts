import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { PAIRING_MS, Pairings, type Offer } from '../../src/registry/pairing.ts';
import { Registry } from '../../src/registry/registry.ts';
import { envWith } from '../platform/env.ts';

const NOW = Date.now();

interface Bench {
  readonly pairings: Pairings;
  /** Everything that is kept, as JSON. */
  readonly kept: () => string;
}

const PROVIDER: Omit<Offer, 'at'> = { address: '192.0.2.10', userAgent: 'Asana' };
const STRANGER: Omit<Offer, 'at'> = { address: '203.0.113.66', userAgent: null };
const from = (at: number, who = PROVIDER): Offer => ({ at, ...who });

const bench = (use: (bench: Bench) => void | Promise<void>) =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), async (_, { storage: { sql } }) => {
    const kept = () => JSON.stringify(sql.exec('SELECT * FROM pairing_windows').toArray());
    await use({ pairings: new Pairings(sql), kept });
  });

describe('a pairing window', () => {
  it('is closed until it is opened, and by itself after ten minutes', () =>
    bench(({ pairings }) => {
      expect(pairings.look('tasks', NOW)).toEqual({ state: 'closed' });
      expect(pairings.open('tasks', NOW)).toEqual({ state: 'open', expiresAt: NOW + PAIRING_MS });
      expect(pairings.look('tasks', NOW + PAIRING_MS - 1)).toMatchObject({ state: 'open' });
      expect(pairings.look('tasks', NOW + PAIRING_MS)).toEqual({ state: 'closed' });
    }));

  it('is one source’s own', () =>
    bench(async ({ pairings }) => {
      pairings.open('tasks', NOW);
      expect(await pairings.capture('pages', 'key-1', from(NOW))).toBe('closed');
      expect(pairings.look('pages', NOW)).toEqual({ state: 'closed' });
    }));

  it('that is shut takes no key', () =>
    bench(async ({ pairings, kept }) => {
      pairings.open('tasks', NOW);
      pairings.close('tasks');
      expect(await pairings.capture('tasks', 'key-1', from(NOW))).toBe('closed');
      expect(await pairings.capture('tasks', 'key-1', from(NOW + PAIRING_MS))).toBe('closed');
      expect(kept()).toBe('[]');
    }));
});

describe('a second, different key', () => {
  it.each([
    [false, 'voids the first'],
    [true, 'voids the first even after that was taken'],
  ])('%s: %s', (wasTaken) =>
    bench(async ({ pairings, kept }) => {
      pairings.open('tasks', NOW);
      await pairings.capture('tasks', 'key-1', from(NOW, STRANGER));
      if (wasTaken) pairings.take('tasks', NOW);
      expect(await pairings.capture('tasks', 'key-2', from(NOW + 1))).toBe('conflict');
      const offers = [from(NOW, STRANGER), from(NOW + 1)];
      const found = { state: 'void', expiresAt: NOW + 1 + PAIRING_MS, offers, wasTaken };
      expect(pairings.look('tasks', NOW + 2)).toEqual(found);
      expect(pairings.take('tasks', NOW + 2)).toEqual({ secret: null, pairing: found });
      expect(kept()).not.toMatch(/key-[12]/);
      for (const key of ['key-1', 'key-2', 'key-3'])
        expect(await pairings.capture('tasks', key, from(NOW + 3))).toBe('conflict');
      expect(pairings.look('tasks', NOW + 3)).toEqual(found);
    }),
  );

  it('that comes at the same moment voids both, whichever was first', () =>
    bench(async ({ pairings }) => {
      pairings.open('tasks', NOW);
      const both = ['key-1', 'key-2'].map((key) => pairings.capture('tasks', key, from(NOW)));
      expect((await Promise.all(both)).toSorted()).toEqual(['conflict', 'kept']);
      expect(pairings.take('tasks', NOW)).toMatchObject({ secret: null, pairing: { state: 'void' } });
    }));

  it('is forgiven by opening the window anew', () =>
    bench(async ({ pairings }) => {
      pairings.open('tasks', NOW);
      for (const key of ['key-1', 'key-2']) await pairings.capture('tasks', key, from(NOW));
      expect(pairings.open('tasks', NOW)).toMatchObject({ state: 'open' });
      expect(await pairings.capture('tasks', 'key-2', from(NOW))).toBe('kept');
      expect(pairings.take('tasks', NOW).secret).toBe('key-2');
    }));
});

describe('the key that comes in', () => {
  it('is shown once, and gone; who offered it is seen until the window ends', () =>
    bench(async ({ pairings, kept }) => {
      pairings.open('tasks', NOW);
      expect(await pairings.capture('tasks', 'key-1', from(NOW + 1))).toBe('kept');
      const found = { expiresAt: NOW + 1 + PAIRING_MS, offers: [from(NOW + 1)] };
      const { secret, pairing } = pairings.take('tasks', NOW + 2);
      expect({ secret, pairing }).toEqual({ secret: 'key-1', pairing: { state: 'taken', ...found } });
      expect(pairings.take('tasks', NOW + 2)).toEqual({ secret: null, pairing });
      expect(kept()).not.toContain('key-1');
    }));

  it('is looked at as often as one likes, and nothing changes', () =>
    bench(async ({ pairings, kept }) => {
      pairings.open('tasks', NOW);
      await pairings.capture('tasks', 'key-1', from(NOW));
      const before = kept();
      for (const at of [NOW, NOW + 1, NOW + 10 * PAIRING_MS]) pairings.look('tasks', at);
      expect(pairings.look('tasks', NOW)).toEqual({
        state: 'captured',
        expiresAt: NOW + PAIRING_MS,
        offers: [from(NOW)],
      });
      expect(kept()).toBe(before);
    }));

  it('may come again until the window ends: the answer to it may have been lost', () =>
    bench(async ({ pairings }) => {
      pairings.open('tasks', NOW);
      expect(await pairings.capture('tasks', 'key-1', from(NOW))).toBe('kept');
      expect(await pairings.capture('tasks', 'key-1', from(NOW + 1))).toBe('known');
      expect(pairings.take('tasks', NOW + 2).secret).toBe('key-1');
      expect(await pairings.capture('tasks', 'key-1', from(NOW + 3))).toBe('known');
      expect(await pairings.capture('tasks', 'key-1', from(NOW + PAIRING_MS))).toBe('closed');
    }));

  it('waits ten minutes from when it came, and is deleted at the next touch of any source', () =>
    bench(async ({ pairings, kept }) => {
      const late = NOW + PAIRING_MS - 1;
      pairings.open('tasks', NOW);
      await pairings.capture('tasks', 'key-1', from(late));
      pairings.open('pages', late + PAIRING_MS - 1);
      expect(kept()).toContain('key-1');
      expect(await pairings.capture('other', 'key-2', from(late + PAIRING_MS))).toBe('closed');
      expect(kept()).not.toContain('key-1');
    }));

  it.each<[string, (pairings: Pairings) => unknown]>([
    ['closing', (pairings) => pairings.close('tasks')],
    ['opening anew', (pairings) => pairings.open('tasks', NOW + 1)],
  ])('is dropped by %s', (_, act) =>
    bench(async ({ pairings, kept }) => {
      pairings.open('tasks', NOW);
      await pairings.capture('tasks', 'key-1', from(NOW));
      act(pairings);
      expect(kept()).not.toContain('key-1');
    }),
  );
});

it('a key that nobody asked for any more is gone when the registry wakes', () =>
  runInDurableObject(env.REGISTRY.getByName(crypto.randomUUID()), async (_, state) => {
    const registry = new Registry(state, envWith());
    registry.openPairing('tasks', NOW - 365 * 86_400_000);
    expect(await registry.capturePairing('tasks', 'key-1', from(NOW - 365 * 86_400_000))).toBe('kept');
    const woken = new Registry(state, envWith());
    expect(state.storage.sql.exec('SELECT * FROM pairing_windows').toArray()).toEqual([]);
    expect(woken.lookAtPairing('tasks', NOW)).toEqual({ state: 'closed' });
  }));
