import { ok, type Result } from '../../lib/result.ts';
import type { Timestamp } from './signed-options.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';

/** Plain digits: `Number` would also take `1e9`, `0x5`, `+5` and spaces. 15 of them are still exact. */
const DIGITS = /^\d{1,15}$/;
/**
 * A number with at least this many digits is in milliseconds (since 1973); in seconds it would be after the year 5000.
 */
const MILLISECOND_DIGITS = 12;
/** RFC 3339 with its zone: without a zone, the time would depend on the reader. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Checks that the request was signed about now (`now` in ms). `text` is the timestamp as it was sent, and `place` names
 * it in the refusal.
 */
export function checkFreshness(
  text: string,
  { unit, tolerance }: Timestamp,
  place: string,
  now: number,
): Result<void, SignatureRefusal> {
  const signedAt = toMilliseconds(text, unit);
  if (signedAt === null) return refuse('malformed', `${place} is not ${DESCRIPTIONS[unit]}`);
  const age = now - signedAt;
  if (Math.abs(age) <= tolerance) return ok(undefined);
  const seconds = Math.round(Math.abs(age) / 1_000);
  const direction = age > 0 ? 'old' : 'ahead of the clock here';
  return refuse('stale', `${place} is ${seconds} s ${direction}; ${tolerance / 1_000} s are allowed`);
}

const DESCRIPTIONS: Readonly<Record<Timestamp['unit'], string>> = {
  s: 'a time in seconds, in plain digits',
  ms: 'a time in milliseconds, in plain digits',
  iso8601: 'a time such as 2026-01-31T12:00:00Z',
  auto: 'a time in seconds or milliseconds, in plain digits',
};

function toMilliseconds(text: string, unit: Timestamp['unit']): number | null {
  if (unit !== 'iso8601')
    return DIGITS.test(text) ? Number(text) * (inSeconds(text, unit) ? 1_000 : 1) : null;
  const time = ISO_8601.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

const inSeconds = (digits: string, unit: Timestamp['unit']): boolean =>
  unit === 's' || (unit === 'auto' && digits.length < MILLISECOND_DIGITS);
