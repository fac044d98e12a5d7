import { asksForSecret, pairs } from '../provider/handshake.ts';
import type { Provider } from '../provider/provider.ts';
import type { Report } from './issues.ts';
import type { SourceDocument } from './schema.ts';

/** Checks that a source's document has what its provider's handshake needs. */
export function checkHandshake(
  provider: Provider,
  { handshake }: SourceDocument,
  { report, warn }: { readonly report: Report; readonly warn: Report },
): void {
  const asks = asksForSecret(provider);
  if (handshake !== undefined && !asks)
    report('.handshake', `has no effect: ${provider.name} does not send a secret of yours before it posts`);
  if (handshake === undefined && asks) {
    warn(
      '.handshake',
      `is missing: ${provider.name} cannot confirm the address without it. Choose a secret, set it as a Worker secret, and name it: \`handshake: { secret: NAME }\``,
    );
  }
}

/** A provider that hands over the key of its signatures does so only after the source is published. */
export const mayLackSecrets = (provider: Provider, { verify }: SourceDocument): boolean =>
  verify === undefined && pairs(provider);

/** The warning for a source whose key is still to come. */
export const pairingAdvice = (id: string, { name }: Provider): string =>
  `names no secret, so events get 503. Run \`npx hookbell pair ${id}\`, create the webhook at ${name}, set the key as the secret that the command names, and name it here`;
