import { ok, type Result } from '../lib/result.ts';
import { decodeText } from './encoding.ts';
import type { HmacScheme } from './hmac-knobs.ts';
import { reject, type Rejection } from './rejection.ts';

/** A sender lists one signature a secret; more than this is somebody trying. */
const MAX_SIGNATURES = 16;
/** Sixteen SHA-512 signatures in hex with their keys fit; nothing longer is looked at. UTF-16 units. */
const MAX_TEXT = 4_096;

/** Bytes of each algorithm's signature. */
const LENGTHS = { sha1: 20, sha256: 32, sha512: 64 } as const;

/** What the text of a signature says. */
export interface SignatureList {
  /** At least one, each of the algorithm's length. */
  readonly signatures: readonly Uint8Array[];
  /** Every value by its key, for the parameters that stand beside the signatures. */
  readonly params: ReadonlyMap<string, readonly string[]>;
}

/** Reads the signatures that `text` lists, as the scheme writes them. `place` names it in the refusal. */
export function readSignatures(
  text: string,
  scheme: HmacScheme,
  place: string,
): Result<SignatureList, Rejection> {
  if (text.length > MAX_TEXT) return reject('malformed', `${place} is longer than ${MAX_TEXT} characters`);
  const items = splitList(text, scheme);
  const params = readParams(items, scheme);
  if (params === null)
    return reject('malformed', `${place} has an item without \`${scheme.key_value_separator}\``);

  const written = scheme.keys === undefined ? items : scheme.keys.flatMap((key) => params.get(key) ?? []);
  if (written.length === 0)
    return reject('unknown_key', `${place} has no signature under ${scheme.keys?.join(' or ')}`);
  if (written.length > MAX_SIGNATURES)
    return reject('malformed', `${place} lists more than ${MAX_SIGNATURES} signatures`);

  const signatures = written.map((one) => decodeSignature(one, scheme)).filter((one) => one !== null);
  if (signatures.length > 0) return ok({ signatures, params });
  return reject(
    'malformed',
    `${place} has no ${scheme.encoding} signature of ${LENGTHS[scheme.algorithm]} bytes${expectedPrefix(scheme)}`,
  );
}

/** Trailing separators and doubled spaces make empty items, which say nothing. */
function splitList(text: string, { list_separator }: HmacScheme): readonly string[] {
  if (list_separator === undefined) return [text.trim()];
  return text
    .split(list_separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Split at the first separator only: base64 ends in `=`. Null when an item has none. */
function readParams(
  items: readonly string[],
  { key_value_separator }: HmacScheme,
): ReadonlyMap<string, readonly string[]> | null {
  const params = new Map<string, string[]>();
  if (key_value_separator === undefined) return params;
  for (const item of items) {
    const at = item.indexOf(key_value_separator);
    if (at < 0) return null;
    const key = item.slice(0, at);
    const values = params.get(key) ?? [];
    params.set(key, values);
    values.push(item.slice(at + 1));
  }
  return params;
}

function decodeSignature(written: string, scheme: HmacScheme): Uint8Array | null {
  const { prefix = '', prefix_optional = false, encoding, algorithm } = scheme;
  const hasPrefix = written.startsWith(prefix);
  if (!hasPrefix && !prefix_optional) return null;
  const bytes = decodeText(hasPrefix ? written.slice(prefix.length) : written, encoding);
  return bytes?.byteLength === LENGTHS[algorithm] ? bytes : null;
}

const expectedPrefix = ({ prefix, prefix_optional }: HmacScheme): string =>
  prefix === undefined || prefix_optional === true ? '' : ` after \`${prefix}\``;
