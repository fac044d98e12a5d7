import { err, ok, type Result } from '../lib/result.ts';
import { suggest } from '../lib/suggest.ts';
import type { Place } from './place.ts';

/** One piece of what a signature is about, in the order in which the pieces are joined. */
export type SignedPart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'raw_body' }
  | { readonly kind: 'ts' }
  | { readonly kind: 'method' }
  | { readonly kind: 'url' }
  | Place;

/** What a header may be called (RFC 9110 `token`): other names make `Headers.get` throw. */
export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;

const BARE = ['raw_body', 'ts', 'method', 'url'] as const;
const KNOWN = [
  '{raw_body}',
  '{ts}',
  '{header:Name}',
  '{sig.key}',
  '{method}',
  '{url}',
  '{query:name}',
  '{body:path}',
];

/** The pieces of a `signed` template such as `{ts}.{raw_body}`, or what is wrong with it. */
export function parseSigned(template: string): Result<readonly SignedPart[], string> {
  const parts: SignedPart[] = [];
  // With a capture group `split` alternates: literal, token, literal, token, …, literal.
  for (const [index, piece] of template.split(/\{([^{}]*)\}/).entries()) {
    if (index % 2 === 1) {
      const part = parseToken(piece);
      if (part === null) return err(unknownToken(piece));
      parts.push(part);
    } else if (/[{}]/.test(piece)) {
      return err('has a brace that belongs to no token: each `{` needs its `}`');
    } else if (piece !== '') {
      parts.push({ kind: 'literal', text: piece });
    }
  }
  return ok(parts);
}

function parseToken(token: string): SignedPart | null {
  const bare = BARE.find((kind) => kind === token);
  if (bare !== undefined) return { kind: bare };
  const [, kind, value] = /^(header:|sig\.|query:|body:)(.+)$/.exec(token) ?? [];
  if (kind === undefined || value === undefined) return null;
  if (kind === 'sig.') return { kind: 'sig', key: value };
  if (kind === 'query:') return { kind: 'query', name: value };
  if (kind === 'body:') return { kind: 'body', path: value };
  const names = value.split(',');
  return names.every((name) => HEADER_NAME.test(name)) ? { kind: 'header', names } : null;
}

function unknownToken(token: string): string {
  const close = suggest(`{${token}}`, KNOWN);
  return `has an unknown token \`{${token}}\`${close === null ? `; known: ${KNOWN.join(', ')}` : `; did you mean \`${close}\`?`}`;
}
