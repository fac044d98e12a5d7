import { exportJWK, generateKeyPair, SignJWT } from 'jose';

type Values = Readonly<Record<string, unknown>>;

/** Somebody who signs tokens with RS256, and a fetch that gives its keys to whoever asks. */
export interface Issuer {
  /** The addresses that were asked for. */
  readonly asked: string[];
  /** Answers a request: with its keys, until a test says otherwise. */
  answer: (init?: RequestInit) => Response | Promise<Response>;
  readonly fetch: typeof fetch;
  /** A token with these claims; undefined takes one away. */
  readonly sign: (claims: Values, header?: Values) => Promise<string>;
  /** From now on it signs with another key, which it publishes beside the old one. */
  readonly rotate: (kid: string) => Promise<void>;
}

const newPair = (): Promise<CryptoKeyPair> => generateKeyPair('RS256', { extractable: true });

/** An issuer with one key, `k1`. Tests that do not look at signatures may give it a pair, since making one takes long. */
export async function newIssuer(pairOf = newPair): Promise<Issuer> {
  const keys: object[] = [];
  let current = { kid: 'none', ...(await pairOf()) };
  const issuer: Issuer = {
    asked: [],
    answer: () => Response.json({ keys, public_cert: { kid: 'k1', cert: '…' } }),
    fetch: (input, init) => {
      issuer.asked.push(input instanceof Request ? input.url : String(input));
      return Promise.resolve(issuer.answer(init));
    },
    sign: (claims, header = {}) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: current.kid, typ: 'JWT', ...header })
        .sign(current.privateKey),
    rotate: async (kid) => {
      current = { kid, ...(await pairOf()) };
      keys.unshift({ kid, alg: 'RS256', use: 'sig', ...(await exportJWK(current.publicKey)) });
    },
  };
  await issuer.rotate('k1');
  return issuer;
}
