import { err, ok, type Result } from '../../lib/result.ts';
import { suggest } from '../../lib/suggest.ts';

export type SignedPlace =
  /** The first of these headers that is there and not empty. */
  | { readonly kind: 'header'; readonly names: readonly string[] }
  /** `lower`: as the sender signs it, in lower case. */
  | { readonly kind: 'query'; readonly name: string; readonly lower?: boolean }
  | { readonly kind: 'body'; readonly path: string }
  /** In the current element of the list that a scheme with `items` names. */
  | { readonly kind: 'item'; readonly path: string }
  /** A parameter that is listed with the signatures. */
  | { readonly kind: 'sig'; readonly key: string };

/** One piece of the signed content, in the order in which the pieces are joined. */
export type SignedPart =
  | SignedPiece
  /** `[…]`: left out if a value in it is absent. */
  | { readonly kind: 'optional'; readonly pieces: readonly SignedPiece[] };

export type SignedPiece =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly [K in Bare]: { readonly kind: K } }[Bare]
  /** `free`: the one value that may contain the text that separates it from the others, see `separatorsOf`. */
  | (SignedPlace & { readonly free?: boolean });

/** A valid header name (RFC 9110 `token`): other names make `Headers.get` throw. */
export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;

const BARE = ['raw_body', 'form_sorted', 'secret', 'ts', 'method', 'url'] as const;
type Bare = (typeof BARE)[number];
const KNOWN = [
  '{raw_body}',
  '{ts}',
  '{header:Name}',
  '{sig.key}',
  '{method}',
  '{url}',
  '{query:name}',
  '{query_lower:name}',
  '{body:path}',
  '{item:path}',
  '{form_sorted}',
  '{secret}',
  '{free header:Name}',
];

/** May be absent from a request; without one of the others, the request is refused. */
const MAY_BE_ABSENT: ReadonlySet<SignedPart['kind']> = new Set(['header', 'query', 'body', 'item', 'sig']);

/** Always signed: an optional segment with such a piece could leave out the very part that the signature is for. */
const NEVER_OPTIONAL: ReadonlySet<SignedPart['kind']> = new Set(['raw_body', 'form_sorted', 'secret']);

/** Returns the pieces of a `signed` template such as `{ts}.{raw_body}`, or the error. */
export function parseSigned(template: string): Result<readonly SignedPart[], string> {
  const parts: SignedPart[] = [];
  let segment: SignedPiece[] | null = null;
  // With a capture group `split` alternates: literal, token, literal, token, …, literal.
  for (const [index, text] of template.split(/(\{[^{}]*\}|[[\]])/).entries()) {
    if (text === '[') {
      if (segment !== null) return err('has a `[` inside of `[…]`: optional segments cannot be nested');
      segment = [];
    } else if (text === ']') {
      if (segment === null) return err('has a `]` that closes nothing; write a literal one as `{]}`');
      const problem = segmentProblem(segment);
      if (problem !== null) return err(problem);
      parts.push({ kind: 'optional', pieces: segment });
      segment = null;
    } else if (text !== '') {
      const piece = index % 2 === 1 ? parseToken(text.slice(1, -1)) : parseLiteral(text);
      if (!piece.ok) return piece;
      (segment ?? parts).push(piece.value);
    }
  }
  if (segment !== null) return err('has a `[` that is not closed; write a literal one as `{[}`');
  return piecesOf(parts).filter((piece) => 'free' in piece).length > 1
    ? err('has two `{free …}`: only one value may contain its separator')
    : ok(parts);
}

function segmentProblem(segment: readonly SignedPiece[]): string | null {
  const whole = segment.find(({ kind }) => NEVER_OPTIONAL.has(kind));
  if (whole !== undefined) return `has \`{${whole.kind}}\` in an optional segment, which may be left out`;
  return segment.some(({ kind }) => MAY_BE_ABSENT.has(kind))
    ? null
    : 'has an optional segment `[…]` without a value that could be absent';
}

const parseLiteral = (text: string): Result<SignedPiece, string> =>
  /[{}]/.test(text)
    ? err('has a brace that belongs to no token: each `{` needs its `}`')
    : ok({ kind: 'literal', text });

const PLACES: Readonly<Record<string, (value: string) => SignedPlace>> = {
  'header:': (value) => ({ kind: 'header', names: value.split(',') }),
  'sig.': (key) => ({ kind: 'sig', key }),
  'query:': (name) => ({ kind: 'query', name }),
  'query_lower:': (name) => ({ kind: 'query', name, lower: true }),
  'body:': (path) => ({ kind: 'body', path }),
  'item:': (path) => ({ kind: 'item', path }),
};

function parseToken(token: string): Result<SignedPiece, string> {
  if (token === '[' || token === ']') return ok({ kind: 'literal', text: token });
  const bare = BARE.find((kind) => kind === token);
  if (bare !== undefined) return ok({ kind: bare });
  if (token.startsWith(FREE)) {
    const piece = parseToken(token.slice(FREE.length));
    if (!piece.ok) return piece;
    return isPlace(piece.value) ? ok({ ...piece.value, free: true }) : unknownToken(token);
  }
  const [, kind = '', value = ''] = /^([a-z_]+[:.])(.+)$/.exec(token) ?? [];
  const place = PLACES[kind]?.(value);
  const isValid = place?.kind !== 'header' || place.names.every((name) => HEADER_NAME.test(name));
  return place !== undefined && isValid ? ok(place) : unknownToken(token);
}

const FREE = 'free ';

export const isPlace = (piece: SignedPiece): piece is SignedPlace => MAY_BE_ABSENT.has(piece.kind);

function unknownToken(token: string) {
  const close = suggest(`{${token}}`, KNOWN);
  const hint = close === null ? `; known: ${KNOWN.join(', ')}` : `; did you mean \`${close}\`?`;
  return err(`has an unknown token \`{${token}}\`${hint}`);
}

export const piecesOf = (parts: readonly SignedPart[]): readonly SignedPiece[] =>
  parts.flatMap((part) => (part.kind === 'optional' ? part.pieces : [part]));
