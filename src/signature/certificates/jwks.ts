import * as z from 'zod/mini';
import { describeError } from '../../lib/log.ts';
import { readAnswer } from '../../lib/read-answer.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { withTimeout } from '../../lib/timeout.ts';
import type { VerifyContext } from './context.ts';
import { Fetched, type NotFetched } from './fetched.ts';

/** Cloudflare and Google replace a key every few weeks, and the former one is valid for another week. */
const CACHE_MS = 60 * 60_000;
/** Tokens with invented key ids must not cause a call each. */
const REFETCH_MS = 60_000;
const TIMEOUT_MS = 5_000;
/** Two keys with their certificates have five kilobytes; this leaves a margin. */
const MAX_BYTES = 65_536;
const MAX_KEYS = 16;

/** The keys by their ids. */
type KeySet = ReadonlyMap<string, CryptoKey>;

const issuers = new Fetched<KeySet, string>({
  freshMs: CACHE_MS,
  timeoutMs: TIMEOUT_MS,
  fault: (why) => why,
});

/** The reason why the keys are not available now. */
export type NoKeys = NotFetched<string>;

/**
 * Returns the key with this id in the JSON Web Key Set at `url` (RFC 7517 §5), for RS256; null if there is none. The
 * caller checks where `url` points: only the host that serves the keys makes them that issuer's. For an id that is not
 * in the set, the set is fetched again, but at most once a minute.
 */
export async function jwksKey(
  url: string,
  kid: string,
  { now, fetch }: VerifyContext,
): Promise<Result<CryptoKey | null, NoKeys>> {
  for (const maxAge of [CACHE_MS, REFETCH_MS]) {
    const set = await issuers.get(url, now, () => fetchKeys(url, fetch), maxAge);
    if (!set.ok) return set;
    const key = set.value.get(kid);
    if (key !== undefined) return ok(key);
  }
  return ok(null);
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

async function fetchKeys(url: string, fetch: VerifyContext['fetch']): Promise<Result<KeySet, string>> {
  try {
    return ok(await readKeys(url, fetch));
  } catch (thrown) {
    return err(describeError(thrown).slice(0, 200));
  }
}

/** Reads the keys of the kind that signs with RS256; others are skipped. */
const readKeys = (url: string, fetch: VerifyContext['fetch']): Promise<KeySet> =>
  withTimeout(TIMEOUT_MS, async (signal) => {
    const headers = { accept: 'application/json', 'user-agent': 'hookbell' };
    const response = await fetch(url, { redirect: 'manual', signal, headers });
    const { text, complete } = await readAnswer(response, MAX_BYTES);
    if (response.status !== 200 || !complete) throw new Error(`answered ${response.status}`);
    const { keys } = keySetSchema.parse(JSON.parse(text));
    const usable = keys.slice(0, MAX_KEYS).flatMap((key) => keySchema.safeParse(key).data ?? []);
    return new Map(await Promise.all(usable.map(importKey)));
  });

const importKey = async ({ kid, kty, n, e }: z.output<typeof keySchema>): Promise<[string, CryptoKey]> => [
  kid,
  await crypto.subtle.importKey('jwk', { kty, n, e }, RS256, false, ['verify']),
];
