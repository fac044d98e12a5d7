import type { FieldError } from '../lib/problem.ts';
import { type HmacScheme, hmacKnobs, type Timestamp } from './hmac-knobs.ts';
import { parseSigned, type SignedPart } from './signed-template.ts';

/** `verify: { scheme: hmac, … }`: the knobs, and that they fit together. */
export const hmacSchema = hmacKnobs.superRefine((scheme, context) => {
  for (const { path, message } of conflicts(scheme)) {
    context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message });
  }
});

function conflicts(scheme: HmacScheme): readonly FieldError[] {
  const signed = parseSigned(scheme.signed);
  const checks = [placeConflict(scheme), prefixConflict(scheme), keysConflict(scheme), listConflict(scheme)];
  if (signed.ok) checks.push(...signedConflicts(scheme, signed.value));
  else checks.push({ path: 'signed', message: signed.error });
  return checks.filter((check) => check !== null);
}

function placeConflict({ header, query, field }: HmacScheme): FieldError | null {
  const places = [header, query, field].filter((place) => place !== undefined);
  return places.length === 1
    ? null
    : {
        path: '',
        message: 'must say where the signature stands: exactly one of `header`, `query` and `field`',
      };
}

function prefixConflict({ prefix, prefix_optional }: HmacScheme): FieldError | null {
  return prefix_optional === undefined || prefix !== undefined
    ? null
    : { path: 'prefix_optional', message: 'needs a `prefix`' };
}

function keysConflict({ key_value_separator, keys }: HmacScheme): FieldError | null {
  if ((key_value_separator === undefined) === (keys === undefined)) return null;
  return keys === undefined
    ? {
        path: 'keys',
        message: 'is required with `key_value_separator`: the keys that signatures stand under',
      }
    : { path: 'key_value_separator', message: 'is required with `keys`' };
}

function listConflict({ list_separator, key_value_separator }: HmacScheme): FieldError | null {
  return list_separator === undefined || list_separator !== key_value_separator
    ? null
    : { path: 'key_value_separator', message: 'must differ from `list_separator`' };
}

function signedConflicts(scheme: HmacScheme, parts: readonly SignedPart[]): (FieldError | null)[] {
  const { timestamp, url } = scheme;
  const has = (kind: SignedPart['kind']) => parts.some((part) => part.kind === kind);
  const usesParams = has('sig') || timestamp?.signature_param !== undefined;
  return [
    problemIf(has('ts') && timestamp === undefined, 'signed', 'uses `{ts}`, which needs a `timestamp`'),
    problemIf(
      usesParams && (scheme.keys === undefined || scheme.list_separator === undefined),
      '',
      'must have `list_separator`, `key_value_separator` and `keys` to read parameters from the signature',
    ),
    problemIf(url !== undefined && !has('url'), 'url', 'is not used: `signed` has no `{url}`'),
    problemIf(
      !has('raw_body') && !has('body') && scheme.unsigned_body !== true,
      'signed',
      'does not cover the body, so anyone who sees one request can send another body with its signature: add `{raw_body}`, or write `unsigned_body: true` if the sender really signs nothing of it',
    ),
    timestamp === undefined ? null : timestampConflict(timestamp, parts),
  ];
}

function timestampConflict(timestamp: Timestamp, parts: readonly SignedPart[]): FieldError | null {
  const { header, signature_param, body } = timestamp;
  const places = [header, signature_param, body].filter((place) => place !== undefined);
  if (places.length !== 1) {
    return { path: 'timestamp', message: 'must have exactly one of `header`, `signature_param` and `body`' };
  }
  return problemIf(
    !parts.some((part) => covers(part, timestamp)),
    'timestamp',
    'is not signed, so it proves nothing: put `{ts}` into `signed` where the sender puts it, or leave `timestamp` out',
  );
}

function covers(part: SignedPart, { header, signature_param, body }: Timestamp): boolean {
  if (part.kind === 'header') return part.names.join().toLowerCase() === header?.join().toLowerCase();
  if (part.kind === 'body') return part.path === body;
  if (part.kind === 'sig') return part.key === signature_param;
  return part.kind === 'ts' || (part.kind === 'raw_body' && body !== undefined);
}

const problemIf = (wrong: boolean, path: string, message: string): FieldError | null =>
  wrong ? { path, message } : null;
