import { env } from 'cloudflare:workers';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { app } from '../../src/app.ts';
import { envWith, kvWith } from '../platform/env.ts';
import { admin, publish, type MessageJson } from './relay.ts';

const outOfReach = () => Promise.reject(new Error('out of reach'));

/** A cold isolate that cannot read KV. */
const cut = (changes: object = {}) =>
  envWith({ CONFIG: kvWith({ get: outOfReach }), OUTBOX: env.OUTBOX, REGISTRY: env.REGISTRY, ...changes });

async function post(n: number, bound: typeof env): Promise<Response> {
  const ctx = createExecutionContext();
  const request = new Request('https://relay.example/hooks/shop', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ n }),
  });
  const response = await app.fetch(request, bound, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

const numbers = async () => {
  const { body } = await admin<{ items: readonly MessageJson[] }>('GET', '/messages?limit=100');
  return body.items.map(({ params }) => Number(params['message'])).toSorted((a, b) => a - b);
};

describe('a cold isolate while KV is out of reach', () => {
  beforeAll(() =>
    publish({
      sources: {
        shop: {
          verify: { scheme: 'none' },
          routes: [
            {
              name: 'all',
              to: '4915112345678',
              delay: '1d',
              send: { kind: 'text', message: '{{ payload.n }}' },
            },
          ],
        },
      },
      templates: {},
      recipients: {},
    }),
  );
  beforeEach(() => {
    for (const level of ['warn', 'error'] as const)
      vi.spyOn(console, level).mockImplementation(() => undefined);
  });
  afterEach(() => vi.restoreAllMocks());

  it('takes webhooks by what the registry has', async () => {
    const bound = cut();
    const answers = await Promise.all([1, 2, 3].map((n) => post(n, bound)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(await numbers()).toEqual([1, 2, 3]);
  });

  it('and the registry asks the sender to come again; then nothing is lost', async () => {
    const answer = await post(4, cut({ REGISTRY: { getByName: () => ({ published: outOfReach }) } }));
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await numbers()).toEqual([1, 2, 3]);
    expect((await post(4, cut())).status).toBe(202);
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });
});
