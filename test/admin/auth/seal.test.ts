import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sealOf } from '../../../src/admin/auth/seal.ts';
import { incidentId } from '../../../src/outbox/incidents/incident-id.ts';
import { envWith } from '../../platform/env.ts';
import { forged, LETTERS } from './forged.ts';

const env = envWith({ ADMIN_TOKEN: 'a-secret-of-the-deployment' });
const ID = incidentId({ source: 'alerts', route: 'on-call', key: '+4915112345678 Erika Mustermann' });

describe('a sealed text', () => {
  it('is opened again, is always the same, and shows nothing of the text', async () => {
    const { seal, open } = await sealOf(env, 'incident');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (given) => {
        const text = given.toWellFormed();
        const sealed = await seal(text);
        expect(sealed).toMatch(/^[\w-]+$/);
        expect(await open(sealed)).toBe(text);
        expect(await (await sealOf(env, 'incident')).seal(text)).toBe(sealed);
      }),
      { numRuns: 30 },
    );
    expect(await seal('4915112345678')).not.toBe(await seal('4915112345679'));
  });

  it('opens in its one spelling: with another bit, cut, longer or put together anew it is not known', async () => {
    const { seal, open } = await sealOf(env, 'incident');
    const sealed = await seal(ID);
    const other = await seal(incidentId({ source: 'alerts', route: 'on-call', key: 'disk' }));
    for (const text of forged(sealed, other)) expect([text, await open(text)]).toEqual([text, null]);
    expect(await open(sealed)).toBe(ID);
  });

  it('of two that differ in one letter has nothing in common, so that none says what another begins with', async () => {
    const { seal } = await sealOf(env, 'incident');
    const start = 'x'.repeat(40);
    const [one, two] = await Promise.all([seal(`${start}1`), seal(`${start}2`)]);
    const same = one.split('').filter((letter, at) => letter === two[at]).length;
    expect(same).toBeLessThan(one.length / 4);
  });

  it('is as long as others of about its length', async () => {
    const { seal } = await sealOf(env, 'incident');
    const lengths = [0, 1, 17, 40, 63, 64].map(async (n) => (await seal('x'.repeat(n + 1))).length);
    const [first, ...rest] = await Promise.all(lengths);
    expect(rest).toEqual([first, first, first, first, expect.any(Number)]);
    expect(rest.at(-1)).not.toBe(first);
  });

  it('is for one use: an id is no cursor, and no cursor an id', async () => {
    const [ids, cursors] = await Promise.all([sealOf(env, 'incident'), sealOf(env, 'cursor')]);
    expect(await cursors.open(await ids.seal(ID))).toBeNull();
    expect(await ids.open(await cursors.seal(ID))).toBeNull();
  });

  it('cannot be made up, nor opened by another deployment', async () => {
    const { seal, open } = await sealOf(env, 'incident');
    const made = ['', 'x', 'abc', 'YWxlcnRz', '00', 'f'.repeat(31), 'A'.repeat(22), LETTERS, 'é', 'a b'];
    for (const text of made) expect(await open(text)).toBeNull();
    const other = await sealOf(envWith({ ADMIN_TOKEN: 'another-secret-of-another' }), 'incident');
    expect(await other.open(await seal('a text'))).toBeNull();
  });
});
