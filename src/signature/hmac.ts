import { ok, type Result } from '../lib/result.ts';
import { bodyFields } from './body-fields.ts';
import { hmacKey } from './hmac-key.ts';
import type { HmacScheme, Timestamp } from './hmac-knobs.ts';
import { describePlace, type Place, type PlaceInput, readPlace } from './place.ts';
import { reject, type Rejection } from './rejection.ts';
import type { SignedRequest } from './request.ts';
import { decodeSecrets } from './secret-key.ts';
import { readSignatures } from './signature-list.ts';
import { signedBytes } from './signed-bytes.ts';
import { parseSigned } from './signed-template.ts';
import { checkFreshness } from './timestamp.ts';

const HASHES = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' } as const;

/** The index of the secret with which one of the request's signatures was made. `now` is in milliseconds. */
export async function verifyHmac(
  scheme: HmacScheme,
  secrets: readonly string[],
  request: SignedRequest,
  now: number,
): Promise<Result<number, Rejection>> {
  const keys = decodeSecrets(secrets, scheme);
  if (!keys.ok) return keys;

  const unlisted = { request, fields: bodyFields(request), params: new Map() };
  const place = signaturePlace(scheme);
  const text = readPlace(place, unlisted);
  if (!text.ok) return text;
  const listed = readSignatures(text.value, scheme, describePlace(place));
  if (!listed.ok) return listed;

  const input = { ...unlisted, params: listed.value.params };
  const timestamp = scheme.timestamp === undefined ? ok(null) : readFresh(scheme.timestamp, input, now);
  if (!timestamp.ok) return timestamp;

  const parts = parseSigned(scheme.signed);
  if (!parts.ok) return reject('misconfigured', `\`signed\` ${parts.error}`);
  const content = signedBytes(parts.value, { ...input, timestamp: timestamp.value, url: scheme.url ?? null });
  if (!content.ok) return content;

  const index = await findKey(keys.value, HASHES[scheme.algorithm], content.value, listed.value.signatures);
  if (index !== null) return ok(index);
  const tried = `${listed.value.signatures.length} signature(s) in ${describePlace(place)}`;
  return reject(
    'mismatch',
    `none of ${tried} was made over this request with any of ${secrets.length} secret(s)`,
  );
}

/** The schema sees to it that exactly one is set. */
function signaturePlace({ header, query, field }: HmacScheme): Place {
  if (header !== undefined) return { kind: 'header', names: header };
  return query === undefined ? { kind: 'body', path: field ?? '' } : { kind: 'query', name: query };
}

function timestampPlace({ header, signature_param, body }: Timestamp): Place {
  if (header !== undefined) return { kind: 'header', names: header };
  return signature_param === undefined
    ? { kind: 'body', path: body ?? '' }
    : { kind: 'sig', key: signature_param };
}

/** The timestamp as it was sent, once it is seen to be fresh. */
function readFresh(timestamp: Timestamp, input: PlaceInput, now: number): Result<string, Rejection> {
  const place = timestampPlace(timestamp);
  const text = readPlace(place, input);
  if (!text.ok) return text;
  const fresh = checkFreshness(text.value, timestamp, describePlace(place), now);
  return fresh.ok ? text : fresh;
}

/**
 * The index of the first key with which any of the signatures was made; every one is tried, so that time tells
 * nothing. Signing once a key and comparing in constant time, where `subtle.verify` would hash a large body once a
 * key AND listed signature: work that anybody could ask for. Lengths are equal: other signatures are not listed.
 */
async function findKey(
  keys: readonly Uint8Array[],
  hash: (typeof HASHES)[HmacScheme['algorithm']],
  content: Uint8Array,
  signatures: readonly Uint8Array[],
): Promise<number | null> {
  const matches = await Promise.all(
    keys.map(async (bytes) => {
      const expected = await crypto.subtle.sign('HMAC', await hmacKey(bytes, hash), content);
      return signatures.filter((given) => crypto.subtle.timingSafeEqual(given, expected)).length > 0;
    }),
  );
  const index = matches.indexOf(true);
  return index >= 0 ? index : null;
}
