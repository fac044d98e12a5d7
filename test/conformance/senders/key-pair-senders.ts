import { decode, encode, utf8 } from './bytes.ts';
import { renamed, type SenderTime, timeText, windowOf, withDefault } from './hmac-sender.ts';
import { ECDSA, ED25519, type KeySet, WHPK } from './keys.ts';
import { headerOf, type Sender, type Signing, type Webhook, withHeader } from './sender.ts';

const same = (text: string): string => text;

/** The bytes before the 32 bytes of the seed in PKCS #8 (RFC 8410). */
const ED25519_HEAD = '302e020100300506032b657004220420';

async function signEd25519(seed: string, text: string): Promise<Uint8Array> {
  const der = decode(`${ED25519_HEAD}${seed}`, 'hex');
  const key = await crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('Ed25519', key, utf8(text)));
}

async function signEcdsa(pkcs8: string, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('pkcs8', decode(pkcs8, 'base64'), algorithm, false, ['sign']);
  return asDer(new Uint8Array(await crypto.subtle.sign(algorithm, key, utf8(text))));
}

/** SEQUENCE of two INTEGERs, each as short as it can be and positive (X.690 §8.3). */
function asDer(raw: Uint8Array): Uint8Array {
  const numbers = [raw.subarray(0, 32), raw.subarray(32)].flatMap((number) => {
    const digits = number.subarray(number.findIndex((byte) => byte !== 0));
    const bytes = (digits[0] ?? 0) > 127 ? [0, ...digits] : [...digits];
    return [2, bytes.length, ...bytes];
  });
  return Uint8Array.from([0x30, numbers.length, ...numbers]);
}

interface PairFacts {
  readonly header: string;
  readonly keys: KeySet;
  readonly encoding: 'hex' | 'base64';
  readonly sign: (key: string, text: string) => Promise<Uint8Array>;
  readonly time: Omit<SenderTime, 'in'>;
  readonly content?: (time: string, draft: Webhook) => string;
  /** A header that is signed, and what it says where a sample has none. */
  readonly beside?: readonly [name: string, value: string];
  readonly write?: (signatures: readonly string[]) => string;
  readonly rest: Pick<Sender, 'otherAlgorithms' | 'reasons' | 'lists'>;
}

/** A sender of a signature with a private key over the time in a header and the body. */
function pairSender(provider: string, facts: PairFacts): Sender {
  const { header, keys, encoding, time, beside, rest } = facts;
  return {
    provider,
    keys,
    send: async (draft, signing) => signPair(facts, draft, signing),
    proof: { in: 'header', name: header },
    encoding,
    time: windowOf({ ...time, in: 'header' }),
    covers: { body: 'raw', ...(beside !== undefined && { headers: [beside[0]] }) },
    ...rest,
  };
}

async function signPair(facts: PairFacts, draft: Webhook, signing: Signing): Promise<Webhook> {
  const { content = (time: string, { body }: Webhook) => `${time}${body}`, write = ([one = '']) => one } =
    facts;
  const { alter = same, restate = same, keys } = signing;
  const time = signing.time ?? timeText(signing.now, facts.time.unit);
  const known = facts.beside === undefined ? draft : withDefault(draft, facts.beside);
  const text = content(time, known);
  const signatures = await Promise.all(
    keys.map(async (key) => alter(encode(await facts.sign(key, text), facts.encoding))),
  );
  const stamped = withHeader(known, facts.time.name, restate(time));
  return withHeader(stamped, facts.header, write(signatures));
}

/** Bytes that are no signature of its kind. */
const noSignature = (name: string, header: string, text: string): Sender['otherAlgorithms'] => [
  { name, change: (sent) => withHeader(sent, header, text), reason: 'malformed' },
];

const discord = (provider: string, late: number): Sender =>
  pairSender(provider, {
    header: 'X-Signature-Ed25519',
    keys: ED25519,
    encoding: 'hex',
    sign: signEd25519,
    time: { name: 'X-Signature-Timestamp', unit: 's', late },
    rest: { otherAlgorithms: noSignature('an HMAC of 32 bytes', 'X-Signature-Ed25519', 'ab'.repeat(32)) },
  });

const SENDGRID = 'X-Twilio-Email-Event-Webhook-Signature';
const RAW_ECDSA = encode(new Uint8Array(64).fill(7), 'base64');

const sendgrid = pairSender('sendgrid', {
  header: SENDGRID,
  keys: ECDSA,
  encoding: 'base64',
  sign: signEcdsa,
  time: { name: 'X-Twilio-Email-Event-Webhook-Timestamp', unit: 's', late: 86_400 },
  rest: { otherAlgorithms: noSignature('two numbers in 64 bytes', SENDGRID, RAW_ECDSA) },
});

const standardEd25519 = pairSender('standard-webhooks-ed25519', {
  header: 'webhook-signature',
  keys: WHPK,
  encoding: 'base64',
  sign: signEd25519,
  time: { name: 'webhook-timestamp', unit: 's', late: 300 },
  content: (time, draft) => `${headerOf(draft, 'webhook-id')}.${time}.${draft.body}`,
  beside: ['webhook-id', 'msg_2Lml7bxRGqPRHTJz4kOHmjQnlTf'],
  write: (signatures) => signatures.map((one) => `v1a,${one}`).join(' '),
  rest: { lists: true, otherAlgorithms: [renamed('webhook-signature', 'v1a,', 'v1,', 'unknown_key')] },
});

/** Senders with a private key whose public one they publish. */
export const keyPairSenders: readonly Sender[] = [
  discord('discord-interactions', 300),
  discord('discord-webhook-events', 900),
  standardEd25519,
  sendgrid,
];
