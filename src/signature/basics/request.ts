import type { RejectionCode } from '../../lib/api-codes.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import { createHash } from 'node:crypto';
import { equalsInConstantTime } from '../../lib/constant-time.ts';
import { decodeText } from '../../lib/encoding.ts';

/** The format of a parsed body. `json_in_form`: a form or multipart with the whole payload as JSON in one field. */
export type BodyFormat = 'json' | 'form' | 'json_in_form' | 'multipart' | 'xml' | 'text';

/** A body parsed by its Content-Type, which is never signed. */
export interface ParsedBody {
  readonly format: BodyFormat;
  readonly sent: unknown;
  /** As templates see it: `sent`, with texts that contain JSON decoded, if the provider has such texts. */
  readonly payload: unknown;
}

/** The parts that a signature can cover: the request as it came in, and its body as the exact bytes. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  /** The same as it was sent, which may have fewer escapes than `url`. Absent if that is not known. */
  readonly sentUrl?: string;
  /** The address that the sender has, if it is not the request's own: the source's `url`. */
  readonly registeredUrl: string | null;
  readonly headers: Headers;
  /** The bytes to verify, hash and compare as a whole. Only `parsed` gives their content. */
  readonly body: Uint8Array;
  /** Parsed once: by other rules, a sender could show one token to verification and another to templates. */
  readonly parsed: () => Promise<Result<ParsedBody, { readonly detail: string }>>;
  /** The segment after the source in `/hooks/{source}/{token}`, percent-decoded. */
  readonly pathToken: string | undefined;
}

/** Why a request is refused, from the first step at which it can fail to the last. In words: `lib/api-codes.ts`. */
export const REFUSALS = [
  'misconfigured',
  'missing_header',
  'missing_field',
  'malformed',
  'unknown_key',
  'stale',
  'mismatch',
  'unavailable',
] as const satisfies readonly RejectionCode[];

export type RefusalCode = (typeof REFUSALS)[number];

/** `detail` names headers, counts and ages for the admin; never a secret, a signature or a piece of the body. */
export type SignatureRefusal = Readonly<{ code: RefusalCode; detail: string }>;

/** What a check gives, or why the request is refused. */
export type Checked<Value> = Result<Value, SignatureRefusal>;

export const refuse = (code: RefusalCode, detail: string) => err<SignatureRefusal>({ code, detail });

/** What is signed, if not every byte of the body is: whoever has seen the request can send another body with it. */
export interface SignedOnce {
  /** The digest of each signed text, in hex: one for a request, or one for each element of a list. */
  readonly digests: readonly string[];
  /** The time from now for which such a request is still accepted, in ms; 0 for ever, since it has no time. */
  readonly freshMs: number;
}

export interface Match {
  /** Its index; null if the source needs none. */
  readonly secret: number | null;
  /** Null if the signature covers the body, or there is none. */
  readonly once: SignedOnce | null;
}

/** Returns a match for a request that shows a secret, or is signed as a whole. */
export const bySecret = (secret: number): Match => ({ secret, once: null });

export const digestOf = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex');

/** A time may be as far ahead as behind, so a request can be accepted for twice the tolerance (ms). */
export const freshFor = (tolerance: number | undefined): number => 2 * (tolerance ?? 0);

/** Longer than any token in use, and short enough to hash quickly. UTF-16 units. */
export const MAX_CREDENTIAL = 4_096;

/** The index of the first secret that equals `given`. All are compared, so the duration does not reveal which. */
export async function matchToken(
  given: string,
  secrets: readonly string[],
  what: string,
): Promise<Checked<number>> {
  const equal = await Promise.all(secrets.map(async (secret) => equalsInConstantTime(given, secret)));
  const index = equal.indexOf(true);
  return index >= 0
    ? ok(index)
    : refuse(
        'mismatch',
        `${what} is ${secrets.length === 1 ? 'not the one' : `none of the ${secrets.length}`} accepted`,
      );
}

/** The SHA-256 of the body in hex. `place`: that of the value in the request, for refusals. */
export async function isHashOf(body: Uint8Array, value: unknown, place: string): Promise<Checked<void>> {
  const given = typeof value === 'string' ? decodeText(value, 'hex') : null;
  if (given?.byteLength !== 32) return refuse('malformed', `${place} is not a SHA-256 in hex`);
  const actual = await crypto.subtle.digest('SHA-256', body);
  return crypto.subtle.timingSafeEqual(given, actual)
    ? ok(undefined)
    : refuse('mismatch', `${place} is not the SHA-256 of the body`);
}
