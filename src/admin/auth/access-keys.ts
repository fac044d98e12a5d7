import * as z from 'zod/mini';
import { describeError, log } from '../../lib/log.ts';
import { readAnswer } from '../../lib/read-answer.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { withTimeout } from '../../lib/timeout.ts';

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
  set: KeySet;
  fetchedAt: number;
  askedAt: number;
  failedAt: number;
}

type KeySet = readonly z.output<typeof keySchema>[];

/** A deployment has one team. */
const teams = new Map<string, TeamKeys>();

/** The team's key of this id; null: it has none. The error: its keys are not available now. */
export async function accessKey(
  team: string,
  kid: string,
  context: AccessContext,
): Promise<Result<CryptoKey | null, 'unavailable'>> {
  const known = teams.get(team) ?? { set: [], fetchedAt: NaN, askedAt: NaN, failedAt: NaN };
  teams.set(team, known);
  const { now } = context;
  try {
    const isFresh = isWithin(CACHE_MS, known.fetchedAt, now);
    const key = isFresh ? await findKey(known.set, kid) : null;
    if (isFresh && (key !== null || isWithin(REFETCH_MS, known.askedAt, now))) return ok(key);
    if (isWithin(AFTER_FAILURE_MS, known.failedAt, now)) return err('unavailable');
    known.askedAt = now;
    known.set = await fetchKeys(team, context.fetch);
    const fetched = await findKey(known.set, kid);
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

async function findKey(set: KeySet, kid: string): Promise<CryptoKey | null> {
  const found = set.find((key) => key.kid === kid);
  if (found === undefined) return null;
  const { kty, n, e } = found;
  return crypto.subtle.importKey('jwk', { kty, n, e }, RS256, false, ['verify']);
}

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

/** A public key for RS256 (RFC 7517, RFC 7518 §6.3.1). */
const keySchema = z.object({
  kid: z.string(),
  kty: z.literal('RSA'),
  alg: z.optional(z.literal('RS256')),
  use: z.optional(z.literal('sig')),
  n: z.string(),
  e: z.string(),
});

const keySetSchema = z.object({ keys: z.array(z.unknown()) });

/** The keys of the kind that Access signs with; others are passed over. */
const fetchKeys = (team: string, fetch: AccessContext['fetch']): Promise<KeySet> =>
  withTimeout(TIMEOUT_MS, async (signal) => {
    const headers = { accept: 'application/json', 'user-agent': 'hookbell' };
    const url = `https://${team}/cdn-cgi/access/certs`;
    const response = await fetch(url, { redirect: 'manual', signal, headers });
    const { text, complete } = await readAnswer(response, MAX_BYTES);
    if (response.status !== 200 || !complete) throw new Error(`answered ${response.status}`);
    const { keys } = keySetSchema.parse(JSON.parse(text));
    return keys.slice(0, MAX_KEYS).flatMap((key) => keySchema.safeParse(key).data ?? []);
  });
