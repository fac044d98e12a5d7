import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { admin, event, post, postJson, publish } from './relay.ts';

const PHONE = '491713920031';
const ORIGIN = 'https://hook.example';
const JSON_TYPE = { 'content-type': 'application/json' };

const text = (message: string) => ({ kind: 'text', message });

beforeAll(() =>
  publish({
    sources: {
      signed: {
        verify: { scheme: 'token', in: 'header', name: 'X-Word' },
        secrets: ['HOOK_SECRET'],
        routes: [],
      },
      long: {
        verify: { scheme: 'none' },
        routes: [
          {
            name: 'split',
            each: 'payload.parts',
            to: PHONE,
            overflow: 'split',
            send: text('{{ item }}'),
          },
        ],
      },
    },
  }),
);

const signIn = (body: string): Promise<Response> =>
  exports.default.fetch(`${ORIGIN}/admin/api/v1/session`, {
    method: 'POST',
    headers: { ...JSON_TYPE, origin: ORIGIN },
    body,
  });

describe('what a stranger sends', () => {
  it('is cut before it is looked at: a user agent of 30,000 backslashes', async () => {
    const agent = '\\'.repeat(30_000);
    const answer = await post('signed', '{}', { ...JSON_TYPE, 'user-agent': agent });
    expect(answer.status).toBe(401);
    const { body } = await admin<{ items: { detail: string }[] }>('GET', '/rejections?limit=1');
    expect(body.items[0]?.detail.length).toBeLessThan(1_000);
  });

  it('may have 8 KiB where nobody is signed in', async () => {
    const keys = Array.from({ length: 2_000 }, (_, n) => `"${'\\\\'.repeat(8)}${n}":0`).join();
    const refused = await signIn(`{${keys}}`);
    expect(refused.status).toBe(413);
    expect(await refused.text()).toContain('8192 bytes');
  });

  it('is answered with fifty errors at most', async () => {
    const keys = Array.from({ length: 500 }, (_, n) => `"k${n}":0`).join();
    const refused = await signIn(`{${keys}}`);
    expect(refused.status).toBe(422);
    const { errors } = await refused.json<{ errors: unknown[] }>();
    expect(errors.length).toBeLessThanOrEqual(50);
    expect(errors).toContainEqual({ path: '', message: 'and 460 more unknown keys' });
  });

  it('that an editor sends is answered in 64 KiB as well', async () => {
    const keys = Array.from({ length: 100_000 }, (_, n) => `"key number ${n}":0`).join();
    const refused = await exports.default.fetch(`${ORIGIN}/admin/api/v1/config`, {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: 'Bearer admin-token-of-the-tests' },
      body: `{${keys}}`,
    });
    expect(refused.status).toBe(422);
    expect((await refused.arrayBuffer()).byteLength).toBeLessThanOrEqual(65_536);
  });

  it('is split only as far as a route may work: the event says why the rest fails', async () => {
    const part = '\u0600 '.repeat(30_000);
    const answer = await postJson('long', { parts: Array.from({ length: 8 }, () => part) });
    expect(answer.status).toBe(202);
    const { event: id } = await answer.json<{ event: string }>();
    const stored = await event(id);
    expect(stored.reason).toContain('overflow: split');
  });
});
