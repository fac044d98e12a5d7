import * as z from 'zod/mini';
import { maybeJson } from '../../lib/json.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { type JwtClaimRules, type Jws, type TokenClaims, verifiedClaims } from '../basics/jws.ts';
import { importKey, type PublicAlgorithm, readJwk } from '../basics/public-key.ts';
import { refuse, type SignatureRefusal } from '../basics/request.ts';
import { FRESH_MS, type VerifyContext, Fetched } from './fetched.ts';

/** Tokens with invented key ids must not cause a call each. */
const REFETCH_MS = 60_000;
const MAX_KEYS = 16;

/** A key of an issuer. Several may have the same `kid`, and a set of one key often has none. */
type IssuerKey = Readonly<{ kid: string | undefined; algorithm: PublicAlgorithm; key: CryptoKey }>;

const issuers = new Fetched(readKeys, { headers: { accept: 'application/json', 'user-agent': 'hookbell' } });

/** A refusal; if the keys are not available now, `asked` says whether their server was asked for this request. */
type IssuerRefusal = SignatureRefusal & { readonly asked?: boolean };

const NOT_ISSUED = refuse('mismatch', "the token was not made with any of the issuer's keys");

/** Keys of the JSON Web Key Set at an address (RFC 7517 §5). */
interface KeysAt {
  readonly url: string;
  readonly algorithm: PublicAlgorithm;
  /** Absent for all keys of the algorithm. */
  readonly kid?: unknown;
}

/**
 * Null if `attempt` can do nothing with the keys, which change: so they are fetched again before, once a minute at
 * most. The caller checks where `url` points: only its host makes the keys that issuer's.
 */
export async function withKeys<Value>(
  { url, algorithm, kid }: KeysAt,
  context: VerifyContext,
  attempt: (keys: readonly CryptoKey[]) => Promise<Value | null>,
): Promise<Result<Value | null, IssuerRefusal>> {
  let tried: readonly IssuerKey[] | null = null;
  for (const maxAge of [FRESH_MS, REFETCH_MS]) {
    const set = await issuers.get(url, context, maxAge);
    if (!set.ok) {
      const { fault, asked } = set.error;
      return err({ code: 'unavailable', detail: `the issuer's keys could not be fetched: ${fault}`, asked });
    }
    if (set.value === tried) break;
    tried = set.value;
    const fitting = tried.filter((one) => one.algorithm === algorithm && (kid ?? one.kid) === one.kid);
    const value = await attempt(fitting.map(({ key }) => key));
    if (value !== null) return ok(value);
  }
  return ok(null);
}

export async function issuedClaims(
  jws: Jws,
  at: Omit<KeysAt, 'kid'>,
  rules: JwtClaimRules,
  context: VerifyContext,
): Promise<Result<TokenClaims, IssuerRefusal>> {
  const { kid } = jws.header;
  const issued = await withKeys({ ...at, kid }, context, async (keys) =>
    verifiedClaims(jws, keys, rules, context.now),
  );
  return issued.ok ? (issued.value ?? NOT_ISSUED) : issued;
}

const keySetSchema = z.object({ keys: z.array(z.unknown()) });
const idSchema = z.object({ kid: z.optional(z.string()) });

async function readKeys(text: string): Promise<Result<readonly IssuerKey[], string>> {
  const set = keySetSchema.safeParse(maybeJson(text));
  if (!set.success) return err('its server did not return a set of keys');
  const read = await Promise.all(set.data.keys.slice(0, MAX_KEYS).map(readIssuerKey));
  const usable = read.filter((one) => one !== null);
  return usable.length === 0 ? err('its server has no key that can be used') : ok(usable);
}

async function readIssuerKey(value: unknown): Promise<IssuerKey | null> {
  const id = idSchema.safeParse(value);
  const read = readJwk(value);
  if (!id.success || !read.ok || read.value.algorithm === null) return null;
  const { algorithm, spki } = read.value;
  return { kid: id.data.kid, algorithm, key: await importKey(spki, algorithm) };
}
