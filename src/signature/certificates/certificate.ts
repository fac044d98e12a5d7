import { X509Certificate } from 'node:crypto';
import { err, ok, type Result } from '../../lib/result.ts';
import { FRESH_MS, type VerifyContext, Fetched } from './fetched.ts';
import { algorithmOf, MIN_RSA_BITS } from '../basics/public-key.ts';
import { refuse, type Checked } from '../basics/request.ts';

type SignatureHash = 'SHA-1' | 'SHA-256';

type Keys = Readonly<Record<SignatureHash, CryptoKey>>;

interface Certificate {
  /** Null if it has no RSA key, or one that is too short. */
  readonly keys: Keys | null;
  readonly validFrom: number;
  readonly validTo: number;
}

/** At the very beginning: if an answer only quotes a certificate, the certificate may come from anyone. */
const FIRST_OF_CHAIN = /^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----)/;

/** Requests share only the answer of a server, never a certificate's validity. */
const certificates = new Fetched(readCertificate, {
  // At the edge, only a certificate is kept: an error would be repeated for an hour.
  cf: { cacheEverything: true, cacheTtlByStatus: { '200': FRESH_MS / 1_000, '201-599': -1 } },
});

/**
 * Of the first of a chain in PEM. The caller checks where `url` points. The chain is not followed to a root: the
 * certificate counts as the sender's because its own host served it, over TLS.
 */
export async function certificateAt(url: URL, context: VerifyContext): Promise<Checked<Keys>> {
  const served = await certificates.get(url.href, context);
  if (!served.ok)
    return refuse(
      'unavailable',
      `the certificate of the signature could not be fetched: ${served.error.fault}`,
    );
  const { keys, validFrom, validTo } = served.value;
  if (keys === null)
    return refuse('mismatch', `the signature's certificate has no RSA key of at least ${MIN_RSA_BITS} bits`);
  // Checked for each request, since a certificate can expire while it is kept.
  return context.now >= validFrom && context.now <= validTo
    ? ok(keys)
    : refuse('mismatch', "the signature's certificate has expired or is not valid yet");
}

export const isSignedWith = (
  keys: Keys,
  hash: SignatureHash,
  content: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> => crypto.subtle.verify('RSASSA-PKCS1-v1_5', keys[hash], signature, content);

async function readCertificate(text: string): Promise<Result<Certificate, string>> {
  const [, pem] = FIRST_OF_CHAIN.exec(text) ?? [];
  const parsed = pem === undefined ? null : parse(pem);
  if (parsed === null) return err('its server did not return a certificate');
  const { validFrom, validTo } = parsed;
  return ok({ keys: await rsaKeys(parsed), validFrom: Date.parse(validFrom), validTo: Date.parse(validTo) });
}

function parse(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

async function rsaKeys(certificate: X509Certificate): Promise<Keys | null> {
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
