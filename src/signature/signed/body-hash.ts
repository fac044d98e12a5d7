import { ok, type Result } from '../../lib/result.ts';
import { decodeText } from '../basics/encoding.ts';
import { type PlaceInput, readPlace } from './place.ts';
import { reject, type Rejection } from '../basics/rejection.ts';

/**
 * That the query parameter `name` holds the SHA-256 of the body in hex. It proves the body because the address that it
 * is in is signed.
 */
export async function checkBodyHash(name: string, input: PlaceInput): Promise<Result<void, Rejection>> {
  const text = readPlace({ kind: 'query', name }, input);
  if (!text.ok) return text;
  const given = decodeText(text.value, 'hex');
  if (given?.byteLength !== 32) return reject('malformed', `query parameter ${name} is not a SHA-256 in hex`);
  const actual = await crypto.subtle.digest('SHA-256', input.request.body);
  return crypto.subtle.timingSafeEqual(given, actual)
    ? ok(undefined)
    : reject('mismatch', `query parameter ${name} is not the SHA-256 of the body`);
}
