import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { admin, hookbell, json } from '../support.ts';

describe('providers', () => {
  it.each([[], ['stripe'], ['bitbucket']])(
    'needs no relay and no token, and prints what the API does: %s',
    async (...id) => {
      const env = { HOOKBELL_URL: 'http://localhost:9', HOOKBELL_TOKEN: '' };
      const own = await json(['providers', ...id], z.unknown(), { env });
      expect(own).toEqual(await admin('GET', ['/providers', ...id].join('/')));
      expect((await hookbell(['providers', ...id], { env })).code).toBe(0);
    },
  );

  it('lists them, and shows how one is set up', async () => {
    const { stdout } = await hookbell(['providers']);
    expect(stdout).toMatch(/^stripe +Stripe +payments +yes$/m);
    const one = await hookbell(['providers', 'stripe'], { columns: 80 });
    expect(one.stdout).toContain('1. In the Stripe Dashboard open Developers → Webhooks');
    expect(Math.max(...one.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(await json(['providers', 'stripe'], z.object({ id: z.string() }))).toEqual({ id: 'stripe' });
    expect(
      (await json(['providers'], z.object({ items: z.array(z.unknown()) }))).items.length,
    ).toBeGreaterThan(50);
  });

  it('suggests the one that was meant', async () => {
    const { code, stderr } = await hookbell(['providers', 'strpe']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'hookbell: there is no provider `strpe`; did you mean `stripe`?\n',
    });
  });
});

describe('providers check', () => {
  const shape = z.object({
    items: z.array(
      z.object({
        provider: z.string(),
        locale: z.string(),
        samples: z.array(
          z.object({ complaints: z.array(z.string()), messages: z.array(z.object({ text: z.string() })) }),
        ),
      }),
    ),
  });

  it('shows what a starter puts on phones, in each language', async () => {
    const { code, stdout } = await hookbell(['providers', 'check', 'stripe']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^=== stripe, en-GB\n\n--- checkout.session.completed\n> shop-owners \(paid\)\n/);
    expect(stdout).toContain('=== stripe, de-DE');
  });

  it('takes a locale, and any number of providers', async () => {
    const { items } = await json(['providers', 'check', 'square', 'stripe', '--locale', 'de-at'], shape);
    expect(items.map(({ provider, locale }) => `${provider} ${locale}`)).toEqual([
      'stripe de-AT',
      'square de-AT',
    ]);
    expect(items.flatMap(({ samples }) => samples.flatMap(({ complaints }) => complaints))).toEqual([]);
  });

  it.each([
    [['strpe'], 'there is no provider `strpe`; did you mean `stripe`?'],
    [['stripe', '--locale', 'german'], '--locale: `german` is not a language such as de-DE'],
  ])('says what is wrong with %j', async (args, why) => {
    const { code, stderr } = await hookbell(['providers', 'check', ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `hookbell: ${why}\n` });
  });
});
