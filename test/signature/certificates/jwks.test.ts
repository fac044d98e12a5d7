import { generateKeyPairSync } from 'node:crypto';
import { generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import { withKeys } from '../../../src/signature/certificates/fetched.ts';
import { type Issuer, newIssuer } from '../issuer.ts';
import { NOW } from '../support.ts';

const pair = generateKeyPair('RS256', { extractable: true });
let made = 0;

/** An issuer at an address that no other test has, since keys are kept in memory. */
async function newKeys(): Promise<Issuer & { readonly url: string }> {
  made += 1;
  return Object.assign(await newIssuer(() => pair), { url: `https://issuer-${made}.example/certs` });
}

const ask = ({ url, fetch }: Awaited<ReturnType<typeof newKeys>>, kid: string, now = NOW) =>
  withKeys({ url, algorithm: 'RS256', kid }, { now, fetch }, async ([key]) => key ?? null);

const KEY = { ok: true, value: { type: 'public' } };
const unavailable = (asked: boolean) => ({ ok: false, error: { asked } });
const busy = () => new Response('', { status: 503 });

const MINUTE = 60_000;

it("an issuer's keys are fetched once an hour from one address, without following redirects, and not for ever", async () => {
  const issuer = await newKeys();
  const { answer } = issuer;
  issuer.answer = (init) => {
    expect(init?.redirect).toBe('manual');
    expect(init?.signal).toBeInstanceOf(AbortSignal);
    return answer();
  };
  for (const after of [0, 1, 59 * MINUTE]) expect(await ask(issuer, 'k1', NOW + after)).toMatchObject(KEY);
  expect(issuer.asked).toEqual([issuer.url]);
  await ask(issuer, 'k1', NOW + 60 * MINUTE);
  expect(issuer.asked).toHaveLength(2);
});

it("an issuer's keys are fetched again for one that is not known, but at most once a minute", async () => {
  const issuer = await newKeys();
  await ask(issuer, 'k1');
  await issuer.rotate('k2');
  expect(await ask(issuer, 'k2', NOW + MINUTE - 1)).toEqual({ ok: true, value: null });
  expect(issuer.asked).toHaveLength(1);
  expect(await ask(issuer, 'k2', NOW + MINUTE)).toMatchObject(KEY);
  for (let n = 0; n < 50; n += 1) await ask(issuer, `made-up-${n}`, NOW + MINUTE + n);
  expect(issuer.asked).toHaveLength(2);
  expect(await ask(issuer, 'k1', NOW + MINUTE + 99)).toMatchObject(KEY);
});

it("an issuer's keys are fetched once for fifty invented ids that come at once, and for the real one among them", async () => {
  const issuer = await newKeys();
  const ids = ['k1', ...Array.from({ length: 50 }, (_, n) => `made-up-${n}`)];
  const answers = await Promise.all(ids.map((id) => ask(issuer, id)));
  expect(issuer.asked).toEqual([issuer.url]);
  expect(answers[0]).toMatchObject(KEY);
  expect(answers.slice(1).every((one) => one.ok && one.value === null)).toBe(true);
  // Also once they may be fetched again.
  await Promise.all(ids.map((id) => ask(issuer, id, NOW + MINUTE)));
  expect(issuer.asked).toHaveLength(2);
});

it("an issuer's keys that are known go on for an hour while a new one cannot be fetched, which is not refused as wrong", async () => {
  const issuer = await newKeys();
  await ask(issuer, 'k1');
  issuer.answer = busy;
  expect(await ask(issuer, 'k2', NOW + MINUTE)).toMatchObject(unavailable(true));
  expect(await ask(issuer, 'k2', NOW + MINUTE + 1)).toMatchObject(unavailable(false));
  expect(await ask(issuer, 'k1', NOW + MINUTE + 1)).toMatchObject(KEY);
  for (let n = 0; n < 10_000; n += 1) await ask(issuer, `made-up-${n}`, NOW + MINUTE + n * 5);
  expect(issuer.asked).toHaveLength(2);
  expect(await ask(issuer, 'k1', NOW + 60 * MINUTE)).toMatchObject(unavailable(true));
});

it("an issuer's keys of a clock that goes back are fetched anew, and those of a request that came slowly are not", async () => {
  const issuer = await newKeys();
  await ask(issuer, 'k1');
  for (const ago of [1, MINUTE, 59 * MINUTE]) await ask(issuer, `made-up-${ago}`, NOW - ago);
  expect(issuer.asked).toHaveLength(1);
  await ask(issuer, 'k1', NOW - 60 * MINUTE);
  expect(issuer.asked).toHaveLength(2);
});

it("an issuer's keys that are of another kind are passed over", async () => {
  const issuer = await newKeys();
  const { answer } = issuer;
  issuer.answer = async () => {
    const { keys } = await (await answer()).json<{ keys: object[] }>();
    const ec = { kid: 'ec', kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
    const others = [
      { kid: 'ps', alg: 'PS256' },
      { kid: 'enc', use: 'enc' },
    ].map((one) => ({ ...keys[0], ...one }));
    return Response.json({ keys: [null, ec, ...others, ...keys] });
  };
  expect(await ask(issuer, 'k1')).toMatchObject(KEY);
  for (const kid of ['ec', 'ps', 'enc', '__proto__'])
    expect(await ask(issuer, kid)).toEqual({ ok: true, value: null });
});

const jwkOf = (modulusLength: number, half: 'publicKey' | 'privateKey') =>
  generateKeyPairSync('rsa', { modulusLength })[half].export({ format: 'jwk' });
const UNUSABLE = [{ kty: 'RSA', n: '!', e: 'AQAB' }, jwkOf(1_024, 'publicKey'), jwkOf(2_048, 'privateKey')];
const endless = () => new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(9_999)) });

it.each<[string, () => Response | Promise<Response>]>([
  ['an error', busy],
  ['a redirect', () => Response.redirect('https://elsewhere.example/keys')],
  ['no JSON', () => new Response('<html>')],
  ['no list', () => Response.json({ keys: {} })],
  ['too much', () => Response.json({ keys: [], more: 'x'.repeat(70_000) })],
  ['what never ends', () => new Response(endless())],
  ['none that can be used', () => Response.json({ keys: UNUSABLE })],
  ['nothing at all', () => Promise.reject(new Error('refused'))],
])(
  "an issuer's keys that come as %s are not used, and not asked for again for five seconds",
  async (_, answer) => {
    const issuer = await newKeys();
    const good = issuer.answer;
    issuer.answer = answer;
    expect(await ask(issuer, 'k1')).toMatchObject(unavailable(true));
    issuer.answer = good;
    expect(await ask(issuer, 'k1', NOW + 4_999)).toMatchObject(unavailable(false));
    expect(issuer.asked).toHaveLength(1);
    expect(await ask(issuer, 'k1', NOW + 5_000)).toMatchObject(KEY);
  },
);
