import type { Written } from '../../api/documents.ts';
import { secretNames, textAt } from './model.ts';

/** Where webhooks of a source go. A secret that is part of it is not known here, and stands by its name. */
export function addressOfSource(origin: string, id: string, source: Written): string {
  const address = `${origin}/hooks/${id}`;
  return textAt(source['verify'], 'in') === 'path'
    ? `${address}/<${secretNames(source)[0] ?? 'secret'}>`
    : address;
}

/** True if the relay runs on the machine of whoever looks: its secrets are in a file then. */
export const isHere = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';

/** The command that sets a secret to a value, or the line of `.dev.vars`. */
export const setsSecret = (name: string, value: string, hostname: string): string =>
  isHere(hostname)
    ? `${name}=${lineValue(value)}`
    : `printf %s ${shellWord(value)} | npx wrangler secret put ${name}`;

/** As one word of a shell. */
const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** As a file of variables has it: in the quotes that it does not have itself. */
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

/** The steps at a provider, with the address and the secret of this source. */
export const setupFor = (
  setup: string,
  {
    origin,
    id,
    secret,
  }: {
    readonly origin: string;
    readonly id: string;
    readonly secret: readonly [from: string, to: string] | null;
  },
): string => {
  const here = setup.replaceAll('https://<your worker>', origin).replaceAll('<source>', id);
  return secret === null ? here : here.replaceAll(secret[0], secret[1]);
};
