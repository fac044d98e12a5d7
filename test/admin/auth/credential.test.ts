import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCredential, writeCredential, type Credential } from '../../../src/admin/auth/credential.ts';
import type { Token } from '../../../src/admin/auth/tokens.ts';

const NOW = 1_000_000;
const EDITOR: Token = { role: 'editor', actor: 'token', token: 'token-of-the-editors' };
const VIEWER: Token = { role: 'viewer', actor: 'viewer', token: 'token-of-the-viewers' };
const ALL = [EDITOR, VIEWER];
const ONE: Credential = { id: 'ses_1', expiresAt: NOW + 1, token: EDITOR };

describe('a credential', () => {
  it('is read as it was written, by any token of its role', async () => {
    const next = { ...EDITOR, token: 'next-token-of-the-editors' };
    for (const token of [...ALL, next]) {
      const written = { ...ONE, token };
      const text = await writeCredential('session', written);
      expect(await readCredential('session', text, [...ALL, next], NOW)).toEqual(written);
    }
  });

  it('ends when it expires', async () => {
    const text = await writeCredential('session', ONE);
    expect(await readCredential('session', text, ALL, NOW + 1)).toBeNull();
  });

  it('ends when its token is replaced', async () => {
    const text = await writeCredential('session', ONE);
    expect(await readCredential('session', text, [{ ...EDITOR, token: 'other' }, VIEWER], NOW)).toBeNull();
    expect(await readCredential('session', text, [], NOW)).toBeNull();
  });

  it('of one kind is not one of the other', async () => {
    expect(await readCredential('session', await writeCredential('code', ONE), ALL, NOW)).toBeNull();
    expect(await readCredential('code', await writeCredential('session', ONE), ALL, NOW)).toBeNull();
  });

  it('of a lower role’s token is none of a higher one', async () => {
    const forged = await writeCredential('session', { ...ONE, token: { ...VIEWER, role: 'editor' } });
    expect(await readCredential('session', forged, ALL, NOW)).toBeNull();
  });

  it('with any change is none', async () => {
    const text = await writeCredential('session', ONE);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: text.length - 1 }),
        fc.string({ maxLength: 3 }),
        fc.nat({ max: 3 }),
        async (at, put, cut) => {
          const changed = text.slice(0, at) + put + text.slice(at + cut);
          fc.pre(changed !== text);
          expect(await readCredential('session', changed, ALL, NOW)).toBeNull();
        },
      ),
    );
  });

  it('is nothing else that a cookie may hold', async () => {
    for (const text of ['', '.', '...', 'editor', 'editor.ses_1.Infinity.', `editor.ses_1.${NOW + 1}e0.x`])
      expect(await readCredential('session', text, ALL, NOW)).toBeNull();
  });
});
