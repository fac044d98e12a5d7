import '../workerd-crypto.ts';
import { createHash } from 'node:crypto';
import { parseBody } from '../../src/ingest/parse/parse.ts';
import { ownValue, parseObject, scalarText } from '../../src/lib/json.ts';
import { decodeText, type Encoding } from '../../src/lib/encoding.ts';
import type { SignedRequest } from '../../src/signature/basics/request.ts';
import { verifySchema, type VerifyScheme, verifySignature } from '../../src/signature/scheme.ts';
import type { Captured } from './captured.ts';

export type VerifyDocument = Readonly<Record<string, unknown>>;

/** A place of the request that could hold a proof, and what came of it. */
export interface Tried {
  /** `X-Ghost-Signature`, `query signature`, `body field token`. */
  readonly place: string;
  /** What it looks like: `hmac sha256 in hex`. */
  readonly looks: string;
  readonly count: number;
  readonly match: Match | null;
}

export interface Match {
  readonly verify: VerifyDocument;
  readonly scheme: VerifyScheme;
  /** `hmac sha256 hex over body + t`. */
  readonly words: string;
  /** The moment at which it was signed, in ms since 1970. */
  readonly now: number;
}

interface Found {
  readonly in: 'header' | 'query' | 'body';
  readonly name: string;
  readonly text: string;
}

const MAX_OF_A_KIND = 4;
const MAX_FIELDS = 200;
const MAX_PLACES = 24;

/** Tries every scheme that is known on every place that could hold a proof. `secret` null: only what each looks like. */
export async function trySchemes(captured: Captured, secret: string | null): Promise<readonly Tried[]> {
  const request = await requestOf(captured);
  const parsed = await request.parsed();
  const payload = parsed.ok ? parsed.value.payload : null;
  const found = foundIn(captured, payload);
  const tried: Tried[] = [];
  if (secret !== null)
    for (const { place, looks, ...way } of [
      ...shownSecrets(found, captured, secret),
      ...tokens(found, request),
    ])
      tried.push({ place, looks, count: 1, match: await matchOf(way, secret, request) });
  const signatures = found
    .map((one) => ({ one, forms: formsOf(one.text), isNamed: NAMED.test(one.name) }))
    .filter(({ forms }) => forms.length > 0)
    .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed));
  for (const { one, forms, isNamed } of signatures.slice(0, MAX_PLACES)) {
    let count = 0;
    let match: Match | null = null;
    if (secret !== null)
      for (const way of waysOf(one, forms, found, payload, secret)) {
        count += 1;
        match = await matchOf(way, secret, request);
        if (match !== null) break;
      }
    if (isNamed || match !== null)
      tried.push({ place: placeOf(one), looks: forms.slice(0, 1).map(looksOf).join(''), count, match });
  }
  return tried.toSorted((a, b) => rank(a) - rank(b));
}

/** First what signs, then what only shows the secret. */
const rank = ({ match }: Tried): number =>
  match === null ? 2 : ['token', 'basic'].includes(match.scheme.scheme) ? 1 : 0;

/** Names by which a place says that it may hold a proof. */
const NAMED = /sign|hmac|digest|hash|mac|token|jwt/i;

/** The text of an address; as it is where it cannot be decoded. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const placeOf = ({ in: place, name }: Found): string =>
  place === 'header' ? name : place === 'query' ? `query \`${name}\`` : `body field \`${name}\``;

async function requestOf({ method, url, headers, body, quirks }: Captured): Promise<SignedRequest> {
  const sent = new Headers();
  for (const [name, value] of headers) sent.append(name, value);
  const bytes = new TextEncoder().encode(body);
  const parsed = await parseBody(sent.get('content-type'), bytes, quirks);
  return {
    method,
    url,
    registeredUrl: null,
    headers: sent,
    body: bytes,
    parsed: async () => parsed,
    pathToken: decoded(url.pathname.split('/').at(-1) ?? ''),
  };
}

/** Every short text of headers, the query and the body. */
function foundIn({ headers, url }: Captured, payload: unknown): readonly Found[] {
  const fields: Found[] = [];
  const walk = (value: unknown, path: string): void => {
    const text = scalarText(value);
    if (text !== null && path !== '') fields.push({ in: 'body', name: path, text });
    if (typeof value !== 'object' || value === null || fields.length > MAX_FIELDS) return;
    for (const [key, inner] of Object.entries(value))
      if (!/[.\s]/.test(key) && key !== '') walk(inner, path === '' ? key : `${path}.${key}`);
  };
  walk(payload, '');
  return [
    ...headers.map(([name, text]): Found => ({ in: 'header', name, text })),
    ...[...url.searchParams].map(([name, text]): Found => ({ in: 'query', name, text })),
    ...fields.slice(0, MAX_FIELDS),
  ].filter(({ text }) => text !== '' && text.length <= 4_096);
}

/** A way to read signatures from a text: the bytes of one, and the keys of `verify` that say how. */
interface Form {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly keys: VerifyDocument;
  /** Parameters that are listed beside it. */
  readonly params: readonly (readonly [name: string, text: string])[];
}

const DIGESTS: ReadonlyMap<number, string> = new Map([
  [16, 'md5'],
  [20, 'sha1'],
  [32, 'sha256'],
  [64, 'sha512'],
]);

const isSignature = ({ length, 0: first }: Uint8Array): boolean =>
  DIGESTS.has(length) || (first === 0x30 && length >= 66 && length <= 72) || length >= 256;

/** A text that is one signature, and one that lists some: `t=1,v1=abc`, `v1,abc v1,def`, `sha256=abc, t=1`. */
const formsOf = (text: string): readonly Form[] => [
  ...wholeForms(text),
  ...[',=', ';=', ' ,', ' ='].flatMap(([list_separator = '', key_value_separator = '']) => {
    const items = text
      .split(list_separator)
      .map((item) => item.trim())
      .filter((item) => item !== '');
    const pairs = items.flatMap((item): Form['params'] => {
      const at = item.indexOf(key_value_separator);
      return at > 0 && at <= 32 ? [[item.slice(0, at), item.slice(at + 1)]] : [];
    });
    if (pairs.length !== items.length || (pairs.length < 2 && list_separator !== ' ')) return [];
    return pairs.flatMap(([key, value]) =>
      wholeForms(
        value,
        { list_separator, key_value_separator, keys: [key] },
        pairs.filter(([name]) => name !== key),
      ),
    );
  }),
];

function wholeForms(text: string, keys: VerifyDocument = {}, params: Form['params'] = []): readonly Form[] {
  const [, prefix = ''] = /^([A-Za-z][\w-]{0,15}[=:,] ?)(?=.{16})/.exec(text) ?? [];
  return [...new Set(['', prefix])].flatMap((start) =>
    (['hex', 'base64', 'base64url'] as const).flatMap((encoding) => {
      const bytes = decodeText(text.slice(start.length), encoding);
      return bytes !== null && isSignature(bytes) && !(encoding === 'base64url' && !/[-_]/.test(text))
        ? [{ bytes, encoding, keys: { ...keys, ...(start !== '' && { prefix: start }) }, params }]
        : [];
    }),
  );
}

function looksOf({ bytes, encoding }: Form): string {
  const digest = DIGESTS.get(bytes.length);
  const what = digest === undefined ? 'a signature with a private key' : `hmac ${digest}`;
  return `${what}${digest === 'sha512' ? ' or an Ed25519 signature' : ''} in ${encoding}`;
}

/** A `verify` to try, at a moment, in ms since 1970. */
interface Way {
  readonly verify: VerifyDocument;
  readonly words: string;
  readonly now: number;
}

/** Every way in which a place could be signed. */
function* waysOf(
  one: Found,
  forms: readonly Form[],
  found: readonly Found[],
  payload: unknown,
  secret: string,
): Generator<Way> {
  for (const form of forms)
    for (const { now, timestamp, text, over, ...more } of textsOf(one, form, found, payload))
      for (const [keys, words] of algorithmsOf(form, secret, text.includes('{secret}'))) {
        const verify = {
          ...keys,
          encoding: form.encoding,
          [one.in === 'body' ? 'field' : one.in]: one.name,
          ...form.keys,
          signed: text,
          ...(timestamp && { timestamp }),
          ...more,
        };
        yield { verify: withoutDefaults(verify), now, words: `${words} ${form.encoding} over ${over}` };
      }
}

/** The match of a `verify` by the verifier itself; null: it refuses. */
async function matchOf(
  { verify, words, now }: Way,
  secret: string,
  request: SignedRequest,
): Promise<Match | null> {
  const scheme = verifySchema.safeParse(verify);
  if (!scheme.success) return null;
  const context = { now, fetch: async () => Response.error() };
  const verified = await verifySignature(scheme.data, [secret], request, context);
  return verified.ok ? { verify, scheme: scheme.data, words, now } : null;
}

/** Some keys of `verify`, and what they are in words. */
type Algorithm = readonly [keys: VerifyDocument, words: string];

/** The algorithms whose signatures have this length, each with the ways to read the secret; of a text with the secret, hashes. */
function algorithmsOf({ bytes }: Form, secret: string, isHash: boolean): readonly Algorithm[] {
  const { length } = bytes;
  const digest = DIGESTS.get(length);
  const algorithm = digest !== 'sha256' && { algorithm: digest };
  if (isHash) return length < 32 || !digest ? [] : [[{ scheme: 'hash', ...algorithm }, `hash ${digest}`]];
  const isPem = /PUBLIC KEY|^\s*\{/.test(secret);
  const isLong = isPem || secret.length > 80;
  const hmacs = digest === undefined || isPem ? [] : secretForms(secret);
  const seeds = (['hex', 'base64'] as const).filter(
    (one) => length === 64 && decodeText(secret, one)?.length === 32,
  );
  return [
    ...hmacs.map(([keys, words]): Algorithm => [
      { scheme: 'hmac', ...algorithm, ...keys },
      `hmac ${digest}${words}`,
    ]),
    ...seeds.map((one): Algorithm => [
      { scheme: 'ed25519', ...(one !== 'hex' && { secret_encoding: one }) },
      'ed25519',
    ]),
    ...(length === 64 && isLong ? [[{ scheme: 'ecdsa', signature_format: 'raw' }, 'ecdsa'] as const] : []),
    ...(bytes[0] === 0x30 && isLong ? [[{ scheme: 'ecdsa' }, 'ecdsa'] as const] : []),
    ...(length >= 256 && isLong ? [[{ scheme: 'rsa' }, 'rsa'] as const] : []),
  ];
}

/** The ways to make a key of a secret: its text, or the bytes that it writes in hex or base64, after a prefix or not. */
function secretForms(secret: string): readonly Algorithm[] {
  const [, prefix = ''] = /^((?:[A-Za-z0-9]{1,12}_){1,3})(?=.{8})/.exec(secret) ?? [];
  const bytes = (['hex', 'base64'] as const).flatMap((secret_encoding) =>
    [...new Set(['', prefix])].flatMap((start): readonly Algorithm[] => {
      const length = decodeText(secret.slice(start.length), secret_encoding)?.length ?? 0;
      if (length < 8) return [];
      const keys = { secret_encoding, ...(start !== '' && { strip_secret_prefixes: [start] }) };
      return [[keys, ` (key in ${secret_encoding}${start === '' ? '' : ` after ${start}`})`]];
    }),
  );
  return [[{}, ''], ...bytes];
}

/** A text that may be signed, in the language of `signed`. */
interface SignedText {
  readonly text: string;
  readonly over: string;
  readonly now: number;
  readonly timestamp: VerifyDocument | null;
  readonly unsigned_body?: true;
}

const WITH_TIME = [
  '{ts}.{raw_body}',
  '{ts}:{raw_body}',
  '{ts}{raw_body}',
  '{raw_body}{ts}',
  '{raw_body}.{ts}',
  '{ts}|{raw_body}',
  'v0:{ts}:{raw_body}',
  'v1:{ts}:{raw_body}',
  '{[}{ts};{raw_body}{]}',
  '{ts};{raw_body}',
  '{ts}\n{raw_body}',
  '{ts}-{raw_body}',
  '{ts} {raw_body}',
  '{ts}.{url}.{raw_body}',
  '{url}{ts}{raw_body}',
  '{ts}{url}{raw_body}',
  '{ts}{method}{url}{raw_body}',
  '{method}{url}{raw_body}{ts}',
  '{ts}.{method}.{url}.{raw_body}',
];
const WITH_ID = [
  'ID.{ts}.{raw_body}',
  'ID{ts}{raw_body}',
  'ID:{ts}:{raw_body}',
  'ID|{ts}|{raw_body}',
  '{ts}.ID.{raw_body}',
];
const WITHOUT_TIME = [
  '{raw_body}',
  '{url}{raw_body}',
  '{method}{url}{raw_body}',
  '{url}.{raw_body}',
  '{url}{form_sorted}',
  '{form_sorted}',
];
const ID_ONLY = ['ID.{raw_body}', 'ID{raw_body}', '{raw_body}ID', 'ID:{raw_body}', '{raw_body}.ID'];

/** The texts that a place may sign, and then those whose plain hash proves the secret in them. */
function textsOf(
  { in: place, name }: Found,
  { params }: Form,
  found: readonly Found[],
  payload: unknown,
): readonly SignedText[] {
  const times = timesIn(found, params);
  const ids = found.filter((one) => one.in === 'header' && isIdLike(one)).slice(0, MAX_OF_A_KIND);
  const withIds = (shapes: readonly string[]): readonly string[] =>
    ids.flatMap((id) => shapes.map((shape) => shape.replace('ID', `{header:${id.name}}`)));
  const texts = [
    ...over(WITHOUT_TIME, NO_TIME),
    ...times.flatMap((time) => over([...WITH_TIME, ...withIds(WITH_ID)], time)),
    ...over(withIds(ID_ONLY), NO_TIME),
  ];
  const besides = (): readonly SignedText[] =>
    fieldsBeside(name, payload).flatMap((path) =>
      times
        .flatMap((time) => over([`{ts}{body:${path}}`, `{body:${path}}{ts}`], time))
        .map((one) => ({ ...one, unsigned_body: true })),
    );
  // A signature in a body is over fields beside it.
  const all =
    place === 'body' ? [...texts.filter(({ text }) => !text.includes('{raw_body}')), ...besides()] : texts;
  const withSecret = all.flatMap((one) =>
    ['', '.', ':', '|'].flatMap((between) => [
      { ...one, text: `{secret}${between}${one.text}`, over: `secret + ${one.over}` },
      { ...one, text: `${one.text}${between}{secret}`, over: `${one.over} + secret` },
    ]),
  );
  return [...all, ...withSecret];
}

const over = (texts: readonly string[], { name, now, timestamp }: Time): readonly SignedText[] =>
  texts.map((text) => ({ text, over: wordsOf(text, name), now, timestamp }));

/** The paths of the texts beside a field. */
function fieldsBeside(name: string, payload: unknown): readonly string[] {
  const parent = name.split('.').slice(0, -1).join('.');
  const siblings = parent === '' ? payload : ownValue(payload, parent);
  if (typeof siblings !== 'object' || siblings === null) return [];
  return Object.entries(siblings)
    .filter(([, value]) => (scalarText(value) ?? '') !== '')
    .map(([key]) => (parent === '' ? key : `${parent}.${key}`))
    .filter((path) => path !== name)
    .slice(0, 2 * MAX_OF_A_KIND);
}

/** `{raw_body}{ts}` as `body + t`. */
const wordsOf = (text: string, time: string): string =>
  [...text.matchAll(/\{([^{}[\]]+)\}/g)]
    .map(([, token = '']) => (token === 'ts' ? time : token.replace('raw_body', 'body').replace(/^\w+:/, '')))
    .join(' + ');

interface Time {
  readonly name: string;
  readonly now: number;
  readonly timestamp: VerifyDocument | null;
}

const NO_TIME: Time = { name: '', now: 0, timestamp: null };

/** The times of a request by their form: those listed beside a signature, then others. */
function timesIn(found: readonly Found[], params: Form['params']): readonly Time[] {
  const others = found.filter(({ in: place }) => place !== 'query');
  return [
    ...params.flatMap(([name, text]) => timeIn('key', name, text)),
    ...others.flatMap((one) => timeIn(one.in, one.name, one.text)).slice(0, MAX_OF_A_KIND),
  ];
}

function timeIn(place: string, name: string, text: string): readonly Time[] {
  const time = timeOf(text);
  return time === null ? [] : [{ name, now: time.now, timestamp: { [place]: name, ...time.unit } }];
}

/** A time in seconds, milliseconds or ISO 8601. */
function timeOf(text: string): { readonly now: number; readonly unit: VerifyDocument } | null {
  if (/^\d{10}$/.test(text)) return { now: Number(text) * 1_000, unit: {} };
  if (/^\d{13}$/.test(text)) return { now: Number(text), unit: { unit: 'ms' } };
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const now = isIso ? Date.parse(text) : NaN;
  return Number.isNaN(now) ? null : { now, unit: { unit: 'iso8601' } };
}

/** A header that could be signed: an id, or a time that has another form. */
const isIdLike = ({ name, text }: Found): boolean =>
  /id$|uuid|nonce|delivery|timestamp|date/i.test(name) && text.length <= 128;

/** A way with the place that it is for. */
interface Shown extends Way, Pick<Tried, 'place' | 'looks'> {}

/** Where the secret itself stands. */
function shownSecrets(found: readonly Found[], { url }: Captured, secret: string): readonly Shown[] {
  const places = found.flatMap((one): [string, VerifyDocument][] => {
    const { in: place, name, text } = one;
    if (/^basic /i.test(text) && place === 'header') return [[placeOf(one), { scheme: 'basic' }]];
    if (!text.endsWith(secret)) return [];
    const prefix = place === 'body' ? '' : text.slice(0, -secret.length);
    return [[placeOf(one), { scheme: 'token', in: place, name, ...(prefix !== '' && { prefix }) }]];
  });
  if (decoded(url.pathname).endsWith(`/${secret}`))
    places.push(['the path', { scheme: 'token', in: 'path' }]);
  return places.map(([place, verify]) => {
    const words = verify['scheme'] === 'basic' ? 'basic, user:password' : 'the secret itself, as a token';
    return { place, looks: 'a user and a password', verify, words, now: 0 };
  });
}

/** JSON Web Tokens: by the algorithm that they name, the secret, and the body's hash if one of the claims is it. */
function tokens(found: readonly Found[], request: SignedRequest): readonly Shown[] {
  const digest = createHash('sha256').update(request.body).digest('hex');
  return found.flatMap(({ in: place, name, text }) => {
    const [, prefix = '', ...parts] = /^(\w+ )?(eyJ[\w-]+)\.(eyJ[\w-]+)\.[\w-]+$/.exec(text) ?? [];
    const [header, payload] = parts.map((part) =>
      parseObject(new TextDecoder().decode(decodeText(part, 'base64url') ?? new Uint8Array())),
    );
    if (place !== 'header' || !header || !payload) return [];
    const claim = Object.entries(payload).find(([, value]) => value === digest)?.[0];
    const { exp, iat } = payload;
    const seconds = typeof iat === 'number' ? iat : typeof exp === 'number' ? exp - 1 : 0;
    const { alg } = header;
    const verify = {
      scheme: 'jwt',
      header: name,
      ...(prefix !== '' && { prefix }),
      ...(alg !== 'HS256' && { algorithm: alg }),
      ...(claim === undefined ? { unsigned_body: true } : { body_hash_claim: claim }),
    };
    const words = `JSON Web Token, ${String(alg)}`;
    return [{ place: name, looks: `a ${words}`, verify, words, now: seconds * 1_000 }];
  });
}

/** Without keys that say what holds without them. */
function withoutDefaults(verify: VerifyDocument): VerifyDocument {
  const usual: VerifyDocument = {
    encoding: verify['scheme'] === 'ecdsa' || verify['scheme'] === 'rsa' ? 'base64' : 'hex',
    signed: '{raw_body}',
  };
  return Object.fromEntries(Object.entries(verify).filter(([key, value]) => usual[key] !== value));
}
