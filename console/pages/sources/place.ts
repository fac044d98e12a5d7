import { shellWord } from '../../../shared/shell-word.ts';
import { isLoopback } from '../../../src/lib/url.ts';

/** The command that sets a secret to a value; on the machine of whoever looks, the line of `.dev.vars`. */
export const setsSecret = (name: string, value: string, hostname: string): string =>
  isLoopback(hostname)
    ? `${name}=${lineValue(value)}`
    : `printf %s ${shellWord(value)} | npx wrangler secret put ${name}`;

/** A fix in the relay's words, which name Wrangler; on the machine of whoever looks, secrets are lines of `.dev.vars`. */
export const fixHere = (text: string, hostname: string): string =>
  isLoopback(hostname)
    ? text.replaceAll(/npx wrangler secret put(?: ([A-Z][A-Z0-9_]*))?/g, (_, name: string | undefined) =>
        name === undefined ? '`.dev.vars`' : `\`.dev.vars\`: \`${name}="…"\``,
      )
    : text;

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
