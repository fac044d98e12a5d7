import { ok, type Result } from '../../lib/result.ts';
import { decodeText } from './encoding.ts';
import { refuse, type SignatureRefusal } from './refusal.ts';

/**
 * Checks that a value is the SHA-256 of the body in hex. `place`: the place of the value in the request, for refusals.
 */
export async function isHashOf(
  body: Uint8Array,
  value: unknown,
  place: string,
): Promise<Result<void, SignatureRefusal>> {
  const given = typeof value === 'string' ? decodeText(value, 'hex') : null;
  if (given?.byteLength !== 32) return refuse('malformed', `${place} is not a SHA-256 in hex`);
  const actual = await crypto.subtle.digest('SHA-256', body);
  return crypto.subtle.timingSafeEqual(given, actual)
    ? ok(undefined)
    : refuse('mismatch', `${place} is not the SHA-256 of the body`);
}
