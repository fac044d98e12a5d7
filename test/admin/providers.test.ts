import { describe, expect, it } from 'vitest';
import { providers } from '../../src/provider/catalog.ts';
import { admin } from '../integration/relay.ts';
import type { PageJson } from './support.ts';

describe('/providers', () => {
  it('lists all of them, and whether each signs', async () => {
    const { body } = await admin<PageJson<{ id: string; signs: boolean }>>('GET', '/providers');
    expect(body.items.map(({ id }) => id)).toEqual([...providers.keys()]);
    expect(body.items.find(({ id }) => id === 'stripe')).toMatchObject({ signs: true });
    expect(body.items.find(({ id }) => id === 'alertmanager')).toMatchObject({ signs: false });
    expect(body.next_cursor).toBeNull();
  });

  it('shows one with its samples and starter routes', async () => {
    const { status, body } = await admin<{ samples: unknown[]; routes: unknown[] }>(
      'GET',
      '/providers/stripe',
    );
    expect(status).toBe(200);
    expect(body.samples.length).toBeGreaterThan(0);
    expect(body.routes.length).toBeGreaterThan(0);
  });

  it.each(['nothing', 'constructor', '__proto__'])('has no %s: 404', async (id) => {
    expect((await admin('GET', `/providers/${id}`)).status).toBe(404);
  });

  it('refuses parameters that it does not know', async () => {
    expect((await admin('GET', '/providers?category=payments')).status).toBe(422);
  });
});
