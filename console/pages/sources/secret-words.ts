import { shellWord } from '../../../shared/shell-word.ts';
import { isLoopback } from '../../../src/lib/url.ts';
import type { ProviderAnswer, Written } from '../../api/types.ts';

/** The command that sets a secret to a value; on the machine of whoever looks, the line of `.dev.vars`. */
export const setsSecret = (name: string, value: string, hostname: string): string =>
  isLoopback(hostname)
    ? `${name}=${lineValue(value)}`
    : `printf %s ${shellWord(value)} | npx wrangler secret put ${name}`;

/** Writes a value for a file of variables, in quotes that it does not contain. */
const lineValue = (text: string): string => {
  const quote = ['"', "'", '`'].find((one) => !text.includes(one)) ?? '"';
  return `${quote}${text}${quote}`;
};

const SECRET_BYTES = 24;

/** A secret that nobody can guess, of letters and digits, which every provider takes. */
export const newSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

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

export function withSecret(source: Written, name: string): Written {
  const names = Array.isArray(source['secrets']) ? source['secrets'].map(String) : [];
  return names.includes(name) ? source : { ...source, secrets: [...names, name] };
}

/** The secret's name in the relay's words after a key came: “`wrangler secret put NAME`”. */
export const nameInHint = (hint: string): string | null =>
  /secret put ([A-Z][A-Z0-9_]*)/.exec(hint)?.[1] ?? null;
