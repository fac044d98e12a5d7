import { env } from 'cloudflare:workers';
import { createExecutionContext } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { app } from '../src/app.ts';
import { problemOf } from './ingest/support.ts';
import { envWith } from './platform/env.ts';

const ask = (path: string, init: RequestInit = {}, bindings = env): Promise<Response> =>
  Promise.resolve(
    app.fetch(new Request(`https://relay.example${path}`, init), bindings, createExecutionContext()),
  );

const outOfReach = (what: string) => () => Promise.reject(new Error(`${what} is out of reach`));

/** Neither KV nor the registry can be read. KV of its own, so that nothing read before is remembered for it. */
const unreadable = () =>
  envWith({
    CONFIG: { get: outOfReach('KV') },
    REGISTRY: { getByName: () => ({ published: outOfReach('the registry') }) },
  });

afterEach(() => vi.restoreAllMocks());

describe('the route table', () => {
  it('says that it is well to anybody, and nothing else', async () => {
    const response = await ask('/health');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  });

  it.each(['/', '/hooks', '/hooks/', '/hooks/a/b/c', '/health/x', '/admin'])(
    'there is nothing at %s, and the answer says where webhooks go',
    async (path) => {
      const response = await ask(path, { method: 'POST' });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      const { type, detail } = await problemOf(response);
      expect(type).toBe('urn:hookbell:problem:not-found');
      expect(detail).toContain('/hooks/{source}');
    },
  );

  it.each(['/s3cret', '/hooks/s3cret', '/hooks/none/s3cret', '/hooks/a/b/s3cret'])(
    'does not repeat %s, since a token may stand in it',
    async (path) => {
      const response = await ask(path, { method: 'POST' });
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain('s3cret');
    },
  );

  it.each(['/hooks/none', '/hooks/none/token'])('%s is a webhook’s address', async (path) => {
    const response = await ask(path, { method: 'POST' });
    expect(await problemOf(response)).toMatchObject({ type: 'urn:hookbell:problem:unknown-source' });
  });

  it.each(['/a', '/a/', '/A', '/A/', `/A/${'0'.repeat(24)}`])(
    '%s is a link that does not work, and a page says so',
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('<h1>This link does not work</h1>');
    },
  );

  it('a broken percent-encoding is an unknown source, not an error', async () => {
    expect((await ask('/hooks/%E0%A4%A', { method: 'POST' })).status).toBe(404);
  });
});

describe('a fault of the platform', () => {
  it('is 503 with Retry-After, so that the sender comes again, and says nothing of its cause', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const response = await ask('/hooks/shop', { method: 'POST' }, unreadable());
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    const problem = await problemOf(response);
    expect(problem.type).toBe('urn:hookbell:problem:unavailable');
    expect(JSON.stringify(problem)).not.toContain('KV');
  });

  it('is logged with its cause, and without the token of the path', async () => {
    const write = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await ask('/hooks/shop/s3cret-token', { method: 'POST' }, unreadable());
    const lines = write.mock.calls.flat().join('');
    expect(lines).toContain('"path":"/hooks/shop"');
    expect(lines).toContain('KV is out of reach');
    expect(lines).toContain('the registry is out of reach');
    expect(lines).not.toContain('s3cret-token');
  });
});
