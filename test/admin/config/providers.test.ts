import { expect, it } from 'vitest';
import { providers } from '../../platform/providers.ts';
import { problemIn } from '../../integration/problems.ts';
import { samplesOf, starterOf, starters, tables } from '../../conformance/starters.ts';
import { withTexts } from '../../../src/config/starter-texts.ts';
import { admin, listOf } from '../../integration/relay.ts';
import { raw } from '../support.ts';

/** A starter with its texts; what it asks is still open. */
function wordedIn(id: string, language: string) {
  const starter = starters.get(id);
  const texts = tables.get(id)?.get(language);
  if (starter === undefined || texts === undefined) throw new Error(`${id} has no texts in ${language}`);
  return withTexts(starter, texts);
}

it('GET /providers lists every provider with what distinguishes it from others', async () => {
  const items = await listOf<{ id: string }>('/providers');
  expect(items.map(({ id }) => id)).toEqual([...providers.keys()]);
  expect(items).toContainEqual({ id: 'stripe', name: 'Stripe', category: 'payments', signs: true });
});

it('GET /providers/{id} gives the facts of each, and all that one begins with, in the language of a locale', async () => {
  for (const [id, provider] of providers) {
    const { body } = await admin('GET', `/providers/${id}`);
    const { setup, confidence } = starterOf(provider);
    const { routes } = wordedIn(id, 'en');
    const facts = { id, name: provider.name, setup, confidence, samples: samplesOf(provider) };
    expect(body).toMatchObject({ ...facts, routes, language: 'en' });
    const german = await admin('GET', `/providers/${id}?locale=de-AT`);
    const language = tables.get(id)?.has('de') ? 'de' : 'en';
    const texts = wordedIn(id, language);
    expect(german.body).toMatchObject({ language, routes: texts.routes });
    if (texts.templates !== undefined) expect(german.body).toMatchObject({ templates: texts.templates });
  }
  // A language that has no texts gets the English ones.
  const { body } = await admin('GET', '/providers/stripe?locale=fr-FR');
  expect(body).toMatchObject({ language: 'en', routes: wordedIn('stripe', 'en').routes });
});

it('GET /providers/{id} says what is no locale', async () => {
  await problemIn(await raw('GET', '/providers/stripe?locale=german'), 422, 'invalid');
  await problemIn(await raw('GET', '/providers/stripe?language=de'), 422, 'invalid');
});

it('GET /providers/{id} shows patterns of hosts as text', async () => {
  const body = await (await raw('GET', '/providers/aws-sns')).text();
  expect(body).toContain('amazonaws');
});

it('GET /providers/{id} is 404 of what is none', async () => {
  for (const id of ['nope', 'constructor', '..%2Fproviders%2Fstripe', 'stripe.json'])
    await problemIn(await raw('GET', `/providers/${id}`), 404, 'not-found');
});
