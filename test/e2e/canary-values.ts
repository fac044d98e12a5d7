import { createHash } from 'node:crypto';

/** The texts of these tests are ASCII: a character is a byte. */
export const everyByte = (text: string, write: (byte: number) => string): string =>
  Array.from(text, (character) => write(character.charCodeAt(0))).join('');

export const inHex = (byte: number): string => byte.toString(16).padStart(2, '0');

export const base64url = (text: string): string =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Bytes as a text in which ASCII is found. */
export const readable = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

/** A value that must not come out, and the texts by which it is known wherever it does. */
export interface Canary {
  /** Of the Worker secret, or what else it is. */
  readonly name: string;
  readonly value: string;
  readonly needles: readonly Needle[];
}

/** One way in which a part of a value may be written. */
interface Needle {
  readonly form: string;
  /** In small letters, for case does not hide anything; each character is a byte. */
  readonly text: string;
}

/** Puts a value together from two halves. Each half is searched for on its own: half a secret is a find too. */
type Shape = (a: string, b: string) => string;

/** Characters that URLs, forms, JSON, HTML and regular expressions write differently. */
const AWKWARD: Shape = (a, b) => `${a}/+"&<%\\$'=(${b}`;
/** The characters that can follow `Bearer `, and be in a path once they are encoded. */
const TOKEN: Shape = (a, b) => `${a}/+~.${b}=`;

/** Every secret of the deployment, by its name. Each scheme has one of its own. */
const SHAPES = {
  ADMIN_TOKEN: TOKEN,
  ADMIN_TOKEN_NEXT: TOKEN,
  OPERATOR_TOKEN: TOKEN,
  VIEWER_TOKEN: TOKEN,
  GATEWAY_EMAIL: (a, b) => `${a}+${b}@example.com`,
  GATEWAY_API_KEY: AWKWARD,
  GATEWAY_APP_KEY: AWKWARD,
  GATEWAY_SALES_EMAIL: (a, b) => `${a}@${b}.example.com`,
  GATEWAY_SALES_API_KEY: AWKWARD,
  GATEWAY_SALES_APP_KEY: AWKWARD,
  GATEWAY_ODD_EMAIL: (a, b) => `${a}.${b}@example.com`,
  GATEWAY_ODD_API_KEY: AWKWARD,
  GATEWAY_ODD_APP_KEY: AWKWARD,
  ORDERS_HMAC: AWKWARD,
  LEADS_HMAC: AWKWARD,
  ODD_HMAC: AWKWARD,
  QUIET_HMAC: AWKWARD,
  HASH_SECRET: AWKWARD,
  HEADER_TOKEN: TOKEN,
  BEARER_TOKEN: TOKEN,
  QUERY_TOKEN: TOKEN,
  PATH_TOKEN: TOKEN,
  BODY_TOKEN: AWKWARD,
  FORM_TOKEN: AWKWARD,
  BASIC_LOGIN: (a, b) => `${a}:${b}`,
  JWT_SECRET: (a, b) => `${a}-${b}`,
  STANDARD_SECRET: (a, b) => `whsec_${btoa(`${a}${b}`)}`,
  BROKEN_SECRET: (a, b) => `whsec_(${a}${b})`,
  META_APP_SECRET: AWKWARD,
  META_VERIFY_TOKEN: TOKEN,
  SLACK_SECRET: AWKWARD,
  SPLIT_SECRETS: (a, b) => `${a}|${b}`,
  NOTIFY_PATH: (a, b) => `${a}/${b}`,
  // Set, named by no document, and in no request but by mistake.
  SPARE_SECRET: (a, b) => `${a}${b}`,
} as const satisfies Readonly<Record<string, Shape>>;

export type SecretName = keyof typeof SHAPES;

const isSecretName = (name: string): name is SecretName => Object.hasOwn(SHAPES, name);

/** The names of all of them. */
export const SECRET_NAMES: readonly SecretName[] = Object.keys(SHAPES).filter(isSecretName);

/** The value of one of them, the same in each run. */
export const secretOf = (name: SecretName): string => SHAPES[name](...halves(name));

/** The same, to be searched for. */
export const SECRETS: readonly Canary[] = SECRET_NAMES.map((name) => canary(name, SHAPES[name]));

/** A key that a provider makes up and hands over. */
export const PAIRED_KEY = canary('the key of a pairing', TOKEN);
/** A token that stands in no document and is not a secret here: somebody's guess. */
export const GUESS = canary('a guessed token', TOKEN);

/** Other people's words: rows and the answers to admins may have them, logs and figures may not. */
export const PAYLOAD_TEXT = canary('a text of a payload', (a, b) => `${a} <${b}>`);
/** In a payload, and in the message that is made of it. */
export const MESSAGE_TEXT = canary('the text of a message', (a, b) => `${a} and ${b}`);
/** The same, of a source that keeps nothing. */
export const QUIET_TEXT = canary('a text of a source with `store: metadata`', (a, b) => `${a} or ${b}`);

/** Receivers; the log shows the first four digits and the last two. */
export const phoneNumber = (index: number): string => `4915112${String(340_000 + index)}`;
const PHONES = 200;
export const PHONE_NUMBERS: Canary = {
  name: 'a phone number in full',
  value: phoneNumber(0),
  needles: Array.from({ length: PHONES }, (_, index) => ({
    form: 'digits',
    // As it is written after `+49`, `0049` and `0`.
    text: phoneNumber(index).slice(2),
  })),
};

/** All that is searched for. */
const WORDS = [PAYLOAD_TEXT, MESSAGE_TEXT, QUIET_TEXT];
export const CANARIES: readonly Canary[] = [...SECRETS, PAIRED_KEY, GUESS, ...WORDS, PHONE_NUMBERS];

function canary(name: string, shape: Shape): Canary {
  const [a, b] = halves(name);
  const value = shape(a, b);
  const middle = Math.floor(value.length / 2);
  // One that is encoded itself is looked for as it was before, and as it is.
  const parts = value.includes(a) ? [a, b] : [a, b, value.slice(0, middle), value.slice(middle)];
  return {
    name,
    value,
    needles: parts.flatMap((part, at) => needles(at % 2 === 0 ? 'its first half' : 'its second half', part)),
  };
}

/** Of digits and small letters only: whatever escapes a text leaves these as they are. */
function halves(name: string): [a: string, b: string] {
  const digest = createHash('sha256').update(`canary ${name}`).digest('hex');
  return [digest.slice(0, 16), digest.slice(16, 32)];
}

function needles(part: string, text: string): readonly Needle[] {
  const lower = text.toLowerCase();
  return [
    { form: part, text: lower },
    { form: `${part}, percent-encoded`, text: everyByte(text, (byte) => `%${inHex(byte)}`) },
    { form: `${part}, as JSON's escapes`, text: everyByte(text, (byte) => `\\u00${inHex(byte)}`) },
    { form: `${part}, as HTML's references`, text: everyByte(text, (byte) => `&#${byte};`) },
    { form: `${part} in hex`, text: everyByte(text, inHex) },
    { form: `${part} backwards`, text: Array.from(lower).toReversed().join('') },
    ...[0, 1, 2].map((offset) => ({ form: `${part} in base64`, text: insideBase64(text, offset) })),
  ];
}

/** The base64 of a text at such an offset, without the characters that depend on its neighbours. */
function insideBase64(text: string, offset: number): string {
  const skipped = (3 - offset) % 3;
  const whole = text.slice(skipped, skipped + Math.floor((text.length - skipped) / 3) * 3);
  return btoa(whole).toLowerCase();
}
