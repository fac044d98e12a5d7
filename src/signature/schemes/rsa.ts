import * as z from 'zod/mini';
import type { Result } from '../../lib/result.ts';
import { oneOf, strictDocument } from '../../schema/parts.ts';
import type { Match } from '../basics/match.ts';
import type { SignatureRefusal } from '../basics/refusal.ts';
import type { SignedRequest } from '../basics/request.ts';
import type { VerifyContext } from '../certificates/context.ts';
import { tolerance } from '../signed/signed-options.ts';
import { verifyPaypal } from './rsa-paypal.ts';
import { verifySns } from './rsa-sns.ts';

/**
 * `verify: { scheme: rsa, format: … }`: signed with a certificate that the sender names; it is fetched only from the
 * format's own hosts. The "secret" ties a request to this source. `sns`: the topic's ARN; `paypal`: the webhook's id.
 */
export const rsaSchema = strictDocument({
  scheme: z.literal('rsa'),
  format: oneOf(['sns', 'paypal']),
  tolerance,
});

type RsaScheme = z.output<typeof rsaSchema>;

const FORMATS = { sns: verifySns, paypal: verifyPaypal } as const;

/** Returns the secret (a topic's ARN, a webhook's id) that the request was signed for. */
export const verifyRsa = (
  scheme: RsaScheme,
  secrets: readonly string[],
  request: SignedRequest,
  context: VerifyContext,
): Promise<Result<Match, SignatureRefusal>> => FORMATS[scheme.format](scheme, secrets, request, context);
