import { err, ok, type Result } from '../lib/result.ts';

/** What must be in force for a change to be made, by `If-Match`: one of these versions, or whichever it is. */
export type Precondition = readonly number[] | '*';

/** RFC 9110 §13.1.1: entity tags in quotes, parted by commas. 15 digits are a number that is still exact. */
const TAGS = /^\s*(?:W\/)?"\d{1,15}"(?:\s*,\s*(?:W\/)?"\d{1,15}")*\s*$/;

/** Nobody compares with more versions than a few, and the header goes on to the registry. */
const MAX_TAGS = 20;

/**
 * An `If-Match` header. A weak tag counts as well: what the tag names is a version, the same in whatever bytes, and
 * Cloudflare makes a strong tag weak when it compresses the answer on its way to the client.
 */
export function parseIfMatch(header: string): Result<Precondition, string> {
  if (header.trim() === '*') return ok('*');
  const versions = TAGS.test(header) ? [...header.matchAll(/\d+/g)].map(([digits]) => Number(digits)) : [];
  return versions.length > 0 && versions.length <= MAX_TAGS
    ? ok(versions)
    : err('must be `*` or a version in quotes, as an `ETag` of this API gives it: "7"');
}

/** Whether the condition holds while this version is in force. */
export const holds = (condition: Precondition | undefined, version: number): boolean =>
  condition === undefined || condition === '*' || condition.includes(version);
