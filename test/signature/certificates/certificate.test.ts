import { expect, it } from 'vitest';
import { certificateAt, isSignedWith } from '../../../src/signature/certificates/fetched.ts';
import * as pem from '../certificates.ts';
import { type CertificateServer, freshName, serverOf, signRsa } from '../rsa-support.ts';
import { bytesOf, outcome, outcomeInFull } from '../support.ts';

const CONTENT = bytesOf('content');

const freshUrl = () => new URL(`https://certs.example/${freshName()}.pem`);
const get = (server: CertificateServer, url = freshUrl()) => certificateAt(url, server);
const served = (text: string, now?: number) => get(serverOf(() => new Response(text), now));
const bytes = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const { RSA_CERTIFICATE: OWN } = pem;

it('checks the signatures of its key, by the hash they were made with', async () => {
  const got = await served(OWN);
  if (!got.ok) throw new Error(got.error.detail);
  const [sha1, sha256] = [bytes(signRsa('content', 'sha1')), bytes(signRsa('content', 'sha256'))];
  expect(await isSignedWith(got.value, 'SHA-1', CONTENT, sha1)).toBe(true);
  expect(await isSignedWith(got.value, 'SHA-256', CONTENT, sha256)).toBe(true);
  expect(await isSignedWith(got.value, 'SHA-1', CONTENT, sha256)).toBe(false);
  for (const signature of [sha1, new Uint8Array(), new Uint8Array(5_000)])
    expect(await isSignedWith(got.value, 'SHA-256', CONTENT, signature)).toBe(false);
});

it('is valid from its first second to its last, also when it is kept', async () => {
  for (const now of [pem.VALID_FROM, pem.VALID_TO]) expect(outcome(await served(OWN, now))).toBe('accepted');
  for (const now of [pem.VALID_FROM - 1, pem.VALID_TO + 1])
    expect(outcome(await served(OWN, now))).toBe('mismatch');
  const server = serverOf();
  const url = freshUrl();
  expect(outcome(await get({ ...server, now: pem.VALID_TO }, url))).toBe('accepted');
  expect(outcome(await get({ ...server, now: pem.VALID_TO + 1 }, url))).toBe('mismatch');
  expect(server.calls).toHaveLength(1);
});

it('with a P-256 key, an RSA key of 1024 bits or one for RSA-PSS only is refused', async () => {
  for (const text of [pem.EC_CERTIFICATE, pem.WEAK_RSA_CERTIFICATE, pem.PSS_CERTIFICATE])
    expect(outcome(await served(text))).toBe('mismatch');
});

it('is fetched without following redirects, comes with a 200 and nothing else, and has the edge keep nothing but a certificate', async () => {
  const server = serverOf();
  const url = freshUrl();
  await get(server, url);
  const init = { redirect: 'manual', cf: { cacheTtlByStatus: { '201-599': -1 } } };
  expect(server.calls).toMatchObject([{ url: url.href, init }]);
  const redirect = { status: 302, headers: { location: 'https://elsewhere.example/' } };
  expect(outcome(await get(serverOf(() => new Response(OWN, redirect))))).toBe('unavailable');
  for (const status of [201, 206, 403, 404, 429, 500, 503]) {
    const result = await get(serverOf(() => new Response(OWN, { status })));
    expect(outcomeInFull(result)).toMatch(new RegExp(`^unavailable: .*answered ${status}$`));
  }
});

it.each([
  ['nothing', ''],
  ['half a certificate', OWN.slice(0, 600)],
  ['a certificate with a wrong length in it', OWN.replace('MIICrj', 'MIICrk')],
  ['a private key', pem.TEST_ONLY_RSA_KEY],
  // The API of a host may answer with texts of whoever asks.
  ['an answer that quotes a certificate', `<DisplayName>\n${OWN}</DisplayName>`],
  ['more than 64 KiB', OWN.padEnd(65_537, '\n')],
])('is not in an answer with %s', async (_, text) => {
  expect(outcome(await served(text))).toBe('unavailable');
});

it('is not in an answer that breaks off, even when it was in it', async () => {
  const chunks = [bytesOf(OWN)];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.pop();
      if (chunk === undefined) controller.error(new Error('Network connection lost.'));
      else controller.enqueue(chunk);
    },
  });
  expect(outcome(await get(serverOf(() => new Response(body))))).toBe('unavailable');
});
