import * as z from 'zod/mini';
import { type FieldError, fieldError } from '../../lib/problem.ts';
import { whyNotPublic } from '../../lib/url.ts';
import { recordOf, someText } from '../../schema/parts.ts';
import { publicKey, type PublicAlgorithm } from '../basics/public-key.ts';
import { pinnedUrl } from '../certificates/fetched.ts';

/** Where a sender's public key is, if it is not in the source's secrets: at most one of these. */
export const keyShape = {
  /** A PEM, or a JWK, also as JSON. */
  key: z.optional(
    z.pipe(
      z.union([someText(8_192), recordOf(z.unknown())], { error: 'must be a public key: a PEM, or a JWK' }),
      z.transform((key: string | Record<string, unknown>) =>
        typeof key === 'string' ? key : JSON.stringify(key),
      ),
    ),
  ),
  /** The https address of a JSON Web Key Set. */
  jwks: z.optional(someText(2_048)),
};

export type KeyOptions = z.output<z.ZodMiniObject<typeof keyShape>>;

/** True if the document has the public key or its address, so that the source needs no secret. */
export const hasKey = ({ key, jwks }: KeyOptions): boolean => (key ?? jwks) !== undefined;

/** Returns the errors in these options, for signatures of this algorithm. */
export function keyConflicts({ key, jwks }: KeyOptions, algorithm: PublicAlgorithm): readonly FieldError[] {
  const read = key === undefined ? null : publicKey(key, algorithm);
  const address = jwks === undefined ? null : whyNoKeySet(jwks);
  return [
    ...(read?.ok === false ? [fieldError('key', 'malformed', `${read.error}. ${GIVE_KEY}`)] : []),
    ...(address === null ? [] : [fieldError('jwks', 'malformed', address)]),
    ...(key !== undefined && jwks !== undefined
      ? [fieldError('jwks', 'conflict', 'cannot be used together with `key`: leave one of the two out')]
      : []),
  ];
}

const GIVE_KEY = "Copy the sender's whole block from `-----BEGIN PUBLIC KEY-----` on, or its JWK with `kty`";

const ANY_HOST = /./;

function whyNoKeySet(text: string): string | null {
  const url = pinnedUrl(text, ANY_HOST);
  if (url === null)
    return 'must be a plain https address without a port, such as `https://api.example.com/.well-known/jwks.json`';
  const why = whyNotPublic(url.hostname);
  return why === null ? null : `must be a public address, but ${why}: name the sender's own host`;
}
