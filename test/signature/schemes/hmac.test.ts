import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { hmacAlgorithm, verifySigned } from '../../../src/signature/schemes/signed.ts';
import * as support from '../support.ts';

const { by, hmacOf, NOW, NOW_SECONDS, outcome, outcomeInFull, requestOf, withBitFlipped } = support;

const SECRET = 'whsec_a-secret';
const BODY = '{"id":"evt_1"}';
const sign = (content: string | Uint8Array, secret = SECRET) =>
  createHmac('sha256', secret).update(content).digest();
const hex = (content: string, secret = SECRET) => sign(content, secret).toString('hex');

const BARE = hmacOf({ header: 'X-Signature' });
const LIST = { header: 'X-Signature', list_separator: ',', key_value_separator: '=', keys: ['v1'] };
const STRIPE = hmacOf({ ...LIST, signed: '{ts}.{raw_body}', timestamp: { key: 't' } });

type Parts = Parameters<typeof requestOf>[0];
const check = (scheme: typeof BARE, parts: Parts, secrets: readonly string[] = [SECRET]) =>
  verifySigned(scheme, hmacAlgorithm(scheme), {
    secrets,
    request: requestOf({ body: BODY, ...parts }),
    now: NOW,
  });
const verify = (signature: string, scheme = STRIPE, secrets: readonly string[] = [SECRET]) =>
  check(scheme, { headers: signature === '' ? {} : { 'X-Signature': signature } }, secrets);
const accepts = async (scheme: typeof BARE, parts: Parts) => (await check(scheme, parts)).ok;

/** A list as Stripe writes it, signed over the timestamp's text. */
const listed = (timestamp: string) => `t=${timestamp},v1=${hex(`${timestamp}.${BODY}`)}`;

it('a signature is never checked by an algorithm that the request chose', async () => {
  const sha1 = `sha1=${createHmac('sha1', SECRET).update(BODY).digest('hex')}`;
  const scheme = hmacOf({ header: 'X-Signature', prefix: 'sha256=', prefix_optional: true });
  expect(outcome(await verify(sha1, scheme))).toBe('malformed');
});

it('a signature may stand in the body, beside what it signs', async () => {
  const fields = { timestamp: NOW / 1_000, token: 'a8ce0edb', signature: hex(`${NOW_SECONDS}a8ce0edb`) };
  const timestamp = { body: 'timestamp' };
  const scheme = hmacOf({ field: 'signature', signed: '{ts}{body:token}', timestamp });
  const given = async (changes: object) =>
    outcome(await check(scheme, { body: JSON.stringify({ ...fields, ...changes }) }));
  expect(await given({})).toBe('accepted');
  expect(await given({ token: 'a8ce0edc' })).toBe('mismatch');
  expect(await given({ signature: undefined })).toBe('missing_field');
});

const at = (query: string) => `https://hooks.example.com/hooks/sms${query}`;

it('an address is accepted as it was signed, whichever of its characters are escaped on the way, and only once', async () => {
  const block = { header: 'X-S', algorithm: 'sha1', encoding: 'base64', signed: '{url}{form_sorted}' };
  const scheme = hmacOf({ ...block, url_form: 'any_port', signed_once: true });
  const once = async (signed: string, sent: string, registered?: string) => {
    const headers = {
      'X-S': createHmac('sha1', SECRET)
        .update(`${at(signed)}A1`)
        .digest('base64'),
      'Content-Type': 'application/x-www-form-urlencoded',
    };
    const registeredUrl = registered === undefined ? null : at(registered);
    const matched = await check(scheme, { url: at(sent), headers, body: 'A=1', registeredUrl });
    return matched.ok ? matched.value.once?.digests[0] : matched.error.code;
  };
  for (const spellings of [
    ["?shop=O'Neal", '?shop=O%27Neal'],
    ['?shop=Bäcker', '?shop=B%C3%A4cker', '?shop=B%c3%a4cker'],
  ]) {
    const [first = ''] = spellings;
    const digests = await Promise.all(
      spellings.flatMap((sent) => [once(first, sent), once(first, '?proxied', sent)]),
    );
    expect(new Set(digests).size).toBe(1);
    expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
  }
  for (const other of ["?shop=O''Neal", '?shop=ONeal', '?shop=O%2527Neal', "?shop=O'Neal&a=1", ''])
    expect(await once("?shop=O'Neal", other)).toBe('mismatch');
});

const bit = fc.nat({ max: 7 });

it('no forgery passes with any one bit of the body flipped', async () => {
  const bodies = fc.uint8Array({ minLength: 1, maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(bodies, fc.nat(), bit, async (body, at, which) => {
      const headers = { 'X-Signature': sign(body).toString('hex') };
      expect(await accepts(BARE, { body, headers })).toBe(true);
      const flipped = withBitFlipped(body, at % body.length, which);
      expect(await accepts(BARE, { body: flipped, headers })).toBe(false);
    }),
  );
});

it('rotation accepts any listed signature with any secret, and refuses everything while one secret cannot be decoded', async () => {
  const content = `${NOW_SECONDS}.${BODY}`;
  const header = `t=${NOW_SECONDS},v1=${hex(content, 'retired')},v1=${hex(content)},v1=${hex('else')}`;
  expect(await verify(header, STRIPE, ['new', SECRET])).toEqual(by(1));
  const scheme = hmacOf({ header: 'X-Signature', secret_encoding: 'hex' });
  const refused = await verify(hex(BODY), scheme, ['00', 'zz']);
  expect(outcomeInFull(refused)).toBe('misconfigured: secret 2 of 2 is not hex');
});

it('a timestamp counts as the text that was sent, and is checked even when the signature is right', async () => {
  const old = String(NOW / 1_000 - 301);
  const stale = 'stale: signature parameter t is 301 s old; 300 s are allowed';
  expect(outcomeInFull(await verify(listed(old)))).toBe(stale);
  const rows = [
    [listed(NOW_SECONDS), 'accepted'],
    [listed(String(NOW / 1_000 + 301)), 'stale'],
    [listed(`0${NOW_SECONDS}`), 'accepted'],
    [`t=0${NOW_SECONDS},v1=${hex(`${NOW_SECONDS}.${BODY}`)}`, 'mismatch'],
    [listed(''), 'malformed'],
    [listed(`+${NOW_SECONDS}`), 'malformed'],
    [`t=${NOW_SECONDS},${listed(NOW_SECONDS)}`, 'malformed'],
    [`v1=${hex(`.${BODY}`)}`, 'missing_field'],
    ['', 'missing_header'],
  ] as const;
  for (const [signature, expected] of rows)
    expect(outcome(await verify(signature)), signature).toBe(expected);
});

it('a refusal shows neither secret, signature nor body', async () => {
  const signature = hex('something else');
  const parts = { body: 'private body', headers: { 'X-Signature': signature } };
  const refused = await check(BARE, parts, ['top-secret']);
  expect(outcome(refused)).toBe('mismatch');
  for (const text of ['top-secret', 'private', signature, hex('private body', 'top-secret')])
    expect(JSON.stringify(refused)).not.toContain(text);
});
