import { sign } from 'node:crypto';
import type { VerifyContext } from '../../src/signature/certificates/fetched.ts';
import { EC_CERTIFICATE, OTHER_RSA_CERTIFICATE, RSA_CERTIFICATE, TEST_ONLY_RSA_KEY } from './certificates.ts';
import { encode, NOW, withBitFlipped } from './support.ts';

/** A signature (RSASSA-PKCS1-v1_5, base64) made with the key of {@link RSA_CERTIFICATE}. */
export const signRsa = (text: string, hash: 'sha1' | 'sha256'): string =>
  encode(sign(hash, new TextEncoder().encode(text), TEST_ONLY_RSA_KEY), 'base64');

export interface CertificateServer extends VerifyContext {
  readonly calls: { readonly url: string; readonly init: RequestInit | undefined }[];
}

type Answer = (signal: AbortSignal | null | undefined) => Response | Promise<Response>;

/** The outside of a verification: at every address there is the same answer. */
export function serverOf(
  answer: Answer = () => new Response(RSA_CERTIFICATE),
  now: number = NOW,
): CertificateServer {
  const calls: CertificateServer['calls'] = [];
  return {
    now,
    calls,
    fetch: async (input, init) => {
      calls.push({ url: input instanceof Request ? input.url : input.toString(), init });
      return answer(init?.signal);
    },
  };
}

/** Never answers, and ends as fetch() does when it is aborted. */
export const hanging: Answer = (signal) =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

let made = 0;

/** A name that no other test of this file uses: certificates are kept by their address. */
export function freshName(): string {
  made += 1;
  return `cert-${made}`;
}

/** Servers from which no certificate comes, and those of certificates that are of no use. */
export const BROKEN_SERVERS: readonly (() => CertificateServer)[] = [
  () => serverOf(() => Promise.reject(new Error('Network connection lost.'))),
  () => serverOf(() => Response.redirect('https://evil.example/a.pem', 302)),
  () => serverOf(() => new Response('garbage')),
];
export const WRONG_SERVERS: readonly (() => CertificateServer)[] = [
  () => serverOf(() => new Response(OTHER_RSA_CERTIFICATE)),
  () => serverOf(() => new Response(EC_CERTIFICATE)),
];

/** The signature (base64) with one bit flipped: the first, one in the middle, or the last. */
export const flippedSignatures = (signature: string): readonly string[] => {
  const bytes = Uint8Array.from(atob(signature), (character) => character.charCodeAt(0));
  return [0, 100, bytes.length - 1].map((at) => encode(withBitFlipped(bytes, at, 0), 'base64'));
};
