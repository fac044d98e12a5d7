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

/** The way to set a secret: a command, or a line of `.dev.vars`. */
export const setsSecret = (name: string, hostname: string): string =>
  isHere(hostname) ? `${name}="…"` : `npx wrangler secret put ${name}`;

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
