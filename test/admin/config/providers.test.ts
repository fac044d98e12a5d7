import { expect, it } from 'vitest';
import { providers } from '../../platform/providers.ts';
import { problemIn } from '../../integration/problems.ts';
import { samplesOf, starterOf, starters, tables } from '../../conformance/starters.ts';
import { withTexts } from '../../../src/config/documents/starter-texts.ts';
import { admin, listOf, post } from '../../integration/relay.ts';
import { GHOST, WRONG } from '../../config/ghost.ts';
import { containing } from '../../config/support.ts';
import { raw, refusal } from '../support.ts';

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
  expect(items).toContainEqual(
    expect.objectContaining({ id: 'stripe', name: 'Stripe', category: 'payments', signs: true }),
  );
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

it('a file of the configuration is a provider beside the others, wins over one of its name, and is taken back', async () => {
  const stripe = { ...GHOST, name: 'My Stripe' };
  const { body } = await admin('POST', '/config', { providers: { gazette: GHOST, stripe } });
  expect(body).toMatchObject({ warnings: [{ path: 'providers.stripe', message: containing('ships') }] });
  const [first, second, ...others] = await listOf<{ id: string; name: string }>('/providers');
  expect([first, second]).toMatchObject([
    { id: 'gazette', name: 'Ghost', own: true, signs: true },
    { id: 'stripe', name: 'My Stripe', own: true },
  ]);
  expect(others.map(({ id }) => id)).toEqual([...providers.keys()].filter((id) => id !== 'stripe'));
  const one = await admin('GET', '/providers/gazette?locale=de-DE');
  expect(one.body).toMatchObject({
    id: 'gazette',
    setup: '1. Add a webhook with the address of the source.',
  });
  expect(one.body).toMatchObject({ samples: [{ name: 'published' }], document: GHOST, language: 'en' });
  expect((await admin('DELETE', '/providers/gazette')).status).toBe(200);
  expect((await admin('GET', '/providers/gazette')).status).toBe(404);
  expect((await admin('PUT', '/providers/gazette', GHOST)).status).toBe(200);
  await admin('PUT', '/sources/blog', { provider: 'gazette', secrets: ['HOOK_SECRET'] });
  expect((await admin('DELETE', '/providers/gazette')).status).toBe(409);
});

const version = async (set: object): Promise<number> =>
  (await admin<{ version: number }>('POST', '/config', set)).body.version;

it('after a rollback, a source is verified by the provider of that version, and by none where it has none', async () => {
  const { headers, body } = GHOST.samples.published;
  const source = { secrets: ['HOOK_SECRET'], provider: 'gazette' };
  const hashed = { ...GHOST, verify: { scheme: 'token', in: 'header', name: 'X-Token' } };
  const samples = { published: { headers, body } };
  const token = await version({ providers: { gazette: { ...hashed, samples } }, sources: { blog: source } });
  await version({ sources: { blog: { ...source, provider: 'stripe' } } });
  const status = async () => (await post('blog', JSON.stringify(body), { 'x-token': 'hook-secret' })).status;
  expect(await status()).toBe(401);
  expect((await admin('POST', `/config/versions/${token}/activate`)).status).toBe(200);
  expect(await status()).toBe(202);
});

it('a publish says what is wrong with a file, or with a source that says what a provider can', async () => {
  for (const [set, path, message] of WRONG)
    expect(await refusal('POST', '/config', set)).toEqual([
      expect.toSatisfy((error: string) => error.startsWith(`${path}: `) && error.includes(message)),
    ]);
});
