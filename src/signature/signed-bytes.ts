import { ok, type Result } from '../lib/result.ts';
import { type PlaceInput, readPlace } from './place.ts';
import { reject, type Rejection } from './rejection.ts';
import type { SignedPart } from './signed-template.ts';

/** Where the pieces of the signed content come from. */
export interface SignedInput extends PlaceInput {
  /** The timestamp exactly as it was sent: the sender signed this text, not the number that it means. */
  readonly timestamp: string | null;
  /** The address as it was given to the sender; null: the request's own. */
  readonly url: string | null;
}

const encoder = new TextEncoder();

/** The bytes that were signed. The body is joined as it came: decoding it could change it. */
export function signedBytes(parts: readonly SignedPart[], input: SignedInput): Result<Uint8Array, Rejection> {
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    if (part.kind === 'raw_body') {
      pieces.push(input.request.body);
      continue;
    }
    const text = readPart(part, input);
    if (!text.ok) return text;
    pieces.push(encoder.encode(text.value));
  }
  return ok(concatenate(pieces));
}

function readPart(
  part: Exclude<SignedPart, { kind: 'raw_body' }>,
  input: SignedInput,
): Result<string, Rejection> {
  if (part.kind === 'literal') return ok(part.text);
  if (part.kind === 'method') return ok(input.request.method.toUpperCase());
  if (part.kind === 'url') return ok(input.url ?? input.request.url.href);
  if (part.kind !== 'ts') return readPlace(part, input);
  return input.timestamp === null
    ? reject('misconfigured', '`{ts}` needs a `timestamp`')
    : ok(input.timestamp);
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = pieces;
  if (only !== undefined && others.length === 0) return only;
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.byteLength;
  }
  return joined;
}
