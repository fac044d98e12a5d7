import { ok, type Result } from '../../lib/result.ts';
import { formSorted } from './form-sorted.ts';
import { type PlaceInput, readPlace } from './place.ts';
import { refuse, type SignatureRefusal } from '../basics/refusal.ts';
import { separatorsOf } from './separators.ts';
import type { SignedPart, SignedPiece } from './signed-template.ts';

/** The sources of the parts of the signed content. */
export interface SignedInput extends PlaceInput {
  /** The timestamp exactly as it was sent: the sender signed this text, not its number. */
  readonly timestamp: string | null;
  /** The address as the sender signed it. */
  readonly url: string;
}

/** Returns the bytes that were signed, given the secret that may be one of their pieces (`{secret}`). */
export type SignedContent = (secret: Uint8Array) => Uint8Array;

/** Null marks the place of the secret. */
type Bytes = Uint8Array | null;

const encoder = new TextEncoder();

/** Returns the bytes that were signed. The body is joined as it came: decoding could change it. */
export function signedBytes(
  parts: readonly SignedPart[],
  given: SignedInput,
): Result<SignedContent, SignatureRefusal> {
  const input = { ...given, separators: separatorsOf(parts) };
  const joined: Bytes[] = [];
  for (const part of parts) {
    const bytes = part.kind === 'optional' ? readSegment(part.pieces, input) : readPiece(part, input);
    if (!bytes.ok) return bytes;
    if (Array.isArray(bytes.value)) joined.push(...bytes.value);
    else joined.push(bytes.value);
  }
  const fixed = joined.filter((bytes) => bytes !== null);
  if (fixed.length < joined.length) {
    return ok((secret) => concatenate(joined.map((bytes) => bytes ?? secret)));
  }
  const content = concatenate(fixed);
  return ok(() => content);
}

interface PieceInput extends SignedInput {
  readonly separators: ReturnType<typeof separatorsOf>;
}

/** Reads a segment; empty if one of the values is absent or empty. */
function readSegment(pieces: readonly SignedPiece[], input: PieceInput): Result<Bytes[], SignatureRefusal> {
  const read: Bytes[] = [];
  for (const piece of pieces) {
    const bytes = readPiece(piece, input);
    if (!bytes.ok) return isAbsence(bytes.error) ? ok([]) : bytes;
    if (bytes.value?.byteLength === 0) return ok([]);
    read.push(bytes.value);
  }
  return ok(read);
}

const isAbsence = ({ reason }: SignatureRefusal): boolean =>
  reason === 'missing_header' || reason === 'missing_field';

function readPiece(piece: SignedPiece, input: PieceInput): Result<Bytes, SignatureRefusal> {
  if (piece.kind === 'raw_body') return ok(input.request.body);
  if (piece.kind === 'secret') return ok(null);
  const text = readText(piece, input);
  if (!text.ok) return text;
  const separator = input.separators.get(piece)?.find((one) => text.value.includes(one));
  return separator === undefined
    ? ok(encoder.encode(text.value))
    : refuse(
        'malformed',
        `a value of \`signed\` (${piece.kind}) contains its separator \`${separator}\`: what was signed could be split in two ways`,
      );
}

function readText(
  piece: Exclude<SignedPiece, { kind: 'raw_body' | 'secret' }>,
  input: SignedInput,
): Result<string, SignatureRefusal> {
  switch (piece.kind) {
    case 'literal':
      return ok(piece.text);
    case 'method':
      return ok(input.request.method.toUpperCase());
    case 'url':
      return ok(input.url);
    case 'form_sorted':
      return formSorted(input.parsed);
    case 'ts':
      return input.timestamp === null
        ? refuse('misconfigured', '`{ts}` needs a `timestamp`')
        : ok(input.timestamp);
    case 'item': {
      const text = readPlace(piece, input);
      // Senders that sign elements write an absent value as an empty one.
      return text.ok || !isAbsence(text.error) ? text : ok('');
    }
    case 'header':
    case 'query':
    case 'body':
    case 'sig':
      return readPlace(piece, input);
  }
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
