import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchToken } from '../../../src/signature/basics/match-token.ts';

describe('matchToken', () => {
  it('finds any secret of a list, and the first of equal ones', async () => {
    const lists = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(), async (secrets, pick) => {
        const given = secrets[pick % secrets.length] ?? '';
        expect(await matchToken(given, secrets, 'it')).toEqual({ ok: true, value: secrets.indexOf(given) });
      }),
    );
  });

  it('refuses everything else, and matches nothing when there is no secret', async () => {
    const error = { reason: 'mismatch', detail: 'it is none of the 2 accepted' };
    expect(await matchToken('c', ['a', 'b'], 'it')).toEqual({ ok: false, error });
    expect(await matchToken('c', ['a'], 'it')).toMatchObject({
      error: { detail: 'it is not the one accepted' },
    });
    expect(await matchToken('', [], 'it')).toMatchObject({ ok: false });
  });
});
