import { JWKSNoMatchingKey } from 'jose/errors';
import { createRemoteJWKSet, customFetch, type FetchImplementation } from 'jose/jwks/remote';
import * as z from 'zod/mini';
import { describeError, log } from '../../lib/log.ts';
import { readAnswer } from '../../lib/read-answer.ts';
import { err, ok, type Result } from '../../lib/result.ts';

/** What the keys are fetched with; `now` in ms. */
export interface AccessContext {
  readonly now: number;
  readonly fetch: typeof fetch;
}

/** A key is replaced every six weeks, and the former one is valid for another week. */
const CACHE_MS = 60 * 60_000;
/** Tokens with invented key ids must not cause a call each. */
const REFETCH_MS = 60_000;
const AFTER_FAILURE_MS = 5_000;
const TIMEOUT_MS = 5_000;
/** Two keys with their certificates have five kilobytes; this leaves a margin. */
const MAX_BYTES = 65_536;
const MAX_KEYS = 16;

/** What is known of a team's keys. Times in ms. */
interface TeamKeys {
  readonly set: ReturnType<typeof createRemoteJWKSet>;
  fetchedAt: number;
  askedAt: number;
  failedAt: number;
}

/** A deployment has one team. */
const teams = new Map<string, TeamKeys>();

/** The team's key of this id; null: it has none. The error: its keys are not available now. */
export async function accessKey(
  team: string,
  kid: string,
  context: AccessContext,
): Promise<Result<CryptoKey | null, 'unavailable'>> {
  const known = teams.get(team) ?? newTeam(team, context.fetch);
  teams.set(team, known);
  const { now } = context;
  try {
    const isFresh = isWithin(CACHE_MS, known.fetchedAt, now);
    const key = isFresh ? await findKey(known, kid) : null;
    if (isFresh && (key !== null || isWithin(REFETCH_MS, known.askedAt, now))) return ok(key);
    if (isWithin(AFTER_FAILURE_MS, known.failedAt, now)) return err('unavailable');
    known.askedAt = now;
    await known.set.reload();
    const fetched = await findKey(known, kid);
    known.fetchedAt = now;
    return ok(fetched);
  } catch (thrown) {
    known.failedAt = now;
    log('error', 'admin.access.failed', { team, error: describeError(thrown).slice(0, 200) });
    return err('unavailable');
  }
}

/** False for no moment, and for one in the future: the clock went back. */
const isWithin = (ms: number, since: number, now: number): boolean => now >= since && now - since < ms;

async function findKey({ set }: TeamKeys, kid: string): Promise<CryptoKey | null> {
  try {
    return await set({ alg: 'RS256', kid });
  } catch (thrown) {
    if (thrown instanceof JWKSNoMatchingKey) return null;
    throw thrown;
  }
}

const newTeam = (team: string, fetch: AccessContext['fetch']): TeamKeys => ({
  set: createRemoteJWKSet(new URL(`https://${team}/cdn-cgi/access/certs`), {
    timeoutDuration: TIMEOUT_MS,
    // jose's cache uses the real clock, and does not wait after a failure: `accessKey` decides when keys are fetched.
    cacheMaxAge: Infinity,
    cooldownDuration: Infinity,
    [customFetch]: fetchBounded(fetch),
  }),
  fetchedAt: NaN,
  askedAt: NaN,
  failedAt: NaN,
});

const keySetSchema = z.object({ keys: z.array(z.unknown()) });

/**
 * The answer with only the fields that are used. `jose` refuses redirects, and all keys for one that is not even an
 * object.
 */
const fetchBounded =
  (fetch: AccessContext['fetch']): FetchImplementation =>
  async (url, init) => {
    const response = await fetch(url, init);
    const { text, complete } = await readAnswer(response, MAX_BYTES);
    if (response.status !== 200 || !complete) throw new Error(`answered ${response.status}`);
    const { keys } = keySetSchema.parse(JSON.parse(text));
    return Response.json({ keys: keys.slice(0, MAX_KEYS).filter((key) => key instanceof Object) });
  };
