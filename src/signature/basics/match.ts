import { createHash } from 'node:crypto';
import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { ok } from '../../lib/result.ts';
import { refuse, type Checked } from './request.ts';
import { decodeText } from '../../lib/encoding.ts';

/**
 * The signed part, if the signature does not cover every byte of the body: anyone who has seen the request can send
 * another body with it. So the signed part makes one event, whatever the rest of the request contains.
 */
export interface SignedOnce {
  /** The digest of each signed text, in hex: one for a request, or one for each element of a list. */
  readonly digests: readonly string[];
  /** The time from now for which such a request is still accepted, in ms; 0 for ever, since it has no time. */
  readonly freshMs: number;
}

export interface Match {
  /** Its index; null if the source needs none. */
  readonly secret: number | null;
  /** Null if the signature covers the body, or there is none. */
  readonly once: SignedOnce | null;
}

/** Returns a match for a request that shows a secret, or is signed as a whole. */
export const bySecret = (secret: number): Match => ({ secret, once: null });

export const digestOf = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex');

/** A time may be as far ahead as behind, so a request can be accepted for twice the tolerance (ms). */
export const freshFor = (tolerance: number | undefined): number => 2 * (tolerance ?? 0);

/** Longer than any token in use, and short enough to hash quickly. UTF-16 units. */
export const MAX_CREDENTIAL = 4_096;

/** The index of the first secret that equals `given`. All are compared, so the duration does not reveal which. */
export async function matchToken(
  given: string,
  secrets: readonly string[],
  what: string,
): Promise<Checked<number>> {
  const equal = await Promise.all(secrets.map(async (secret) => equalsInConstantTime(given, secret)));
  const index = equal.indexOf(true);
  return index >= 0
    ? ok(index)
    : refuse(
        'mismatch',
        `${what} is ${secrets.length === 1 ? 'not the one' : `none of the ${secrets.length}`} accepted`,
      );
}

/** The SHA-256 of the body in hex. `place`: that of the value in the request, for refusals. */
export async function isHashOf(body: Uint8Array, value: unknown, place: string): Promise<Checked<void>> {
  const given = typeof value === 'string' ? decodeText(value, 'hex') : null;
  if (given?.byteLength !== 32) return refuse('malformed', `${place} is not a SHA-256 in hex`);
  const actual = await crypto.subtle.digest('SHA-256', body);
  return crypto.subtle.timingSafeEqual(given, actual)
    ? ok(undefined)
    : refuse('mismatch', `${place} is not the SHA-256 of the body`);
}
