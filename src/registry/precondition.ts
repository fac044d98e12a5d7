import { err, ok, type Result } from '../lib/result.ts';

/** The versions, from `If-Match`, one of which must be active for a change to be made; `*` for any. */
export type Precondition = readonly number[] | '*';

/** RFC 9110 §13.1.1: entity tags in quotes, separated by commas. A number of 15 digits is still exact. */
const TAGS = /^\s*(?:W\/)?"\d{1,15}"(?:\s*,\s*(?:W\/)?"\d{1,15}")*\s*$/;

/** Nobody needs more than a few versions, and the header is passed on to the registry. */
const MAX_TAGS = 20;

/**
 * Parses an `If-Match` header. A weak tag counts as well: the tag names a version, not its bytes, and Cloudflare makes
 * a strong tag weak when it compresses an answer.
 */
export function parseIfMatch(header: string): Result<Precondition, string> {
  if (header.trim() === '*') return ok('*');
  const versions = TAGS.test(header) ? [...header.matchAll(/\d+/g)].map(([digits]) => Number(digits)) : [];
  return versions.length > 0 && versions.length <= MAX_TAGS
    ? ok(versions)
    : err('must be `*` or a version in quotes, as this API sends it in `ETag`: "7"');
}

/** True if the condition holds while this version is in force. */
export const holds = (condition: Precondition | undefined, version: number): boolean =>
  condition === undefined || condition === '*' || condition.includes(version);
