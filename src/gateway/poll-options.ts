import { err, ok, type Result } from '../lib/result.ts';

/**
 * The gateway reads a poll's options as one comma-separated list, in which a comma cannot be escaped. U+201A, the low
 * single quotation mark, looks like a comma on a phone and separates nothing. The fullwidth comma U+FF0C would leave a
 * visible gap in Latin text.
 */
const COMMA_LOOK_ALIKE = '\u201A';

/**
 * Joins a poll's options for the gateway's `options` field. Trims each and drops none; a comma does not split an
 * option. Refuses fewer than two options, and empty ones.
 */
export function joinPollOptions(options: readonly string[]): Result<string, string> {
  const trimmed = options.map((option) => option.trim());
  const empty = trimmed.indexOf('');
  if (empty >= 0) return err(`option ${empty + 1} of the poll is empty`);
  if (trimmed.length < 2) return err(`a poll needs at least two options, and this one has ${trimmed.length}`);
  return ok(trimmed.map((option) => option.replaceAll(',', COMMA_LOOK_ALIKE)).join(','));
}
