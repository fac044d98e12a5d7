import * as z from 'zod/mini';
import { err, ok, type Result } from '../../lib/result.ts';
import { SingleFlight } from '../../lib/cache.ts';
import { readAnswer } from '../../lib/body.ts';
import { describeError } from '../../lib/log.ts';
import { HOUR } from '../../lib/time.ts';
import { withTimeout } from '../../lib/wait.ts';
import { type SignedRequest, refuse, type Checked, type SignatureRefusal } from '../basics/request.ts';
import { X509Certificate } from 'node:crypto';
import { algorithmOf, MIN_RSA_BITS, importKey, type PublicAlgorithm, readJwk } from '../basics/public-key.ts';
import { maybeJson } from '../../lib/json.ts';
import { type JwtClaimRules, type Jws, type TokenClaims, verifiedClaims } from '../basics/jws.ts';

/** The surroundings of a verification. Always passed in, so that tests can set them. */
export interface VerifyContext {
  readonly now: number;
  /** For certificates and keys, only from the hosts of their scheme. */
  readonly fetch: typeof fetch;
}

/** What a scheme verifies: a request, with any of the secrets. */
export interface Attempt extends VerifyContext {
  readonly secrets: readonly string[];
  readonly request: SignedRequest;
}

/** The content of the address is not available now. */
export interface NotFetched {
  readonly fault: string;
  /** False if another call asked a moment ago, or is asking now, so this call did not ask again. */
  readonly asked: boolean;
}

/** The state of an address. Times in ms. */
interface Known<Value> {
  answer: { readonly value: Value; readonly at: number } | null;
  failure: { readonly fault: string; readonly at: number } | null;
  readonly fetching: SingleFlight<Result<Value, string>>;
}

/** The time for which an answer is used: senders replace a key every few weeks, with an overlap of days. */
export const FRESH_MS = HOUR;
const TIMEOUT_MS = 5_000;
/** A chain of certificates, or two keys with theirs, have some kilobytes. */
const MAX_BYTES = 65_536;
/** The time for which an address is not asked again after a failure. */
const AFTER_FAILURE_MS = 5_000;
/** A sender has one or two addresses, and changes them once a year. */
const MAX_ADDRESSES = 64;
/** The most addresses asked at once that never answered: a sender may have invented them. */
const MAX_NEW_AT_ONCE = 4;

/** What others serve, by address: asked once at a time, used while fresh. Callers check where it points. */
export class Fetched<Value> {
  readonly #read: (text: string) => Promise<Result<Value, string>>;
  readonly #init: RequestInit;
  readonly #known = new Map<string, Known<Value>>();
  /** The start times of fetches from addresses that never answered. Times, since a cancelled request ends nothing. */
  #newSince: readonly number[] = [];

  constructor(read: (text: string) => Promise<Result<Value, string>>, init: RequestInit) {
    this.#read = read;
    this.#init = init;
  }

  /** Returns the content of `address`, no older than `maxAgeMs` when the request that needs it came. */
  async get(
    address: string,
    { now, fetch }: VerifyContext,
    maxAgeMs = FRESH_MS,
  ): Promise<Result<Value, NotFetched>> {
    const known = this.#known.get(address) ?? this.#add(address);
    if (known.answer !== null && isWithin(maxAgeMs, known.answer.at, now)) return ok(known.answer.value);
    // A caller to whom the answer is too old, while it is fresh, asks as seldom as if it came.
    const pause = maxAgeMs < FRESH_MS ? maxAgeMs : AFTER_FAILURE_MS;
    if (known.failure !== null && isWithin(pause, known.failure.at, now))
      return err({ fault: known.failure.fault, asked: false });
    let asked = false;
    const ask = async (): Promise<Result<Value, string>> => {
      asked = true;
      const text = await this.#textAt(address, fetch);
      return text.ok ? this.#read(text.value) : text;
    };
    try {
      const got = await known.fetching.run(now, () => this.#ask(known, now, ask));
      return got.ok ? got : err({ fault: got.error, asked });
    } catch {
      return err({ fault: 'its server did not answer in time', asked });
    }
  }

  async #ask(
    known: Known<Value>,
    now: number,
    fetch: () => Promise<Result<Value, string>>,
  ): Promise<Result<Value, string>> {
    const isNew = known.answer === null;
    if (isNew && !this.#mayAskNew(now)) return err('too many others are being fetched');
    const got = await fetch();
    if (isNew) this.#newSince = without(this.#newSince, now);
    if (got.ok) known.answer = { value: got.value, at: now };
    else known.failure = { fault: got.error, at: now };
    return got;
  }

  #mayAskNew(now: number): boolean {
    this.#newSince = this.#newSince.filter((at) => Math.abs(now - at) < TIMEOUT_MS);
    if (this.#newSince.length >= MAX_NEW_AT_ONCE) return false;
    this.#newSince = [...this.#newSince, now];
    return true;
  }

  async #textAt(address: string, fetch: VerifyContext['fetch']): Promise<Result<string, string>> {
    try {
      return await withTimeout(TIMEOUT_MS, async (signal) => {
        const response = await fetch(address, { ...this.#init, redirect: 'manual', signal });
        const { text, complete } = await readAnswer(response, MAX_BYTES);
        if (response.status !== 200) return err(`its server answered ${response.status}`);
        return complete ? ok(text) : err('the answer was cut off or is too long');
      });
    } catch (thrown) {
      return err(`its server could not be reached (${describeError(thrown).slice(0, 200)})`);
    }
  }

  /** Adds an address, in place of the oldest that never answered, so that invented addresses displace no answer. */
  #add(address: string): Known<Value> {
    const fetching = new SingleFlight<Result<Value, string>>(TIMEOUT_MS, 'late');
    const known: Known<Value> = { answer: null, failure: null, fetching };
    if (this.#known.size >= MAX_ADDRESSES) {
      const [oldest = ''] = this.#known.keys();
      const unanswered = [...this.#known].find(([, { answer }]) => answer === null)?.[0];
      this.#known.delete(unanswered ?? oldest);
    }
    this.#known.set(address, known);
    return known;
  }
}

const without = (times: readonly number[], one: number): readonly number[] => {
  const at = times.indexOf(one);
  return times.filter((_, index) => index !== at);
};

/**
 * True if less than this time has passed. A request may be older than the answer to another one: a sender who holds
 * back the end of a body must not cause a fetch by that. If it is older by more than an hour, a clock was set back.
 */
const isWithin = (ms: number, since: number, now: number): boolean => now - since < ms && since - now < HOUR;

/**
 * SNS itself, in each region. AWS's own libraries accept any one label between `sns` and `amazonaws`, which also allows
 * `sns.s3-us-west-2.amazonaws.com`: a bucket that anybody could own. The name of a region has digits only at its end.
 */
export const SNS_HOST = /^sns\.[a-z]{2,}(?:-[a-z]+)+-\d{1,2}\.amazonaws\.com(?:\.cn)?$/;

/** PayPal's API and its other hosts below its domain; live and sandbox have different hosts. */
export const PAYPAL_HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+paypal\.com$/;

const MAX_URL = 2_048;
/** The URL parser drops line breaks and trims spaces, so the checked address would differ from the written one. */
const PLAIN = /^[\x21-\x7e]+$/;

/** An address that a request names for us to call; null unless plain https and `host` matches its whole host. */
export function pinnedUrl(text: string, host: RegExp): URL | null {
  if (text.length > MAX_URL || !PLAIN.test(text) || text.includes('#')) return null;
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || !host.test(url.hostname)) return null;
  return url.username === '' && url.password === '' && url.port === '' ? url : null;
}

type SignatureHash = 'SHA-1' | 'SHA-256';

type Keys = Readonly<Record<SignatureHash, CryptoKey>>;

interface Certificate {
  /** Null if it has no RSA key, or one that is too short. */
  readonly keys: Keys | null;
  readonly validFrom: number;
  readonly validTo: number;
}

/** At the very beginning: if an answer only quotes a certificate, the certificate may come from anyone. */
const FIRST_OF_CHAIN = /^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----)/;

/** Requests share only the answer of a server, never a certificate's validity. */
const certificates = new Fetched(readCertificate, {
  // At the edge, only a certificate is kept: an error would be repeated for an hour.
  cf: { cacheEverything: true, cacheTtlByStatus: { '200': FRESH_MS / 1_000, '201-599': -1 } },
});

/**
 * Of the first of a chain in PEM. The caller checks where `url` points. The chain is not followed to a root: the
 * certificate counts as the sender's because its own host served it, over TLS.
 */
export async function certificateAt(url: URL, context: VerifyContext): Promise<Checked<Keys>> {
  const served = await certificates.get(url.href, context);
  if (!served.ok)
    return refuse(
      'unavailable',
      `the certificate of the signature could not be fetched: ${served.error.fault}`,
    );
  const { keys, validFrom, validTo } = served.value;
  if (keys === null)
    return refuse('mismatch', `the signature's certificate has no RSA key of at least ${MIN_RSA_BITS} bits`);
  // Checked for each request, since a certificate can expire while it is kept.
  return context.now >= validFrom && context.now <= validTo
    ? ok(keys)
    : refuse('mismatch', "the signature's certificate has expired or is not valid yet");
}

export const isSignedWith = (
  keys: Keys,
  hash: SignatureHash,
  content: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> => crypto.subtle.verify('RSASSA-PKCS1-v1_5', keys[hash], signature, content);

async function readCertificate(text: string): Promise<Result<Certificate, string>> {
  const [, pem] = FIRST_OF_CHAIN.exec(text) ?? [];
  const parsed = pem === undefined ? null : parse(pem);
  if (parsed === null) return err('its server did not return a certificate');
  const { validFrom, validTo } = parsed;
  return ok({ keys: await rsaKeys(parsed), validFrom: Date.parse(validFrom), validTo: Date.parse(validTo) });
}

function parse(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

async function rsaKeys(certificate: X509Certificate): Promise<Keys | null> {
  try {
    // workerd throws here for kinds of keys that it does not know.
    const { publicKey } = certificate;
    if (algorithmOf(publicKey) !== 'RS256') return null;
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    const [sha1, sha256] = await Promise.all([verifyKey(spki, 'SHA-1'), verifyKey(spki, 'SHA-256')]);
    return { 'SHA-1': sha1, 'SHA-256': sha256 };
  } catch {
    return null;
  }
}

const verifyKey = (spki: Uint8Array, hash: SignatureHash): Promise<CryptoKey> =>
  crypto.subtle.importKey('spki', spki, { name: 'RSASSA-PKCS1-v1_5', hash }, false, ['verify']);

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

/** Null if `attempt` can do nothing with the keys, also once they are fetched again. The caller checks the host. */
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
