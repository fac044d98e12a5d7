import type { CAPTURED_KINDS, Starter } from '../../src/config/documents/provider-file.ts';
import { withExamples } from '../../src/config/documents/starter-texts.ts';
import type { LookupPlace } from '../../src/provider/lookup.ts';
import type { Provider } from '../../src/provider/provider.ts';
import { signsBody, type VerifyScheme, verifySchema } from '../../src/signature/scheme.ts';
import { type SignedScheme, parseSigned } from '../../src/signature/signed/signed-options.ts';

export type CapturedKind = (typeof CAPTURED_KINDS)[number];

/** From the best to the worst: of several ways to prove itself, a request takes the one that suits it. */
const ORDER: readonly CapturedKind[] = ['signed-id', 'digest', 'signed-time', 'open'];

/** The provider's scheme, or the one that its starter proposes. */
export function schemeOf(provider: Provider, starter: Starter): VerifyScheme {
  const proposed = withExamples(starter).source?.['verify'];
  return proposed === undefined ? (provider.verify ?? { scheme: 'none' }) : verifySchema.parse(proposed);
}

/** The kind of protection that a scheme and the places of a provider's ids give against a captured request. */
export function capturedKind(provider: Provider, scheme: VerifyScheme): CapturedKind {
  const claimsBody = provider.signed_body !== undefined && signsBody(scheme);
  if ('signed' in scheme) {
    if (claimsBody || scheme.signed_once === true) return 'digest';
    if (isNamed(provider, (place) => isSigned(place, scheme))) return 'signed-id';
    return scheme.timestamp === undefined ? 'open' : 'signed-time';
  }
  switch (scheme.scheme) {
    case 'jwt': {
      if (claimsBody) return 'digest';
      const covers = scheme.in === 'body' || scheme.body_hash_claim !== undefined;
      if (covers && isNamed(provider, (place) => place.startsWith('body:'))) return 'signed-id';
      return scheme.require_exp === true || scheme.max_age !== undefined ? 'signed-time' : 'open';
    }
    case 'rsa':
      // SNS signs the id and the time; PayPal a checksum, so what it signed is claimed.
      return scheme.format === 'sns' && isNamed(provider, (place) => place === 'body:MessageId')
        ? 'signed-id'
        : 'digest';
    case 'any': {
      const kinds = scheme.of.map((one) => ORDER.indexOf(capturedKind(provider, one)));
      return ORDER[Math.max(...kinds)] ?? 'open';
    }
    case 'basic':
    case 'oidc':
    case 'token':
    case 'none':
      return 'open';
  }
}

/** True if its events have ids, and every part of each is signed. */
function isNamed({ dedupe, items }: Provider, isIn: (place: LookupPlace) => boolean): boolean {
  const places = [...dedupe.flat(), ...(items?.id.flat() ?? [])];
  return places.length > 0 && places.every((place) => typeof place === 'string' && isIn(place));
}

function isSigned(place: LookupPlace, { signed, timestamp }: SignedScheme): boolean {
  const parsed = parseSigned(signed);
  if (!parsed.ok) return false;
  const [, kind = '', name = ''] = /^(\w+):(.*)$/.exec(place) ?? [];
  const isOf = (names: readonly string[] = []) =>
    names.some((one) => one.toLowerCase() === name.toLowerCase());
  return parsed.value.some((piece) => {
    if (piece.kind === 'raw_body') return kind === 'body';
    if (piece.kind === 'url') return kind === 'query';
    if (piece.kind === 'ts') return kind === 'header' && isOf(timestamp?.header);
    return piece.kind === 'header' && kind === 'header' && isOf(piece.names);
  });
}
