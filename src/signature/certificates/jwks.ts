import * as z from 'zod/mini';
import { describeError } from '../../lib/log.ts';
import { readAnswer } from '../../lib/body.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { withTimeout } from '../../lib/wait.ts';
import { type JwtClaimRules, type Jws, type TokenClaims, verifiedClaims } from '../basics/jws.ts';
import { importKey, type PublicAlgorithm, readJwk } from '../basics/public-key.ts';
import { refuse } from '../basics/request.ts';
import { type VerifyContext, Fetched, type NotFetched } from './fetched.ts';

/** Cloudflare and Google replace a key every few weeks, and the former one is valid for another week. */
const CACHE_MS = 60 * 60_000;
/** Tokens with invented key ids must not cause a call each. */
const REFETCH_MS = 60_000;
const TIMEOUT_MS = 5_000;
/** Two keys with their certificates have five kilobytes; this leaves a margin. */
const MAX_BYTES = 65_536;
const MAX_KEYS = 16;

/** A key of an issuer. Several may have the same `kid`, and a set of one key often has none. */
interface IssuerKey {
  readonly kid: string | undefined;
  readonly algorithm: PublicAlgorithm;
  readonly key: CryptoKey;
}

const issuers = new Fetched<readonly IssuerKey[], string>({
  freshMs: CACHE_MS,
  timeoutMs: TIMEOUT_MS,
  fault: (why) => why,
});

/** The reason why the keys are not available now. */
export type NoKeys = NotFetched<string>;

export const noKeys = ({ fault }: NoKeys) =>
  refuse('unavailable', `the issuer's keys could not be fetched: ${fault}`);

export const NOT_ISSUED = refuse('mismatch', "the token was not made with any of the issuer's keys");

/** Keys of the JSON Web Key Set at an address (RFC 7517 §5). */
export interface KeysAt {
  readonly url: string;
  readonly algorithm: PublicAlgorithm;
  /** Absent for all keys of the algorithm. */
  readonly kid?: unknown;
}

/**
 * Returns what `attempt` makes of such keys; null if it can do nothing with them. The caller checks where `url` points:
 * only the host that serves the keys makes them that issuer's. Since keys change, the set is fetched again before null
 * is returned, but at most once a minute.
 */
export async function withKeys<Value>(
  { url, algorithm, kid }: KeysAt,
  { now, fetch }: VerifyContext,
  attempt: (keys: readonly CryptoKey[]) => Promise<Value | null>,
): Promise<Result<Value | null, NoKeys>> {
  let tried: readonly IssuerKey[] | null = null;
  for (const maxAge of [CACHE_MS, REFETCH_MS]) {
    const set = await issuers.get(url, now, () => fetchKeys(url, fetch), maxAge);
    if (!set.ok) return set;
    if (set.value === tried) break;
    tried = set.value;
    const fitting = tried.filter((one) => one.algorithm === algorithm && (kid ?? one.kid) === one.kid);
    const value = await attempt(fitting.map(({ key }) => key));
    if (value !== null) return ok(value);
  }
  return ok(null);
}

/** Returns the claims of a token that one of the keys has signed; null if none has. */
export const issuedClaims = (
  jws: Jws,
  at: Omit<KeysAt, 'kid'>,
  rules: JwtClaimRules,
  context: VerifyContext,
): Promise<Result<TokenClaims | null, NoKeys>> =>
  withKeys({ ...at, kid: jws.header['kid'] }, context, async (keys) =>
    verifiedClaims(jws, keys, rules, context.now),
  );

const keySetSchema = z.object({ keys: z.array(z.unknown()) });
const idSchema = z.object({ kid: z.optional(z.string()) });

async function fetchKeys(
  url: string,
  fetch: VerifyContext['fetch'],
): Promise<Result<readonly IssuerKey[], string>> {
  try {
    return ok(await readKeys(url, fetch));
  } catch (thrown) {
    return err(describeError(thrown).slice(0, 200));
  }
}

/** Reads the keys that can be used; others are skipped. */
const readKeys = (url: string, fetch: VerifyContext['fetch']): Promise<readonly IssuerKey[]> =>
  withTimeout(TIMEOUT_MS, async (signal) => {
    const headers = { accept: 'application/json', 'user-agent': 'hookbell' };
    const response = await fetch(url, { redirect: 'manual', signal, headers });
    const { text, complete } = await readAnswer(response, MAX_BYTES);
    if (response.status !== 200 || !complete) throw new Error(`answered ${response.status}`);
    const { keys } = keySetSchema.parse(JSON.parse(text));
    const usable = await Promise.all(keys.slice(0, MAX_KEYS).map(readIssuerKey));
    if (usable.every((one) => one === null)) throw new Error('has no key that can be used');
    return usable.filter((one) => one !== null);
  });

async function readIssuerKey(value: unknown): Promise<IssuerKey | null> {
  const id = idSchema.safeParse(value);
  const read = readJwk(value);
  if (!id.success || !read.ok || read.value.algorithm === null) return null;
  const { algorithm, spki } = read.value;
  return { kid: id.data.kid, algorithm, key: await importKey(spki, algorithm) };
}
