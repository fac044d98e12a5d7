import { afterEach, describe, expect, it, vi } from 'vitest';
import { certificateAt, isSignedWith } from '../../../src/signature/certificates/certificate.ts';
import * as pem from '../certificates.ts';
import { type CertificateServer, freshName, hanging, serverOf, signRsa } from '../rsa-support.ts';
import { NOW } from '../support.ts';

const HOUR = 3_600_000;
const CONTENT = new TextEncoder().encode('content');

const freshUrl = () => new URL(`https://certs.example/${freshName()}.pem`);
const get = (server: CertificateServer, url = freshUrl()) => certificateAt(url, server);
const served = (text: string, now?: number) => get(serverOf(() => new Response(text), now));
const bytes = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const padded = (length: number) => pem.RSA_CERTIFICATE.padEnd(length, '\n');
const at = (now: number) => served(pem.RSA_CERTIFICATE, now);

const unavailable = { ok: false, error: { reason: 'unavailable' } };
const refused = { ok: false, error: { reason: 'mismatch' } };

/** True if the result is the certificate of the key that `signRsa` signs with. */
async function verifies(got: Awaited<ReturnType<typeof certificateAt>>): Promise<boolean> {
  const signature = bytes(signRsa('content', 'sha256'));
  return got.ok && isSignedWith(got.value, 'SHA-256', CONTENT, signature);
}

/** Returns the number of fetches that it takes to get one certificate at these times. */
async function fetches(times: readonly number[]): Promise<number> {
  const server = serverOf();
  const url = freshUrl();
  for (const now of times) await get({ ...server, now }, url);
  return server.calls.length;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a certificate', () => {
  it('checks the signatures of its key, by the hash they were made with', async () => {
    const got = await served(pem.RSA_CERTIFICATE);
    if (!got.ok) throw new Error(got.error.detail);
    const [sha1, sha256] = [bytes(signRsa('content', 'sha1')), bytes(signRsa('content', 'sha256'))];
    expect(await isSignedWith(got.value, 'SHA-1', CONTENT, sha1)).toBe(true);
    expect(await isSignedWith(got.value, 'SHA-256', CONTENT, sha256)).toBe(true);
    expect(await isSignedWith(got.value, 'SHA-256', CONTENT, sha1)).toBe(false);
    expect(await isSignedWith(got.value, 'SHA-1', CONTENT, sha256)).toBe(false);
    expect(await isSignedWith(got.value, 'SHA-256', CONTENT, new Uint8Array())).toBe(false);
    expect(await isSignedWith(got.value, 'SHA-256', CONTENT, new Uint8Array(5_000))).toBe(false);
  });

  it('is the first of a chain', async () => {
    const { RSA_CERTIFICATE: own, OTHER_RSA_CERTIFICATE: other } = pem;
    expect(await verifies(await served(`\r\n${own}\n${other}`))).toBe(true);
    expect(await verifies(await served(other + own))).toBe(false);
    expect(await verifies(await served(other))).toBe(false);
  });

  it('is valid from its first second to its last', async () => {
    expect(await at(pem.VALID_FROM)).toMatchObject({ ok: true });
    expect(await at(pem.VALID_TO)).toMatchObject({ ok: true });
    expect(await at(pem.VALID_FROM - 1)).toMatchObject(refused);
    expect(await at(pem.VALID_TO + 1)).toMatchObject(refused);
  });

  it.each([
    ['with a P-256 key', pem.EC_CERTIFICATE],
    ['with an RSA key of 1024 bits', pem.WEAK_RSA_CERTIFICATE],
    ['with a key for RSA-PSS only', pem.PSS_CERTIFICATE],
  ])('%s is refused', async (_, text) => {
    expect(await served(text)).toMatchObject(refused);
  });
});

describe('fetching a certificate', () => {
  it('follows no redirect, and has the edge keep nothing but a certificate', async () => {
    const server = serverOf();
    const url = freshUrl();
    await get(server, url);
    expect(server.calls).toMatchObject([
      { url: url.href, init: { redirect: 'manual', cf: { cacheTtlByStatus: { '201-599': -1 } } } },
    ]);
    const redirect = { status: 302, headers: { location: 'https://elsewhere.example/' } };
    expect(await get(serverOf(() => new Response(pem.RSA_CERTIFICATE, redirect)))).toMatchObject(unavailable);
  });

  it.each([201, 206, 403, 404, 429, 500, 503])('takes nothing but a 200, so no %i', async (status) => {
    const answer = () => new Response(pem.RSA_CERTIFICATE, { status });
    const result = await get(serverOf(answer));
    expect(result).toMatchObject(unavailable);
    expect(result.ok || result.error.detail).toMatch(new RegExp(`answered ${status}$`));
  });

  it.each([
    ['nothing', ''],
    ['garbage', '\u0000\u0001 garbage'],
    ['a page', '<html>Please log in</html>'],
    ['half a certificate', pem.RSA_CERTIFICATE.slice(0, 600)],
    ['a certificate with a wrong length in it', pem.RSA_CERTIFICATE.replace('MIICrj', 'MIICrk')],
    ['a private key', pem.TEST_ONLY_RSA_KEY],
    // The API of a host may answer with texts of whoever asks.
    ['an answer that quotes a certificate', `<DisplayName>\n${pem.RSA_CERTIFICATE}</DisplayName>`],
  ])('an answer with %s is no certificate', async (_, text) => {
    expect(await served(text)).toMatchObject(unavailable);
  });

  it('reads 64 KiB at most', async () => {
    expect(await served(padded(65_536))).toMatchObject({ ok: true });
    expect(await served(padded(65_537))).toMatchObject(unavailable);
  });

  it('an answer that breaks off is no certificate, even when it has one in it', async () => {
    const chunks = [new TextEncoder().encode(pem.RSA_CERTIFICATE)];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.pop();
        if (chunk === undefined) controller.error(new Error('Network connection lost.'));
        else controller.enqueue(chunk);
      },
    });
    expect(await get(serverOf(() => new Response(body)))).toMatchObject(unavailable);
  });

  it('a server that cannot be reached is no fault of the sender', async () => {
    const broken = serverOf(() => Promise.reject(new Error('Network connection lost.')));
    expect(await get(broken)).toMatchObject(unavailable);
  });

  it('gives up after five seconds', async () => {
    vi.useFakeTimers();
    let settled = false;
    const got = get(serverOf(hanging)).finally(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await got).toMatchObject(unavailable);
  });
});

describe('the cache of certificates', () => {
  it('keeps one for an hour', async () => {
    expect(await fetches([NOW, NOW + 1, NOW + HOUR - 1])).toBe(1);
    expect(await fetches([NOW, NOW + HOUR])).toBe(2);
    // From the new one on there is another hour.
    expect(await fetches([NOW, NOW + HOUR, NOW + 2 * HOUR - 1])).toBe(2);
  });

  it('does not rely on one that was got far in the future', async () => {
    expect(await fetches([NOW, NOW - HOUR])).toBe(2);
  });

  it('looks at the validity of a kept one again', async () => {
    const server = serverOf();
    const url = freshUrl();
    expect(await get({ ...server, now: pem.VALID_TO }, url)).toMatchObject({ ok: true });
    expect(await get({ ...server, now: pem.VALID_TO + 1 }, url)).toMatchObject(refused);
    expect(server.calls).toHaveLength(1);
  });

  it('keeps a failure for five seconds', async () => {
    const url = freshUrl();
    expect(
      await get(
        serverOf(() => new Response('busy', { status: 503 })),
        url,
      ),
    ).toMatchObject(unavailable);
    const better = serverOf();
    expect(await get({ ...better, now: NOW + 4_999 }, url)).toMatchObject(unavailable);
    expect(better.calls).toEqual([]);
    expect(await get({ ...better, now: NOW + 5_000 }, url)).toMatchObject({ ok: true });
  });

  it('distinguishes addresses', async () => {
    const url = freshUrl();
    await get(serverOf(), url);
    const other = serverOf(() => new Response(pem.OTHER_RSA_CERTIFICATE));
    expect(await verifies(await get(other, new URL(`${url.href}x`)))).toBe(false);
    expect(await verifies(await get(other, url))).toBe(true);
  });

  it('asks a server once for all who need the same one at once', async () => {
    const server = serverOf();
    const url = freshUrl();
    const got = await Promise.all(Array.from({ length: 50 }, () => get(server, url)));
    expect(got.every(({ ok }) => ok)).toBe(true);
    expect(server.calls).toHaveLength(1);
  });

  it('asks for few invented ones at once, and the others are unavailable', async () => {
    const server = serverOf(() => new Response('', { status: 404 }));
    const got = await Promise.all(Array.from({ length: 50 }, () => get(server)));
    expect(server.calls).toHaveLength(4);
    for (const one of got) expect(one).toMatchObject(unavailable);
  });

  it('whose request was cancelled is asked for again after five seconds', async () => {
    const url = freshUrl();
    const [cancelled, prompt] = [serverOf(() => new Promise(() => undefined)), serverOf()];
    vi.useFakeTimers();
    const waits = [get(cancelled, url), get({ ...prompt, now: NOW + 4_999 }, url)];
    await vi.advanceTimersByTimeAsync(5_000);
    for (const wait of waits) expect(await wait).toMatchObject(unavailable);
    expect(prompt.calls).toHaveLength(0);
    expect(await get({ ...prompt, now: NOW + 5_000 }, url)).toMatchObject({ ok: true });
  });
});
