import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { ok, type Result } from '../../lib/result.ts';
import { refuse, type SignatureRefusal } from './refusal.ts';

/** Longer than any token in use, and short enough to hash quickly. UTF-16 units. */
export const MAX_CREDENTIAL = 4_096;

/**
 * Returns the index of the first secret that equals `given`. It compares all of them, so that its duration does not
 * reveal which one matched.
 */
export async function matchToken(
  given: string,
  secrets: readonly string[],
  what: string,
): Promise<Result<number, SignatureRefusal>> {
  const equal = await Promise.all(secrets.map(async (secret) => equalsInConstantTime(given, secret)));
  const index = equal.indexOf(true);
  return index >= 0
    ? ok(index)
    : refuse(
        'mismatch',
        `${what} is ${secrets.length === 1 ? 'not the one' : `none of the ${secrets.length}`} accepted`,
      );
}
