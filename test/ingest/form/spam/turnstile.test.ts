import { describe, expect, it } from 'vitest';
import { askTurnstile } from '../../../../src/ingest/form/spam/turnstile.ts';
import { Siteverify, tokenOf, type Says } from './siteverify.ts';

const secret = 'turnstile-secret-of-the-tests';

const ask = (api: Siteverify, token: string, form = 'name=Ada', timeout?: number) =>
  askTurnstile({ secret, token, form }, { fetch: api.fetch, ...(timeout !== undefined && { timeout }) });

const never: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
  );

const odd: typeof fetch = () =>
  Promise.resolve(Response.json({ success: false, 'error-codes': ['<b>secret</b>'] }));

describe('Turnstile', () => {
  it('vouches for a visitor', async () => {
    expect(await ask(new Siteverify(), tokenOf(1))).toEqual({ ok: true, value: undefined });
  });

  it('takes the same form twice, as by a double click, and no other form with the same answer', async () => {
    const api = new Siteverify();
    expect((await ask(api, tokenOf(1))).ok).toBe(true);
    expect((await ask(api, tokenOf(1))).ok).toBe(true);
    expect(await ask(api, tokenOf(1), 'name=Eve')).toMatchObject({
      error: { by: 'visitor', why: 'its API says timeout-or-duplicate' },
    });
  });

  it('does not vouch for what is made up', async () => {
    expect(await ask(new Siteverify(), 'wrong')).toMatchObject({ error: { by: 'visitor' } });
  });

  it('is not asked about a form without an answer of its widget, or a far too long one', async () => {
    const api = new Siteverify();
    for (const token of ['', tokenOf(1).repeat(1_000)])
      expect(await ask(api, token)).toMatchObject({ error: { by: 'visitor' } });
    expect(api.calls).toBe(0);
  });

  it.each<[Says, string]>([
    ['down', 'could not be reached'],
    ['page', 'gave an unexpected answer'],
    ['secret', 'invalid-input-secret'],
  ])('vouches for nobody when it answers with %s, which is not the visitor’s fault', async (says, why) => {
    const api = new Siteverify();
    api.says = says;
    const asked = await ask(api, tokenOf(1));
    expect(asked).toMatchObject({ ok: false, error: { by: 'us' } });
    expect(JSON.stringify(asked)).toContain(why);
  });

  it('is not waited for longer than a moment', async () => {
    const asked = await askTurnstile({ secret, token: tokenOf(1), form: '' }, { fetch: never, timeout: 5 });
    expect(asked).toMatchObject({ ok: false, error: { by: 'us' } });
  });

  it('shows nothing of an answer that is not of its words', async () => {
    const asked = await askTurnstile({ secret, token: tokenOf(1), form: '' }, { fetch: odd });
    expect(JSON.stringify(asked)).not.toContain('secret');
  });
});
