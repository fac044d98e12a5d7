import * as z from 'zod/mini';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import { headerNames, name, tolerance } from '../signed/signed-knobs.ts';

const jwtKnobs = strictDocument({
  scheme: z.literal('jwt'),
  header: headerNames,
  /** Text before the token, e.g. `Bearer `; upper and lower case are alike. */
  prefix: z.optional(name),
  prefix_optional: z.optional(z.boolean({ error: 'must be true or false' })),
  algorithm: z._default(oneOf(['HS256', 'HS384', 'HS512']), 'HS256'),
  /** What `iss` must be. */
  issuer: z.optional(name),
  /** `url`: `aud`, where there is one, must be the address as the sender has it. */
  audience: z.optional(oneOf(['url'])),
  /** The claim that holds the body's SHA-256 in hex. */
  body_hash_claim: z.optional(name),
  /** Says that the author knows that the token does not cover the body. */
  unsigned_body: z.optional(z.literal(true, { error: 'must be true or absent' })),
  /** Refuse a token without `exp`. */
  require_exp: z.optional(z.boolean({ error: 'must be true or false' })),
  /** How far the sender's clock may be off when `exp`, `nbf` and `iat` are looked at. */
  tolerance,
});

export type JwtScheme = z.output<typeof jwtKnobs>;

/** `verify: { scheme: jwt, … }`: a compact JWS in a header, whose claims say more or less of the request. */
export const jwtSchema = jwtKnobs.check(
  z.superRefine((scheme, context) => {
    if (scheme.prefix_optional !== undefined && scheme.prefix === undefined) {
      context.addIssue({ code: 'custom', path: ['prefix_optional'], message: 'needs a `prefix`' });
    }
    if (scheme.body_hash_claim === undefined && scheme.unsigned_body !== true) {
      context.addIssue({
        code: 'custom',
        path: [],
        message:
          'does not cover the body, so anyone who sees one request can send another body with its token: name the claim with its hash in `body_hash_claim`, or write `unsigned_body: true` if the sender really has none',
      });
    }
  }),
);
