import { addressSenders } from './address-senders.ts';
import { certificateSenders } from './certificate-senders.ts';
import { cloudSenders } from './cloud-senders.ts';
import { fieldSenders } from './field-senders.ts';
import { hmacSenders } from './hmac-senders.ts';
import { jwtSenders } from './jwt-senders.ts';
import { keyPairSenders } from './key-pair-senders.ts';
import type { Sender } from './sender.ts';
import { tokenSenders } from './token-senders.ts';

/** Every way in which a provider of the catalogue posts, made from its documents and not from the code that verifies. */
export const senders: readonly Sender[] = [
  ...hmacSenders,
  ...addressSenders,
  ...fieldSenders,
  ...keyPairSenders,
  ...certificateSenders,
  ...jwtSenders,
  ...tokenSenders,
  ...cloudSenders,
];

/** The ways of one provider. */
export const sendersOf = (provider: string): readonly Sender[] =>
  senders.filter((sender) => sender.provider === provider);

/** The headers that a provider signs a body with, in its first way; `seconds` since 1970. */
export async function signedHeaders(
  provider: string,
  body: string,
  secret: string,
  seconds: number,
): Promise<Record<string, string>> {
  const [sender] = sendersOf(provider);
  if (sender === undefined) throw new Error(`nobody signs for ${provider}`);
  const draft = { method: 'POST', url: `https://relay.example/hooks/${provider}`, headers: {}, body };
  const { headers } = await sender.send(draft, { keys: [secret], now: seconds * 1_000 });
  return { ...headers };
}
