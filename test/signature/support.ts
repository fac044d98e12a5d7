import { parseBody } from '../../src/ingest/parse/parse.ts';
import { ok, type Result } from '../../src/lib/result.ts';
import {
  bySecret,
  type Match,
  type SignatureRefusal,
  type SignedRequest,
} from '../../src/signature/basics/request.ts';
import type { VerifyContext } from '../../src/signature/certificates/fetched.ts';
import { ecdsaSchema, ed25519Schema, hashSchema, hmacSchema } from '../../src/signature/schemes/signed.ts';
import type { BodyQuirks } from '../../src/provider/provider.ts';
import { type VerifyScheme, verifySchema } from '../../src/signature/scheme.ts';
import { tokenSchema } from '../../src/signature/schemes/token.ts';
import { decode } from '../conformance/senders/bytes.ts';

/** Bytes as text and text as bytes, independently of the code that reads it. */
export { encode, utf8 as bytesOf } from '../conformance/senders/bytes.ts';

/** 2026-01-05T08:30:00Z in milliseconds: the time of every test that has one. */
export const NOW = 1_767_601_800_000; // fixed date: signatures are checked at the time that they are given
export const NOW_SECONDS = String(NOW / 1_000);

/** The context that verification needs beside the request, at a time. It reaches nothing: no scheme here fetches. */
export const contextAt = (now: number): VerifyContext => ({
  now,
  fetch: async () => Promise.reject(new Error('nothing is to be fetched')),
});

interface RequestParts {
  readonly method?: string;
  readonly url?: string;
  readonly registeredUrl?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly pathToken?: string;
  readonly quirks?: BodyQuirks;
}

/** A request as it would come in. */
export function requestOf(parts: RequestParts = {}): SignedRequest {
  const {
    method = 'POST',
    url = 'https://hooks.example.com/hooks/shop',
    registeredUrl = null,
    headers = {},
    body = '',
    pathToken,
    quirks,
  } = parts;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const sent = new Headers(headers);
  return {
    method,
    url: new URL(url),
    sentUrl: url,
    registeredUrl,
    headers: sent,
    body: bytes,
    parsed: () => parseBody(sent.get('content-type'), bytes, quirks),
    pathToken,
  };
}

/** A `verify:` block as a document writes it, checked. */
export const schemeOf = (document: object): VerifyScheme => verifySchema.parse(document);

/** An `hmac` block as a document writes it, checked; the others likewise. */
export const hmacOf = (options: object) => hmacSchema.parse({ scheme: 'hmac', ...options });
export const hashOf = (options: object) => hashSchema.parse({ scheme: 'hash', ...options });
export const ed25519Of = (options: object) => ed25519Schema.parse({ scheme: 'ed25519', ...options });
export const ecdsaOf = (options: object) => ecdsaSchema.parse({ scheme: 'ecdsa', ...options });
export const tokenOf = (options: object) => tokenSchema.parse({ scheme: 'token', ...options });

/** Returns the problems of a `verify:` block, as `path: message`. */
export function problemsOf(document: unknown): string[] {
  const parsed = verifySchema.safeParse(document);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** What came of a verification: `accepted`, or the reason of its refusal. */
export const outcome = (verified: Result<unknown, SignatureRefusal>): string =>
  verified.ok ? 'accepted' : verified.error.code;

/** The same with the details of the refusal. */
export const outcomeInFull = (verified: Result<unknown, SignatureRefusal>): string =>
  verified.ok ? 'accepted' : `${verified.error.code}: ${verified.error.detail}`;

/** What is expected where the secret with this index verified the whole request. */
export const by = (index: number): Result<Match, SignatureRefusal> => ok(bySecret(index));

/** The bytes with one bit flipped. */
export const withBitFlipped = (bytes: Uint8Array, at: number, bit: number): Uint8Array =>
  Uint8Array.from(bytes).with(at, (bytes[at] ?? 0) ^ (1 << bit));

/** The bytes that hex stands for, independently of the code that reads it. */
export const hexBytes = (text: string): Uint8Array => decode(text, 'hex');
