import * as z from 'zod/mini';
import { strictDocument } from '../../schema/parts.ts';
import { ok, type Result } from '../../lib/result.ts';
import { decodeText, decodeUtf8 } from '../basics/encoding.ts';
import { MAX_CREDENTIAL, matchToken } from '../basics/match.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import type { SignedRequest } from '../basics/request.ts';

/** `verify: { scheme: basic }`: HTTP Basic (RFC 7617); the secret is "user:password" in UTF-8. */
export const basicSchema = strictDocument({ scheme: z.literal('basic') });

/** Returns the index of the secret in the `Authorization` header. */
export async function verifyBasic(
  secrets: readonly string[],
  request: SignedRequest,
): Promise<Result<number, SignatureRefusal>> {
  const incomplete = secrets.findIndex((secret) => !secret.includes(':'));
  if (incomplete >= 0) {
    return refuse(
      'misconfigured',
      `secret ${incomplete + 1} of ${secrets.length} must have the form "user:password"`,
    );
  }
  const credentials = readCredentials(request.headers.get('Authorization'));
  if (!credentials.ok) return credentials;
  return matchToken(credentials.value, secrets, 'the login in header Authorization');
}

/** A user cannot contain a colon, so comparing "user:password" as a whole is the same as splitting it. */
function readCredentials(header: string | null): Result<string, SignatureRefusal> {
  if (header === null || header === '') return refuse('missing_header', 'header Authorization is missing');
  if (header.length > MAX_CREDENTIAL) return refuse('malformed', 'header Authorization is too long');
  const [, encoded] = /^basic +(\S+)$/i.exec(header) ?? [];
  if (encoded === undefined) return refuse('malformed', 'header Authorization is not `Basic` and base64');
  const bytes = decodeText(encoded, 'base64');
  // Lenient decoding would make different passwords equal; so would a dropped byte order mark.
  const credentials = bytes === null ? null : decodeUtf8(bytes);
  if (credentials === null || !credentials.includes(':')) {
    return refuse('malformed', 'header Authorization is not base64 of "user:password" in UTF-8');
  }
  return ok(credentials);
}
