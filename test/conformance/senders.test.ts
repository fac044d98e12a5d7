import { describe, expect, it } from 'vitest';
import { providers } from '../../src/provider/catalog.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { verifySignature } from '../../src/signature/verify.ts';
import { NOW, requestOf } from '../signature/support.ts';
import { senders } from './senders.ts';

/** Base64 that also fits Standard Webhooks, whose secrets are decoded; Stripe's are not, prefix and all. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const SIGNING = [...providers.values()].filter(({ verify }) => verify !== null);
const CASES = SIGNING.flatMap((provider) =>
  provider.samples.map(({ name, body, headers }) => ({
    provider,
    name: `${provider.id}: ${name}`,
    body,
    headers,
  })),
).map((one) => [one.name, one] as const);

type Case = (typeof CASES)[number][1];

async function signed({ provider, body, headers }: Case) {
  const send = senders[provider.id];
  if (send === undefined) throw new Error(`${provider.id} signs, but nobody here signs for it`);
  return { ...headers, ...(await send(body, SECRET, NOW / 1_000)) };
}

function verify(
  { verify }: Provider,
  body: string,
  headers: Record<string, string>,
  secrets: readonly string[],
  now = NOW,
) {
  if (verify === null) throw new Error('does not sign');
  return verifySignature(verify, secrets, requestOf({ body, headers }), now);
}

describe('samples signed by the senders themselves', () => {
  it.each(CASES)('%s is accepted, with any secret of a rotation', async (_, one) => {
    const headers = await signed(one);
    expect(await verify(one.provider, one.body, headers, [SECRET])).toMatchObject({ ok: true });
    expect(await verify(one.provider, one.body, headers, [OTHER, SECRET])).toEqual({
      ok: true,
      value: { secretIndex: 1 },
    });
  });

  it.each(CASES)('%s is refused when body, secret or every signature is another', async (_, one) => {
    const headers = await signed(one);
    const others = mapValues(headers, (name, value) =>
      /signature|hmac/i.test(name) ? reverse(value) : value,
    );
    expect(await verify(one.provider, `${one.body} `, headers, [SECRET])).toMatchObject({ ok: false });
    expect(await verify(one.provider, one.body, headers, [OTHER])).toMatchObject({ ok: false });
    expect(await verify(one.provider, one.body, others, [SECRET])).toMatchObject({ ok: false });
    expect(await verify(one.provider, one.body, {}, [SECRET])).toMatchObject({
      ok: false,
      error: { reason: 'missing_header' },
    });
  });

  it.each(
    CASES.filter(([, { provider }]) => provider.verify?.scheme === 'hmac' && provider.verify.timestamp),
  )('%s is refused six minutes late or early', async (_, one) => {
    const headers = await signed(one);
    for (const offset of [-360_000, 360_000]) {
      const refused = await verify(one.provider, one.body, headers, [SECRET], NOW + offset);
      expect(refused).toMatchObject({ ok: false, error: { reason: 'stale' } });
    }
  });
});

const mapValues = (
  record: Readonly<Record<string, string>>,
  change: (name: string, value: string) => string,
) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(name, value)]));

const reverse = (text: string) => text.split('').toReversed().join('');
