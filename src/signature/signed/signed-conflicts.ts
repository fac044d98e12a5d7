import { type FieldError, fieldError } from '../../lib/problem.ts';
import { separators, type SignedScheme, type Timestamp } from './signed-options.ts';
import { parseSigned, piecesOf, type SignedPart, type SignedPiece } from './signed-template.ts';

type Conflict = FieldError | null;

/** Returns errors for options of a scheme that do not fit together, by their names in the document. */
export function conflicts(scheme: SignedScheme & { readonly scheme: string }): readonly FieldError[] {
  const signed = parseSigned(scheme.signed);
  const checks = [...placeConflicts(scheme), ...listConflicts(scheme)];
  if (!signed.ok) checks.push(fieldError('signed', 'malformed', signed.error));
  else {
    const parts = signed.value;
    checks.push(
      secretConflict(scheme.scheme, parts),
      ...paramConflicts(scheme, parts),
      ...urlConflicts(scheme, parts),
      ...itemConflicts(scheme, parts),
      bodyConflict(scheme, parts),
      onceConflict(scheme, parts),
      scheme.timestamp === undefined ? null : timestampConflict(scheme.timestamp, parts),
    );
  }
  return checks.filter((check) => check !== null);
}

const problemIf = (wrong: boolean, path: string, message: string): Conflict =>
  wrong ? fieldError(path, 'conflict', message) : null;

const has = (parts: readonly SignedPart[], ...kinds: readonly SignedPiece['kind'][]): boolean =>
  piecesOf(parts).some(({ kind }) => kinds.includes(kind));

/** Outside of `[…]`: a segment that may be left out covers nothing. */
const hasAlways = (parts: readonly SignedPart[], ...kinds: readonly SignedPart['kind'][]): boolean =>
  parts.some(({ kind }) => kinds.includes(kind));

function placeConflicts({ header, query, field, prefix, prefix_optional }: SignedScheme): Conflict[] {
  const places = [header, query, field].filter((place) => place !== undefined);
  return [
    problemIf(
      places.length !== 1,
      '',
      'must say where the signature is: exactly one of `header`, `query` and `field`',
    ),
    problemIf(prefix_optional !== undefined && prefix === undefined, 'prefix_optional', 'needs a `prefix`'),
  ];
}

function listConflicts({ list_separator, key_value_separator, keys }: SignedScheme): Conflict[] {
  return [
    problemIf(
      key_value_separator !== undefined && keys === undefined,
      'keys',
      'is required with `key_value_separator`: the keys that signatures have',
    ),
    problemIf(
      list_separator !== undefined && list_separator === key_value_separator,
      'key_value_separator',
      'must differ from `list_separator`',
    ),
  ];
}

function secretConflict(scheme: string, parts: readonly SignedPart[]): Conflict {
  const isIn = has(parts, 'secret');
  if (scheme === 'hash')
    return problemIf(!isIn, 'signed', 'must have `{secret}`: without it anybody could make the hash');
  return problemIf(isIn, 'signed', 'has `{secret}`, which only scheme `hash` signs');
}

function paramConflicts(scheme: SignedScheme, parts: readonly SignedPart[]): Conflict[] {
  const usesParams = has(parts, 'sig') || scheme.timestamp?.key !== undefined;
  return [
    problemIf(
      has(parts, 'ts') && scheme.timestamp === undefined,
      'signed',
      'uses `{ts}`, which needs a `timestamp`',
    ),
    problemIf(
      usesParams && (scheme.keys === undefined || separators(scheme).list === undefined),
      '',
      'must have `keys` (and `list_separator`, if `key_value_separator` is not `=`) to read parameters from the signature',
    ),
  ];
}

function urlConflicts(
  { url, url_form, body_hash_query }: SignedScheme,
  parts: readonly SignedPart[],
): Conflict[] {
  const unused = 'is not used: `signed` has no `{url}`';
  return [
    problemIf(url !== undefined && !has(parts, 'url'), 'url', unused),
    problemIf(url_form !== undefined && !has(parts, 'url'), 'url_form', unused),
    problemIf(
      body_hash_query !== undefined && !hasAlways(parts, 'url'),
      'body_hash_query',
      'proves nothing: `signed` has no `{url}`',
    ),
  ];
}

function itemConflicts({ items, field }: SignedScheme, parts: readonly SignedPart[]): Conflict[] {
  if (items === undefined) {
    return [
      problemIf(has(parts, 'item'), 'signed', 'uses `{item:…}`, which needs `items`: the path of the list'),
    ];
  }
  return [
    problemIf(field === undefined, 'field', 'is required with `items`: where an element has its signature'),
    problemIf(!hasAlways(parts, 'item'), 'signed', 'does not cover the elements of `items`: add `{item:…}`'),
    problemIf(
      has(parts, 'raw_body', 'form_sorted', 'body'),
      'signed',
      'must not have `{raw_body}`, `{form_sorted}` or `{body:…}` with `items`',
    ),
  ];
}

function bodyConflict(scheme: SignedScheme, parts: readonly SignedPart[]): Conflict {
  const isCovered =
    hasAlways(parts, 'raw_body', 'form_sorted', 'body', 'item') || scheme.body_hash_query !== undefined;
  return problemIf(
    !isCovered && scheme.unsigned_body !== true,
    'signed',
    'does not cover the body, so whoever sees a signature can send any body with it: add `{raw_body}`, or write `unsigned_body: true` if the sender signs none',
  );
}

const onceConflict = ({ signed_once }: SignedScheme, parts: readonly SignedPart[]): Conflict =>
  problemIf(
    signed_once === true && hasAlways(parts, 'raw_body'),
    'signed_once',
    'is not for senders that sign the whole body: leave it out',
  );

function timestampConflict(timestamp: Timestamp, parts: readonly SignedPart[]): Conflict {
  const { header, key, body } = timestamp;
  const places = [header, key, body].filter((place) => place !== undefined);
  if (places.length !== 1) {
    return fieldError('timestamp', 'conflict', 'must have exactly one of `header`, `key` and `body`');
  }
  return problemIf(
    !parts.some((part) => covers(part, timestamp)),
    'timestamp',
    'is not signed, so it proves nothing: put `{ts}` into `signed`, or leave `timestamp` out',
  );
}

function covers(part: SignedPart, timestamp: Timestamp): boolean {
  const { header, key, body } = timestamp;
  switch (part.kind) {
    case 'ts':
      return true;
    case 'header':
      return part.names.join().toLowerCase() === header?.join().toLowerCase();
    case 'body':
      return part.path === body;
    case 'sig':
      return part.key === key;
    case 'raw_body':
    case 'form_sorted':
      return body !== undefined;
    case 'optional':
      // It is left out only if the timestamp is absent, and then the request is refused.
      return part.pieces.every((piece) => piece.kind === 'literal' || covers(piece, timestamp));
    case 'literal':
    case 'method':
    case 'url':
    case 'query':
    case 'item':
    case 'secret':
      return false;
  }
}
