import type { Written } from '../../api/documents.ts';
import type { ProviderAnswer } from '../../api/types.ts';

/** The secret as the provider's guide names it, and as this source does; null: it names none. */
export function secretOf(
  { secret }: Pick<ProviderAnswer, 'secret'>,
  [own]: readonly string[],
): readonly [from: string, to: string] | null {
  return secret === undefined || own === undefined ? null : [secret.name, own];
}

/** True if the key of its signatures comes from the provider, so that a window has to be opened for it. */
export const handsOverKey = (
  { handshakes = [] }: Pick<ProviderAnswer, 'handshakes'>,
  source: Written,
): boolean =>
  source['verify'] === undefined &&
  handshakes.some(
    ({ proof }) => typeof proof === 'object' && proof !== null && Reflect.get(proof, 'by') === 'pairing',
  );

/** The document with one secret more. */
export function withSecret(source: Written, name: string): Written {
  const names = Array.isArray(source['secrets']) ? source['secrets'].map(String) : [];
  return names.includes(name) ? source : { ...source, secrets: [...names, name] };
}

/** The secret's name in the relay's words after a key came: “`wrangler secret put NAME`”. */
export const nameInHint = (hint: string): string | null =>
  /secret put ([A-Z][A-Z0-9_]*)/.exec(hint)?.[1] ?? null;
