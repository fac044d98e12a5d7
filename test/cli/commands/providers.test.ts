import { expect, it } from 'vitest';
import { z } from 'zod';
import { GHOST } from '../../config/ghost.ts';
import { expectRefused, folderWith, json, shown, widest } from '../offline.ts';

it('providers lists them, and shows how one is set up, without a relay and a token', async () => {
  const env = { HOOKBELL_TOKEN: '' };
  expect(await shown('providers', { env })).toMatch(/^stripe +Stripe +payments +yes$/m);
  const one = await shown('providers stripe', { env, columns: 80 });
  expect(one).toContain('1. In the Stripe Dashboard open Developers → Webhooks');
  expect(widest(one)).toBeLessThanOrEqual(80);
  expect(await json('providers stripe', z.object({ id: z.string() }), { env })).toEqual({ id: 'stripe' });
  const { items } = await json('providers', z.object({ items: z.array(z.unknown()) }), { env });
  expect(items.length).toBeGreaterThan(50);
});

it("a folder's own file goes before the provider that is shipped, by its id and by its path", async () => {
  const cwd = folderWith({
    'hookbell/providers/ghost.yaml': JSON.stringify({ ...GHOST, name: 'Our Ghost' }),
  });
  for (const id of ['ghost', './hookbell/providers/ghost.yaml']) {
    expect(await shown(['providers', id], { cwd })).toContain('Our Ghost');
    expect(await shown(['providers', 'check', id], { cwd })).toContain('Our Ghost: post.published');
  }
});

it('providers check takes a locale, and any number of providers', async () => {
  const sample = z.object({ complaints: z.array(z.string()) });
  const item = z.object({ provider: z.string(), locale: z.string(), samples: z.array(sample) });
  const { items } = await json(
    'providers check square stripe --locale de-at',
    z.object({ items: z.array(item) }),
  );
  expect(items.map(({ provider, locale }) => `${provider} ${locale}`)).toEqual([
    'stripe de-AT',
    'square de-AT',
  ]);
  expect(items.flatMap(({ samples }) => samples.flatMap(({ complaints }) => complaints))).toEqual([]);
});

it('providers suggests the one that was meant', () =>
  expectRefused([
    ['providers strpe', 2, /^hookbell: there is no provider `strpe`; did you mean `stripe`\?\n$/],
    ['providers check strpe', 2, 'there is no provider `strpe`; did you mean `stripe`?'],
    ['providers check stripe --locale german', 2, '--locale: `german` is not a language such as de-DE'],
  ]));
