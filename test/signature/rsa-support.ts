import { sign } from 'node:crypto';
import type { VerifyContext } from '../../src/signature/certificates/context.ts';
import { RSA_CERTIFICATE, TEST_ONLY_RSA_KEY } from './certificates.ts';
import { encode, NOW } from './support.ts';

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
