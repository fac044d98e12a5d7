import { env } from 'cloudflare:workers';
import { listDurableObjectIds } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { admin, publish } from '../integration/relay.ts';

interface Status {
  readonly account: string;
  readonly paused: { by: string; reason: string; since: string } | null;
}

const call = (method: string, path: string) =>
  admin<Status & { detail: string }>(method, `/accounts/${path}`);

describe('an account', () => {
  beforeAll(() => publish({ accounts: { default: { rate: false } } }));

  it('shows how it stands, under its own name', async () => {
    const { status, body } = await call('GET', 'default/status');
    expect(status).toBe(200);
    expect(body).toMatchObject({ account: 'default', queued: 0, paused: null, circuit: { state: 'closed' } });
  });

  it('shows how each of them stands at once', async () => {
    const { status, body } = await admin<{ items: readonly Status[]; next_cursor: null }>('GET', '/status');
    expect(status).toBe(200);
    expect(body).toMatchObject({ items: [{ account: 'default', paused: null }], next_cursor: null });
  });

  it('is paused by a person, and shows who and since when; a resume ends it', async () => {
    const { body } = await call('POST', 'default/pause');
    expect(body.paused).toMatchObject({ by: 'token', reason: 'paused through the admin API' });
    expect(Date.parse(body.paused?.since ?? '')).not.toBeNaN();
    expect((await env.OUTBOX.getByName('default').status()).paused).not.toBeNull();
    expect((await call('POST', 'default/resume')).body.paused).toBeNull();
    expect((await call('POST', 'default/resume')).status).toBe(200);
  });

  it.each(['GET nobody/status', 'POST nobody/pause', 'POST nobody/resume'])(
    'that is not in the configuration is 404, and gets no object: %s',
    async (request) => {
      const before = await listDurableObjectIds(env.OUTBOX);
      const [method = '', path = ''] = request.split(' ');
      expect((await call(method, path)).status).toBe(404);
      expect(await listDurableObjectIds(env.OUTBOX)).toHaveLength(before.length);
    },
  );
});
