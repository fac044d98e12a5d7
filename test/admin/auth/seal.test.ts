import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sealOf } from '../../../src/admin/auth/seal.ts';
import { bindings } from '../../config/support.ts';

const env = bindings({ ADMIN_TOKEN: 'a-secret-of-the-deployment' });

describe('a sealed text', () => {
  it('is opened again, is always the same, and shows nothing of the text', async () => {
    const { seal, open } = await sealOf(env);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (given) => {
        const text = given.toWellFormed();
        const sealed = await seal(text);
        expect(sealed).toMatch(/^[0-9a-f]+$/);
        expect(await open(sealed)).toBe(text);
        expect(await (await sealOf(env)).seal(text)).toBe(sealed);
      }),
      { numRuns: 30 },
    );
    expect(await seal('4915112345678')).not.toBe(await seal('4915112345679'));
  });

  it('cannot be made up, nor opened by another deployment', async () => {
    const { seal, open } = await sealOf(env);
    for (const text of ['', 'x', 'abc', 'inc_YWxlcnRz', '00', 'f'.repeat(31)])
      expect(await open(text)).toBeNull();
    const other = await sealOf(bindings({ ADMIN_TOKEN: 'another-secret-of-another' }));
    expect(await other.open(await seal('a text'))).not.toBe('a text');
  });
});
