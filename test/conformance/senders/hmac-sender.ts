import { createHmac } from 'node:crypto';
import { decode, utf8 } from './bytes.ts';
import { editJson } from './json.ts';
import { type KeySet, TEXT } from './keys.ts';
import {
  type Algorithm,
  type Covers,
  type OtherAlgorithm,
  type Sender,
  type Signing,
  headerOf,
  type Webhook,
  withHeader,
} from './sender.ts';

/** The place and form of a sender's time, and the seconds after and before it in which a request is taken. */
export interface SenderTime {
  readonly in: 'header' | 'signature' | 'body';
  readonly name: string;
  readonly unit: 's' | 'ms' | 'iso8601';
  readonly late: number;
  readonly early?: number;
}

/** The request and the time that a signature is about. */
export interface Signed {
  readonly draft: Webhook;
  readonly time: string;
}

export interface HmacFacts {
  readonly header: string;
  readonly variant?: string;
  readonly keys?: KeySet;
  readonly decodeKey?: (key: string) => Uint8Array;
  readonly algorithm?: Algorithm;
  readonly encoding?: 'hex' | 'base64';
  /** The signed text; absent: the body. */
  readonly content?: (signed: Signed) => string;
  /** Headers that stand beside the signature, such as the message's id, where a sample has none. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The header's text; absent: the signature after `prefix`. */
  readonly write?: (signatures: readonly string[], time: string) => string;
  readonly prefix?: string;
  readonly lists?: boolean;
  readonly time?: SenderTime;
  readonly query?: string;
  readonly adapt?: (draft: Webhook) => Webhook;
  readonly covers?: Partial<Covers>;
  readonly otherAlgorithms?: readonly OtherAlgorithm[];
  /** The reason of the refusal for a signature by another hash, if not `malformed`. */
  readonly otherHash?: OtherAlgorithm['reason'];
  readonly reasons?: Sender['reasons'];
}

/** Decoders for keys that are not taken as text. */
export const keyBytes = {
  base64: (key: string): Uint8Array => decode(key, 'base64'),
  hex: (key: string): Uint8Array => decode(key, 'hex'),
};

/** A sender of an HMAC in a header. Node's own crypto: nothing here knows the code that verifies. */
export function hmacSender(provider: string, facts: HmacFacts): Sender {
  const { header, keys = TEXT, encoding = 'hex', lists = false, time, covers } = facts;
  const send = async (draft: Webhook, signing: Signing): Promise<Webhook> => signHmac(facts, draft, signing);
  return {
    provider,
    keys,
    send,
    proof: { in: 'header', name: header },
    encoding,
    lists,
    covers: { body: 'raw', ...covers },
    otherAlgorithms: [otherHash(facts), ...(facts.otherAlgorithms ?? [])],
    ...(time !== undefined && { time: windowOf(time) }),
    ...(facts.variant !== undefined && { variant: facts.variant }),
    ...(facts.query !== undefined && { query: facts.query }),
    ...(facts.adapt !== undefined && { adapt: facts.adapt }),
    ...(facts.reasons !== undefined && { reasons: facts.reasons }),
  };
}

/** The webhook with a header, if it has none of that name. */
export const withDefault = (webhook: Webhook, [name, value]: readonly [string, string]): Webhook =>
  withHeader(webhook, name, headerOf(webhook, name) ?? value);

/** The window in which a sender's requests are taken. */
export const windowOf = ({
  in: place,
  name,
  late,
  early = late,
}: SenderTime): NonNullable<Sender['time']> => ({
  late,
  early,
  ...(place === 'header' && { header: name }),
});

function signHmac(facts: HmacFacts, draft: Webhook, signing: Signing): Webhook {
  const { encoding = 'hex', algorithm = 'sha256', prefix = '', beside = {} } = facts;
  const { decodeKey = utf8, content = ({ draft }: Signed) => draft.body } = facts;
  const time = signing.time ?? (facts.time === undefined ? '' : timeText(signing.now, facts.time.unit));
  let webhook = Object.entries(beside).reduce(withDefault, draft);
  // Some sign the body with the time in it.
  if (facts.time?.in === 'body') webhook = withTime(webhook, facts.time, time);

  const text = content({ draft: webhook, time });
  const signatures = signing.keys.map((key) => {
    const made = createHmac(signing.algorithm ?? algorithm, decodeKey(key))
      .update(text)
      .digest(encoding);
    return signing.alter === undefined ? made : signing.alter(made);
  });

  const stated = signing.restate === undefined ? time : signing.restate(time);
  if (facts.time !== undefined && facts.time.in !== 'signature')
    webhook = withTime(webhook, facts.time, stated);
  const { write = ([signature = '']: readonly string[]) => `${prefix}${signature}` } = facts;
  return withHeader(webhook, facts.header, write(signatures, stated));
}

/** A moment as a sender writes it. */
export function timeText(now: number, unit: SenderTime['unit']): string {
  if (unit === 'iso8601') return new Date(now).toISOString().replace('.000Z', 'Z');
  return String(unit === 's' ? Math.floor(now / 1_000) : now);
}

function withTime(webhook: Webhook, { in: place, name }: SenderTime, time: string): Webhook {
  if (place === 'header') return withHeader(webhook, name, time);
  // A number where it is one, as JSON writes times.
  const value = /^\d+$/.test(time) ? Number(time) : time;
  return { ...webhook, body: editJson(webhook.body, name, () => value) };
}

/** The right key and content with a hash that is not the provider's: of another length, so no signature at all. */
function otherHash({ algorithm, otherHash: reason = 'malformed' }: HmacFacts): OtherAlgorithm {
  const other = algorithm === 'sha1' ? 'sha256' : 'sha1';
  return { name: `HMAC with ${other}`, algorithm: other, reason };
}

/** An honest signature of the body by another hash, which the prefix names. */
export const namedHash = (
  header: string,
  name: Algorithm,
  encoding: 'hex' | 'base64' = 'hex',
): OtherAlgorithm => ({
  name: `${name}= before it`,
  change: (sent, key) =>
    withHeader(sent, header, `${name}=${createHmac(name, key).update(sent.body).digest(encoding)}`),
  reason: 'malformed',
});

/** The genuine signature under another name. */
export const renamed = (
  header: string,
  from: string,
  to: string,
  reason: OtherAlgorithm['reason'],
): OtherAlgorithm => ({
  name: `${to} for ${from}`,
  change: (sent) => withHeader(sent, header, (headerOf(sent, header) ?? '').replaceAll(from, to)),
  reason,
});
