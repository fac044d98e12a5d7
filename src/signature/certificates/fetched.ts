import * as z from 'zod/mini';
import { err, ok, type Result } from '../../lib/result.ts';
import { SingleFlight } from '../../lib/cache.ts';
import { readAnswer } from '../../lib/body.ts';
import { describeError } from '../../lib/log.ts';
import { HOUR } from '../../lib/time.ts';
import { withTimeout } from '../../lib/wait.ts';
import { type SignedRequest, refuse, type Checked, type SignatureRefusal } from '../basics/request.ts';
import { X509Certificate } from 'node:crypto';
import {
  algorithmOf,
  cachedKey,
  MIN_RSA_BITS,
  importKey,
  type PublicAlgorithm,
  readJwk,
} from '../basics/keys.ts';
import { maybeJson } from '../../lib/json.ts';

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
  #newSince: readonly { readonly at: number }[] = [];

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
      const begun = { at: now };
      if (known.answer === null) {
        this.#newSince = this.#newSince.filter(({ at }) => Math.abs(now - at) < TIMEOUT_MS);
        if (this.#newSince.length >= MAX_NEW_AT_ONCE) return err('too many others are being fetched');
        this.#newSince = [...this.#newSince, begun];
      }
      asked = true;
      const text = await this.#textAt(address, fetch);
      const got = text.ok ? await this.#read(text.value) : text;
      this.#newSince = this.#newSince.filter((one) => one !== begun);
      if (got.ok) known.answer = { value: got.value, at: now };
      else known.failure = { fault: got.error, at: now };
      return got;
    };
    try {
      const got = await known.fetching.run(now, ask);
      return got.ok ? got : err({ fault: got.error, asked });
    } catch {
      return err({ fault: 'its server did not answer in time', asked });
    }
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

/**
 * True if less than this time has passed. A request may be older than the answer to another one: a sender who holds
 * back the end of a body must not cause a fetch by that. If it is older by more than an hour, a clock was set back.
 */
const isWithin = (ms: number, since: number, now: number): boolean => now - since < ms && since - now < HOUR;

interface Certificate {
  /** Its key in binary; null if it is not RSA, or too short. */
  readonly spki: Uint8Array | null;
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
export async function certificateAt(url: URL, context: VerifyContext): Promise<Checked<Uint8Array>> {
  const served = await certificates.get(url.href, context);
  if (!served.ok)
    return refuse(
      'unavailable',
      `the certificate of the signature could not be fetched: ${served.error.fault}`,
    );
  const { spki, validFrom, validTo } = served.value;
  if (spki === null)
    return refuse('mismatch', `the signature's certificate has no RSA key of at least ${MIN_RSA_BITS} bits`);
  // Checked for each request, since a certificate can expire while it is kept.
  return context.now >= validFrom && context.now <= validTo
    ? ok(spki)
    : refuse('mismatch', "the signature's certificate has expired or is not valid yet");
}

export async function isSignedWith(
  spki: Uint8Array,
  hash: 'SHA-1' | 'SHA-256',
  content: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash };
  try {
    const key = await cachedKey(`${algorithm.name} ${hash}`, spki, async () =>
      crypto.subtle.importKey('spki', spki, algorithm, false, ['verify']),
    );
    return await crypto.subtle.verify(algorithm.name, key, signature, content);
  } catch {
    // A key that the platform cannot use, such as one with a strange exponent, has signed nothing.
    return false;
  }
}

async function readCertificate(text: string): Promise<Result<Certificate, string>> {
  const [, pem] = FIRST_OF_CHAIN.exec(text) ?? [];
  const read = pem === undefined ? null : orNull(() => new X509Certificate(pem));
  if (read === null) return err('its server did not return a certificate');
  const { validFrom, validTo } = read;
  // workerd throws for kinds of keys that it does not know.
  const spki = orNull(() =>
    algorithmOf(read.publicKey) === 'RS256' ? read.publicKey.export({ format: 'der', type: 'spki' }) : null,
  );
  return ok({ spki, validFrom: Date.parse(validFrom), validTo: Date.parse(validTo) });
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Tokens with invented key ids must not cause a call each. */
const REFETCH_MS = 60_000;
const MAX_KEYS = 16;

/** A key of an issuer. Several may have the same `kid`, and a set of one key often has none. */
type IssuerKey = Readonly<{ kid: string | undefined; algorithm: PublicAlgorithm; key: CryptoKey }>;

const issuers = new Fetched(readKeys, { headers: { accept: 'application/json', 'user-agent': 'hookbell' } });

/** A refusal; if the keys are not available now, `asked` says whether their server was asked for this request. */
export type IssuerRefusal = SignatureRefusal & { readonly asked?: boolean };

/** Keys of the JSON Web Key Set at an address (RFC 7517 §5). */
export interface KeysAt {
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
