import { describe, expect, it } from 'vitest';
import { providers } from '../../../src/provider/catalog/catalog.ts';
import { problemIn } from '../../integration/problems.ts';
import { samplesOf, starterOf } from '../../conformance/starters.ts';
import { raw } from '../support.ts';

describe('GET /providers', () => {
  it('lists every provider with what tells it from others', async () => {
    const { items } = await (
      await raw('GET', '/providers')
    ).json<{ items: { id: string; signs: boolean }[] }>();
    expect(items.map(({ id }) => id)).toEqual([...providers.keys()]);
    expect(items.find(({ id }) => id === 'stripe')).toEqual({
      id: 'stripe',
      name: 'Stripe',
      category: 'payments',
      signs: true,
    });
  });
});

describe('GET /providers/{id}', () => {
  it.each([...providers])('%s gives its facts, and all that one begins with', async (id, provider) => {
    const body = await (await raw('GET', `/providers/${id}`)).json<Record<string, unknown>>();
    const { setup, confidence, routes } = starterOf(provider);
    expect(body).toMatchObject({ id, name: provider.name, setup, confidence, routes });
    expect(body['samples']).toEqual(samplesOf(provider));
  });

  it('shows patterns of hosts as text', async () => {
    const body = await (await raw('GET', '/providers/aws-sns')).text();
    expect(body).toContain('amazonaws');
  });

  it.each(['nope', 'constructor', '..%2Fproviders%2Fstripe', 'stripe.json'])('%s is 404', async (id) => {
    await problemIn(await raw('GET', `/providers/${id}`), 404, 'not-found');
  });
});
