import { beforeAll, describe, expect, it } from 'vitest';
import { signedHeaders } from '../conformance/senders/senders.ts';
import { lookUntil } from '../eventually.ts';
import { admin, post, postJson, publish } from './relay.ts';

/** As vitest.config.ts binds it. */
const SECRET = 'whsec_test_secret';
const BODY = '{"id":"evt_1","name":"Ada Lovelace"}';

interface Rejection {
  readonly at: string;
  readonly source: string;
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
}

const list = async () => (await admin<{ items: Rejection[] }>('GET', '/rejections')).body.items;

/** The rejection for this reason, which is written after the answer is out. */
async function rejectionFor(source: string, reason: string): Promise<Rejection> {
  const found = await lookUntil(
    async () => (await list()).find((one) => one.source === source && one.reason === reason),
    (one) => one !== undefined,
  );
  if (found === undefined) throw new Error(`there was never a rejection of ${source} for ${reason}`);
  return found;
}

const seconds = () => Math.floor(Date.now() / 1_000);

async function stripe(at: number, secret = SECRET, signed = BODY): Promise<Record<string, string>> {
  return { 'content-type': 'application/json', ...(await signedHeaders('stripe', signed, secret, at)) };
}

type Expected = Pick<Rejection, 'reason'> & Partial<Rejection>;

describe('recent rejections', () => {
  beforeAll(() =>
    publish({
      sources: {
        shop: { provider: 'stripe', secrets: ['STRIPE_SECRET'], routes: [] },
        path: { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET'], routes: [] },
      },
    }),
  );

  const cases: readonly [string, () => Promise<Response>, Expected, RegExp][] = [
    [
      'a missing header',
      () => postJson('shop', {}),
      { reason: 'missing_header' },
      /header Stripe-Signature is missing/i,
    ],
    [
      'a stale timestamp, though the signature is right',
      async () => post('shop', BODY, await stripe(seconds() - 1_000)),
      { reason: 'stale' },
      /\d+ s/,
    ],
    [
      'a signature by another secret',
      async () => post('shop', BODY, await stripe(seconds(), 'whsec_other')),
      { reason: 'mismatch' },
      /1 secret/,
    ],
    [
      'a signature under a key that proves nothing',
      () => post('shop', BODY, { 'stripe-signature': `t=${seconds()},v0=${'a'.repeat(64)}` }),
      { reason: 'unknown_key' },
      /./,
    ],
    [
      'a header that is not in the provider’s form',
      () => post('shop', BODY, { 'stripe-signature': 'rubbish-of-a-header' }),
      { reason: 'malformed' },
      /Stripe-Signature/i,
    ],
    [
      'a wrong token',
      () => postJson('path/guessed-token', {}),
      { source: 'path', reason: 'mismatch' },
      /the path/,
    ],
    [
      'a body that cannot be read, of a sender who is known',
      async () => {
        const body = '{"name":"Ada Lovelace';
        return post('shop', body, await stripe(seconds(), SECRET, body));
      },
      { status: 400, reason: 'malformed-body' },
      /line 1, column/,
    ],
  ];

  it.each(cases)('show %s with its precise reason', async (_, send, expected, detail) => {
    expect((await send()).ok).toBe(false);
    const { source = 'shop', reason, status = 401 } = expected;
    const rejection = await rejectionFor(source, reason);
    expect(rejection.status).toBe(status);
    expect(rejection.detail).toMatch(detail);
    expect(Date.parse(rejection.at)).not.toBeNaN();
  });

  it('show nothing of bodies, secrets or what was given for one', async () => {
    const shown = JSON.stringify(await list());
    for (const secret of ['Ada', 'evt_1', SECRET, 'hook-secret', 'guessed-token', 'rubbish', 'aaaa', 'whsec'])
      expect(shown).not.toContain(secret);
  });
});
