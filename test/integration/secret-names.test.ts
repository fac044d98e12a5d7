import { env, exports } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { CURRENT_KEY, type Published } from '../../src/config/load.ts';
import { eventually, OWNER_URL, reported, watchOutside } from './outside.ts';
import { admin, config, UNPACED } from './relay.ts';

interface Refusal {
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

const signed = (secret: string) => ({
  verify: { scheme: 'token', in: 'header', name: 'X-Token' },
  secrets: [secret],
});
const reporting = (secret: string) => ({ ...UNPACED, notify: { url: OWNER_URL, secret } });

/** A configuration from before the rule: a source's secret in the address of a notice, and the reverse. */
const OLDER: Published = {
  activation: 1,
  version: 1,
  set: {
    sources: { borrowed: signed('NOTIFY_PATH') },
    templates: {},
    recipients: {},
    accounts: { default: reporting('HOOK_SECRET') },
    silences: {},
  },
};

const triesOfNotices = () =>
  runInDurableObject(env.OUTBOX.getByName('default'), (_, { storage: { sql } }) =>
    sql
      .exec<{ tries: number }>('SELECT tries FROM notices')
      .toArray()
      .map(({ tries }) => tries),
  );

describe('a configuration from before, whose notice names a secret of a source', () => {
  beforeAll(async () => {
    watchOutside();
    await config.put(CURRENT_KEY, JSON.stringify(OLDER));
  });

  it('gets no secret out: the notice waits, and its address is not called', async () => {
    await admin('POST', '/accounts/default/pause');
    await eventually(async () => expect(await triesOfNotices()).toEqual([1]));
    expect(reported).toEqual([]);
  });

  it('verifies nothing by a secret of a notice, even for who knows it', async () => {
    const response = await exports.default.fetch('https://relay.example/hooks/borrowed', {
      method: 'POST',
      headers: { 'x-token': 'path-of-the-owner' },
      body: '{}',
    });
    expect(response.status).toBe(503);
  });
});

describe('publishing', () => {
  it.each([
    [
      'accounts',
      'default',
      reporting('HOOK_SECRET'),
      'accounts.default.notify.secret',
      'must begin with NOTIFY_',
    ],
    ['sources', 'shop', signed('NOTIFY_PATH'), 'sources.shop.secrets[0]', 'begins with NOTIFY_'],
    [
      'sources',
      'chat',
      { provider: 'meta-whatsapp', secrets: ['HOOK_SECRET'], handshake: { secret: 'NOTIFY_PATH' } },
      'sources.chat.handshake.secret',
      'begins with NOTIFY_',
    ],
  ])('refuses %s/%s %j at %s: %s', async (kind, name, document, path, message) => {
    const { status, body } = await admin<Refusal>('PUT', `/${kind}/${name}`, document);
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ path, message: expect.stringContaining(message) as unknown }]);
    expect(body.errors[0]?.message).toContain('wrangler secret put');
  });

  it('takes a notice whose secret is its own', async () => {
    const { status } = await admin('PUT', '/accounts/default', reporting('NOTIFY_PATH'));
    expect(status).toBe(200);
  });
});
