import type { Result } from '../../lib/result.ts';
import type { VerifyContext } from '../certificates/context.ts';
import type { Match } from '../basics/match.ts';
import type { Rejection } from '../basics/rejection.ts';
import type { SignedRequest } from '../basics/request.ts';
import { verifyPaypal } from './rsa-paypal.ts';
import type { RsaScheme } from './rsa-scheme.ts';
import { verifySns } from './rsa-sns.ts';

const FORMATS = { sns: verifySns, paypal: verifyPaypal } as const;

/** The secret (a topic's ARN, a webhook's id) that the request was signed for. */
export const verifyRsa = (
  scheme: RsaScheme,
  secrets: readonly string[],
  request: SignedRequest,
  context: VerifyContext,
): Promise<Result<Match, Rejection>> => FORMATS[scheme.format](scheme, secrets, request, context);
