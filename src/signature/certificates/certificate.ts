import { X509Certificate } from 'node:crypto';
import { readAnswer } from '../../lib/body.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { withTimeout } from '../../lib/wait.ts';
import { type VerifyContext, Fetched } from './fetched.ts';
import { algorithmOf, MIN_RSA_BITS } from '../basics/public-key.ts';
import { refuse, type SignatureRefusal } from '../basics/request.ts';

/** The hashes of the RSASSA-PKCS1-v1_5 signatures that are accepted. */
type SignatureHash = 'SHA-1' | 'SHA-256';

interface Certificate {
  readonly keys: Readonly<Record<SignatureHash, CryptoKey>>;
  /** ms since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
}

const TIMEOUT_MS = 5_000;
/** The maximum size; a chain of certificates has some kilobytes. */
const MAX_BYTES = 65_536;
/** At the very beginning: if an answer only quotes a certificate, the certificate may come from anyone. */
const FIRST_OF_CHAIN = /^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----)/;

const CACHE_SECONDS = 3_600;

const unavailable = (why: string) =>
  refuse('unavailable', `the certificate of the signature could not be fetched: ${why}`);

/** Requests share only the answer of a server, never a certificate's validity. */
const certificates = new Fetched<Certificate, SignatureRefusal>({
  freshMs: CACHE_SECONDS * 1_000,
  timeoutMs: TIMEOUT_MS,
  fault: (why) => unavailable(why).error,
});

/**
 * Returns the certificate at `url`: the first of a chain in PEM, with an RSA key. The caller checks where `url` points.
 * The chain is not followed to a root: the certificate counts as the sender's because the sender's own host served it,
 * over TLS.
 */
export async function certificateAt(
  url: URL,
  { now, fetch }: VerifyContext,
): Promise<Result<Certificate, SignatureRefusal>> {
  const served = await certificates.get(url.href, now, () => fetchCertificate(url, fetch));
  return served.ok ? inForce(served.value, now) : err(served.error.fault);
}

/** True if `signature` was made over `content` with the certificate's key. */
export const isSignedWith = (
  { keys }: Certificate,
  hash: SignatureHash,
  content: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> => crypto.subtle.verify('RSASSA-PKCS1-v1_5', keys[hash], signature, content);

/** Checked for each request, since a certificate can expire while it is kept. */
function inForce(certificate: Certificate, now: number): Result<Certificate, SignatureRefusal> {
  const { validFrom, validTo } = certificate;
  return now >= validFrom && now <= validTo
    ? ok(certificate)
    : refuse('mismatch', "the signature's certificate has expired or is not valid yet");
}

async function fetchText(url: URL, fetch: VerifyContext['fetch']): Promise<Result<string, SignatureRefusal>> {
  try {
    return await withTimeout(TIMEOUT_MS, async (signal) => {
      const response = await fetch(url, { redirect: 'manual', signal, cf: EDGE_CACHE });
      if (response.status !== 200) {
        await response.body?.cancel().catch(() => undefined);
        return unavailable(`its server answered ${response.status}`);
      }
      const { text, complete } = await readAnswer(response, MAX_BYTES);
      return complete ? ok(text) : unavailable('the answer was cut off or is too long for a certificate');
    });
  } catch {
    return unavailable('its server could not be reached in time');
  }
}

/** Only a certificate is kept: an error would be repeated for an hour. */
const EDGE_CACHE = {
  cacheEverything: true,
  cacheTtlByStatus: { '200': CACHE_SECONDS, '201-599': -1 },
};

async function fetchCertificate(
  url: URL,
  fetch: VerifyContext['fetch'],
): Promise<Result<Certificate, SignatureRefusal>> {
  const text = await fetchText(url, fetch);
  return text.ok ? readCertificate(text.value) : text;
}

async function readCertificate(text: string): Promise<Result<Certificate, SignatureRefusal>> {
  const [, pem] = FIRST_OF_CHAIN.exec(text) ?? [];
  const parsed = pem === undefined ? null : parse(pem);
  if (parsed === null) return unavailable('its server did not return a certificate');
  const keys = await rsaKeys(parsed);
  if (keys === null)
    return refuse('mismatch', `the signature's certificate has no RSA key of at least ${MIN_RSA_BITS} bits`);
  return ok({ keys, validFrom: Date.parse(parsed.validFrom), validTo: Date.parse(parsed.validTo) });
}

function parse(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

async function rsaKeys(certificate: X509Certificate): Promise<Certificate['keys'] | null> {
  try {
    // workerd throws here for kinds of keys that it does not know.
    const { publicKey } = certificate;
    if (algorithmOf(publicKey) !== 'RS256') return null;
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    const [sha1, sha256] = await Promise.all([verifyKey(spki, 'SHA-1'), verifyKey(spki, 'SHA-256')]);
    return { 'SHA-1': sha1, 'SHA-256': sha256 };
  } catch {
    return null;
  }
}

const verifyKey = (spki: Uint8Array, hash: SignatureHash): Promise<CryptoKey> =>
  crypto.subtle.importKey('spki', spki, { name: 'RSASSA-PKCS1-v1_5', hash }, false, ['verify']);
