import * as z from 'zod/mini';
import { readAnswer } from '../../lib/read-answer.ts';
import { describeError, log } from '../../lib/log.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { withTimeout } from '../../lib/timeout.ts';

/** What the keys are fetched with; `now` in ms. */
export interface AccessContext {
  readonly now: number;
  readonly fetch: typeof fetch;
}

/** A key is replaced every six weeks, and the one before goes on for a week. */
const CACHE_MS = 60 * 60_000;
/** Tokens with made-up key ids must not become as many calls. */
const REFETCH_MS = 60_000;
const AFTER_FAILURE_MS = 5_000;
const TIMEOUT_MS = 5_000;
/** Two keys with their certificates have five kilobytes. */
const MAX_BYTES = 65_536;
const MAX_KEYS = 16;

/** What is known of a team's keys. Times in ms. */
interface TeamKeys {
  keys: ReadonlyMap<string, CryptoKey>;
  fetchedAt: number;
  askedAt: number;
  failedAt: number;
}

/** A deployment has one team. What came is kept, never its promise: on Workers no request can wait for another's. */
const teams = new Map<string, TeamKeys>();

const NEVER = { fetchedAt: NaN, askedAt: NaN, failedAt: NaN };

/** The team's key of this id; null: it has none. The error: its keys cannot be had just now. */
export async function accessKey(
  team: string,
  kid: string,
  context: AccessContext,
): Promise<Result<CryptoKey | null, 'unavailable'>> {
  const known: TeamKeys = teams.get(team) ?? { keys: new Map(), ...NEVER };
  teams.set(team, known);
  const { now } = context;
  const isFresh = isWithin(CACHE_MS, known.fetchedAt, now);
  const key = known.keys.get(kid);
  if (isFresh && key !== undefined) return ok(key);
  if (isFresh && isWithin(REFETCH_MS, known.askedAt, now)) return ok(null);
  if (isWithin(AFTER_FAILURE_MS, known.failedAt, now)) return err('unavailable');
  known.askedAt = now;
  const fetched = await fetchKeys(team, context.fetch);
  if (fetched === null) {
    known.failedAt = now;
    return err('unavailable');
  }
  known.keys = fetched;
  known.fetchedAt = now;
  return ok(fetched.get(kid) ?? null);
}

/** False for a moment that never was, and for one that is ahead: the clock went back. */
const isWithin = (ms: number, since: number, now: number): boolean => now >= since && now - since < ms;

const keySetSchema = z.object({ keys: z.array(z.unknown()) });
const rsaKeySchema = z.object({
  kid: z.string(),
  kty: z.literal('RSA'),
  alg: z.optional(z.literal('RS256')),
  n: z.string(),
  e: z.string(),
});

/** The keys that the team signs with (RFC 7517); null when they do not come. */
async function fetchKeys(
  team: string,
  fetch: AccessContext['fetch'],
): Promise<ReadonlyMap<string, CryptoKey> | null> {
  try {
    const text = await withTimeout(TIMEOUT_MS, async (signal) => {
      const response = await fetch(`https://${team}/cdn-cgi/access/certs`, { redirect: 'manual', signal });
      const answer = await readAnswer(response, MAX_BYTES);
      if (response.status !== 200 || !answer.complete) throw new Error(`answered ${response.status}`);
      return answer.text;
    });
    const { keys } = keySetSchema.parse(JSON.parse(text));
    const imported = await Promise.all(keys.slice(0, MAX_KEYS).map(importRsa));
    return new Map(imported.flat());
  } catch (thrown) {
    log('error', 'admin.access.failed', { team, error: describeError(thrown).slice(0, 200) });
    return null;
  }
}

/** None for a key of another kind: a team may get one some day, beside those that are understood here. */
async function importRsa(jwk: unknown): Promise<[string, CryptoKey][]> {
  const parsed = rsaKeySchema.safeParse(jwk);
  if (!parsed.success) return [];
  const { kid, kty, n, e } = parsed.data;
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  return [[kid, await crypto.subtle.importKey('jwk', { kty, n, e }, algorithm, false, ['verify'])]];
}
