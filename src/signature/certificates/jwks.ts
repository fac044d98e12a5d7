import * as z from 'zod/mini';
import { describeError } from '../../lib/log.ts';
import { readAnswer } from '../../lib/read-answer.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { withTimeout } from '../../lib/timeout.ts';
import type { VerifyContext } from './context.ts';

/** Cloudflare and Google replace a key every few weeks, and the former one is valid for another week. */
const CACHE_MS = 60 * 60_000;
/** Tokens with invented key ids must not cause a call each. */
const REFETCH_MS = 60_000;
const AFTER_FAILURE_MS = 5_000;
const TIMEOUT_MS = 5_000;
/** Two keys with their certificates have five kilobytes; this leaves a margin. */
const MAX_BYTES = 65_536;
const MAX_KEYS = 16;

/** What is known of an issuer's keys. Times in ms. */
interface IssuerKeys {
  set: KeySet;
  fetchedAt: number;
  askedAt: number;
  failedAt: number;
}

/** By their ids. */
type KeySet = ReadonlyMap<string, CryptoKey>;

const NO_KEYS: KeySet = new Map();

/** By address: a deployment has one Access team, and few issuers are known here. */
const issuers = new Map<string, IssuerKeys>();

/** The keys are not available now. */
export interface NoKeys {
  readonly why: string;
  /** False: they were asked for a moment ago, and this call did not ask again. */
  readonly asked: boolean;
}

/**
 * The key of this id in the JSON Web Key Set at `url` (RFC 7517 §5), for RS256; null: there is none. The caller checks
 * where `url` points: whose host serves the keys is all that makes them that issuer's.
 */
export async function jwksKey(
  url: string,
  kid: string,
  { now, fetch }: VerifyContext,
): Promise<Result<CryptoKey | null, NoKeys>> {
  const known = issuers.get(url) ?? { set: NO_KEYS, fetchedAt: NaN, askedAt: NaN, failedAt: NaN };
  issuers.set(url, known);
  const isFresh = isWithin(CACHE_MS, known.fetchedAt, now);
  const key = isFresh ? (known.set.get(kid) ?? null) : null;
  if (isFresh && (key !== null || isWithin(REFETCH_MS, known.askedAt, now))) return ok(key);
  if (isWithin(AFTER_FAILURE_MS, known.failedAt, now))
    return err({ why: 'they could not be fetched a moment ago', asked: false });
  known.askedAt = now;
  try {
    known.set = await fetchKeys(url, fetch);
    known.fetchedAt = now;
    return ok(known.set.get(kid) ?? null);
  } catch (thrown) {
    known.failedAt = now;
    return err({ why: describeError(thrown).slice(0, 200), asked: true });
  }
}

/** False for no moment, and for one in the future: the clock went back. */
const isWithin = (ms: number, since: number, now: number): boolean => now >= since && now - since < ms;

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

/** The keys of the kind that sign with RS256; others are passed over. */
const fetchKeys = (url: string, fetch: VerifyContext['fetch']): Promise<KeySet> =>
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
