import '../workerd-crypto.ts';
import { createHash } from 'node:crypto';
import { parseBody } from '../../src/ingest/parse/parse.ts';
import { isObject, maybeJson, ownValue, scalarText } from '../../src/lib/json.ts';
import { decodeText, type Encoding } from '../../src/lib/encoding.ts';
import type { SignedRequest } from '../../src/signature/basics/request.ts';
import { verifySchema, type VerifyScheme } from '../../src/signature/scheme.ts';
import { verifySignature } from '../../src/signature/verify.ts';
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
export async function trySchemes(request: Captured, secret: string | null): Promise<readonly Tried[]> {
  const verified = await requestOf(request);
  const parsed = await verified.parsed();
  const payload = parsed.ok ? parsed.value.payload : null;
  const found = foundIn(request, payload);
  const tried: Tried[] = [];
  if (secret !== null) tried.push(...(await shownSecrets(found, request, verified, secret)));
  const signatures = found.flatMap((one) => {
    const forms = formsOf(one);
    return forms.length === 0 ? [] : [{ one, forms }];
  });
  const likely = signatures.filter(({ one }) => isNamed(one));
  const others = signatures.filter(({ one }) => !isNamed(one));
  for (const { one, forms } of [...likely, ...others].slice(0, MAX_PLACES)) {
    const first = forms[0];
    const looks = first === undefined ? '' : looksOf(first);
    if (secret === null) {
      if (isNamed(one)) tried.push({ place: placeOf(one), looks, count: 0, match: null });
      continue;
    }
    const result = await tryPlace({ one, forms, found, request: verified, payload, secret });
    if (isNamed(one) || result.match !== null) tried.push({ place: placeOf(one), looks, ...result });
  }
  return tried.toSorted((a, b) => rank(a) - rank(b));
}

/** First what signs, then what only shows the secret. */
const rank = ({ match }: Tried): number =>
  match === null ? 2 : ['token', 'basic'].includes(match.scheme.scheme) ? 1 : 0;

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

const isNamed = ({ name }: Found): boolean => /sign|hmac|digest|hash|mac|token|jwt/i.test(name);

/** A way to read signatures from a text: the bytes of one, and the keys of `verify` that say how. */
interface Form {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly keys: VerifyDocument;
  /** Parameters that are listed beside it. */
  readonly params: readonly (readonly [name: string, text: string])[];
}

const ENCODINGS = ['hex', 'base64', 'base64url'] as const;
const DIGESTS: ReadonlyMap<number, string> = new Map([
  [16, 'md5'],
  [20, 'sha1'],
  [32, 'sha256'],
  [64, 'sha512'],
]);

const isSignature = (bytes: Uint8Array): boolean =>
  DIGESTS.has(bytes.length) ||
  (bytes[0] === 0x30 && bytes.length >= 66 && bytes.length <= 72) ||
  bytes.length >= 256;

function formsOf({ text }: Found): readonly Form[] {
  return [...wholeForms(text), ...listForms(text)];
}

function wholeForms(text: string, keys: VerifyDocument = {}, params: Form['params'] = []): readonly Form[] {
  const [, prefix = ''] = /^([A-Za-z][\w-]{0,15}[=:,] ?)(?=.{16})/.exec(text) ?? [];
  const variants = prefix === '' ? [''] : ['', prefix];
  return variants.flatMap((start) =>
    ENCODINGS.flatMap((encoding) => {
      const bytes = decodeText(text.slice(start.length), encoding);
      const more = { ...keys, ...(start !== '' && { prefix: start }) };
      return bytes !== null && isSignature(bytes) && !(encoding === 'base64url' && !/[-_]/.test(text))
        ? [{ bytes, encoding, keys: more, params }]
        : [];
    }),
  );
}

/** `t=1,v1=abc`, `v1,abc v1,def`, `sha256=abc, t=1`. */
function listForms(text: string): readonly Form[] {
  const forms: Form[] = [];
  for (const [list_separator, key_value_separator] of [
    [',', '='],
    [';', '='],
    [' ', ','],
    [' ', '='],
  ] as const) {
    const items = text
      .split(list_separator)
      .map((item) => item.trim())
      .filter((item) => item !== '');
    const pairs = items.flatMap((item): (readonly [string, string])[] => {
      const at = item.indexOf(key_value_separator);
      return at > 0 && at <= 32 ? [[item.slice(0, at), item.slice(at + 1)]] : [];
    });
    if (pairs.length !== items.length || (pairs.length < 2 && list_separator !== ' ')) continue;
    for (const [key, value] of pairs) {
      const options = { list_separator, key_value_separator, keys: [key] };
      forms.push(
        ...wholeForms(
          value,
          options,
          pairs.filter(([name]) => name !== key),
        ),
      );
    }
  }
  return forms;
}

const looksOf = ({ bytes, encoding }: Form): string => {
  const digest = DIGESTS.get(bytes.length);
  if (bytes.length === 64) return `hmac sha512 or an Ed25519 signature in ${encoding}`;
  return digest === undefined
    ? `a signature with a private key in ${encoding}`
    : `hmac ${digest} in ${encoding}`;
};

interface Attempt {
  readonly one: Found;
  readonly forms: readonly Form[];
  readonly found: readonly Found[];
  readonly request: SignedRequest;
  readonly payload: unknown;
  readonly secret: string;
}

async function tryPlace(attempt: Attempt): Promise<Pick<Tried, 'count' | 'match'>> {
  const { one, forms, request, secret } = attempt;
  let count = 0;
  for (const form of forms)
    for (const signed of textsOf(attempt, form))
      for (const [keys, words] of hasSecret(signed) ? hashesOf(form) : algorithmsOf(form, secret)) {
        const { now, timestamp, text, over, ...more } = signed;
        const verify = withoutDefaults({
          ...keys,
          [one.in === 'body' ? 'field' : one.in]: one.name,
          encoding: form.encoding,
          ...form.keys,
          signed: text,
          ...(timestamp && { timestamp }),
          ...more,
        });
        count += 1;
        const match = await matchOf(verify, secret, request, now, `${words} ${form.encoding} over ${over}`);
        if (match !== null) return { count, match };
      }
  return { count, match: null };
}

/** The match of a `verify` by the verifier itself; null: it refuses. */
async function matchOf(
  verify: VerifyDocument,
  secret: string,
  request: SignedRequest,
  now: number,
  words: string,
): Promise<Match | null> {
  const scheme = verifySchema.safeParse(verify);
  if (!scheme.success) return null;
  const context = { now, fetch: async () => Response.error() };
  const verified = await verifySignature(scheme.data, [secret], request, context);
  return verified.ok ? { verify, scheme: scheme.data, words, now } : null;
}

/** The algorithms whose signatures have this length, each with the ways to read the secret. */
function algorithmsOf(
  { bytes, encoding }: Form,
  secret: string,
): readonly (readonly [VerifyDocument, string])[] {
  const isPem = /PUBLIC KEY|^\s*\{/.test(secret);
  const algorithm = DIGESTS.get(bytes.length);
  const hmacs =
    algorithm === undefined || isPem
      ? []
      : secretForms(secret).map(
          ([keys, words]) =>
            [
              { scheme: 'hmac', ...(algorithm !== 'sha256' && { algorithm }), ...keys },
              `hmac ${algorithm}${words}`,
            ] as const,
        );
  const curve = (['hex', 'base64'] as const)
    .filter((one) => bytes.length === 64 && decodeText(secret, one)?.length === 32)
    .map(
      (one) => [{ scheme: 'ed25519', ...(one !== 'hex' && { secret_encoding: one }) }, 'ed25519'] as const,
    );
  const isLong = isPem || secret.length > 80;
  const raw =
    bytes.length === 64 && isLong ? [[{ scheme: 'ecdsa', signature_format: 'raw' }, 'ecdsa'] as const] : [];
  const der = bytes[0] === 0x30 && isLong ? [[{ scheme: 'ecdsa' }, 'ecdsa'] as const] : [];
  const rsa = bytes.length >= 256 && isLong ? [[{ scheme: 'rsa' }, 'rsa'] as const] : [];
  return [...hmacs, ...curve, ...raw, ...der, ...rsa].map(([keys, words]) => [
    { ...keys, encoding: encoding },
    words,
  ]);
}

const hashesOf = ({ bytes }: Form): readonly (readonly [VerifyDocument, string])[] => {
  const algorithm = DIGESTS.get(bytes.length);
  if (algorithm !== 'sha256' && algorithm !== 'sha512') return [];
  return [[{ scheme: 'hash', ...(algorithm !== 'sha256' && { algorithm }) }, `hash ${algorithm}`]];
};

/** The ways to make a key of a secret: its text, or the bytes that it writes in hex or base64, after a prefix or not. */
function secretForms(secret: string): readonly (readonly [VerifyDocument, string])[] {
  const [, prefix = ''] = /^((?:[A-Za-z0-9]{1,12}_){1,3})(?=.{8})/.exec(secret) ?? [];
  const bytes = (['hex', 'base64'] as const).flatMap((secret_encoding) =>
    [...new Set(['', prefix])].flatMap((start) => {
      const length = decodeText(secret.slice(start.length), secret_encoding)?.length ?? 0;
      if (length < 8) return [];
      const keys = { secret_encoding, ...(start !== '' && { strip_secret_prefixes: [start] }) };
      return [[keys, ` (key in ${secret_encoding}${start === '' ? '' : ` after ${start}`})`] as const];
    }),
  );
  return [[{}, ''], ...bytes];
}

interface SignedText {
  readonly text: string;
  readonly over: string;
  readonly now: number;
  readonly timestamp?: VerifyDocument;
  readonly unsigned_body?: true;
}

const hasSecret = ({ text }: SignedText): boolean => text.includes('{secret}');

/** The texts whose plain hash proves the secret in them. */
const withSecret = (one: SignedText): readonly SignedText[] =>
  ['', '.', ':', '|'].flatMap((between) => [
    { ...one, text: `{secret}${between}${one.text}`, over: `secret + ${one.over}` },
    { ...one, text: `${one.text}${between}{secret}`, over: `${one.over} + secret` },
  ]);

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

function textsOf({ one, found, payload }: Attempt, { params }: Form): readonly SignedText[] {
  const times = timesIn(found, params);
  const ids = found
    .filter(({ in: place, name, text }) => place === 'header' && isIdLike(name, text))
    .slice(0, MAX_OF_A_KIND)
    .map(({ name }) => name);
  const texts: SignedText[] = WITHOUT_TIME.map((text) => ({ text, over: wordsOf(text, ''), now: 0 }));
  for (const { now, timestamp, name } of times) {
    for (const text of WITH_TIME) texts.push({ text, over: wordsOf(text, name), now, timestamp });
    for (const id of ids)
      for (const shape of WITH_ID) {
        const text = shape.replace('ID', `{header:${id}}`);
        texts.push({ text, over: wordsOf(text, name), now, timestamp });
      }
  }
  for (const id of ids)
    for (const shape of ID_ONLY) {
      const text = shape.replace('ID', `{header:${id}}`);
      texts.push({ text, over: wordsOf(text, ''), now: 0 });
    }
  const all =
    one.in === 'body'
      ? [...texts.filter(({ text }) => !text.includes('{raw_body}')), ...besides(one, payload, times)]
      : texts;
  return [...all, ...all.flatMap(withSecret)];
}

/** A signature in a body is over fields beside it. */
function besides({ name }: Found, payload: unknown, times: readonly Time[]): readonly SignedText[] {
  const parent = name.split('.').slice(0, -1).join('.');
  const siblings = parent === '' ? payload : ownValue(payload, parent);
  if (typeof siblings !== 'object' || siblings === null) return [];
  const paths = Object.entries(siblings)
    .filter(([, value]) => (scalarText(value) ?? '') !== '')
    .map(([key]) => (parent === '' ? key : `${parent}.${key}`))
    .filter((path) => path !== name)
    .slice(0, 2 * MAX_OF_A_KIND);
  return paths.flatMap((path) =>
    times.flatMap(({ now, timestamp, name: time }) =>
      [`{ts}{body:${path}}`, `{body:${path}}{ts}`].map((text) => ({
        text,
        over: wordsOf(text, time),
        now,
        timestamp,
        unsigned_body: true as const,
      })),
    ),
  );
}

/** `{raw_body}{ts}` as `body + t`. */
const wordsOf = (text: string, time: string): string =>
  [...text.matchAll(/\{([^{}[\]]+)\}/g)]
    .map(([, token = '']) => (token === 'ts' ? time : token.replace('raw_body', 'body').replace(/^\w+:/, '')))
    .join(' + ');

interface Time {
  readonly name: string;
  readonly now: number;
  readonly timestamp: VerifyDocument;
}

/** The times of a request by their form: seconds, milliseconds or ISO 8601. */
function timesIn(found: readonly Found[], params: Form['params']): readonly Time[] {
  const beside = params.flatMap(([name, text]) => {
    const time = timeOf(text);
    return time === null ? [] : [{ name, now: time.now, timestamp: { key: name, ...time.unit } }];
  });
  const others = found.flatMap(({ in: place, name, text }) => {
    const time = place === 'query' ? null : timeOf(text);
    return time === null ? [] : [{ name, now: time.now, timestamp: { [place]: name, ...time.unit } }];
  });
  return [...beside, ...others.slice(0, MAX_OF_A_KIND)];
}

function timeOf(text: string): { readonly now: number; readonly unit: VerifyDocument } | null {
  if (/^\d{10}$/.test(text)) return { now: Number(text) * 1_000, unit: {} };
  if (/^\d{13}$/.test(text)) return { now: Number(text), unit: { unit: 'ms' } };
  const now = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : NaN;
  return Number.isNaN(now) ? null : { now, unit: { unit: 'iso8601' } };
}

/** A header that could be signed: an id, or a time that has another form. */
const isIdLike = (name: string, text: string): boolean =>
  /id$|uuid|nonce|delivery|timestamp|date/i.test(name) && text.length <= 128;

/** Where the secret itself stands. */
async function shownSecrets(
  found: readonly Found[],
  { url }: Captured,
  request: SignedRequest,
  secret: string,
): Promise<readonly Tried[]> {
  const places = found.flatMap(({ in: place, name, text }): [string, VerifyDocument][] => {
    const label = placeOf({ in: place, name, text });
    if (/^basic /i.test(text) && place === 'header') return [[label, { scheme: 'basic' }]];
    if (!text.endsWith(secret)) return [];
    const prefix = place === 'body' ? '' : text.slice(0, -secret.length);
    return [[label, { scheme: 'token', in: place, name, ...(prefix !== '' && { prefix }) }]];
  });
  if (decoded(url.pathname).endsWith(`/${secret}`))
    places.push(['the path', { scheme: 'token', in: 'path' }]);
  const tried: Tried[] = [];
  for (const [place, verify] of places) {
    const words = verify['scheme'] === 'basic' ? 'basic, user:password' : 'the secret itself, as a token';
    const match = await matchOf(verify, secret, request, 0, words);
    tried.push({ place, looks: 'a user and a password', count: 1, match });
  }
  return [...tried, ...(await tokens(found, request, secret))];
}

/** JSON Web Tokens: by the algorithm that they name, the secret, and the body's hash if one of the claims is it. */
async function tokens(
  found: readonly Found[],
  request: SignedRequest,
  secret: string,
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  for (const { in: place, name, text } of found) {
    const [, prefix = '', head = '', claims = ''] =
      /^(\w+ )?(eyJ[\w-]+)\.(eyJ[\w-]+)\.[\w-]+$/.exec(text) ?? [];
    const read = [head, claims].map((part) =>
      jsonOf(new TextDecoder().decode(decodeText(part, 'base64url') ?? new Uint8Array())),
    );
    const [header, payload] = read;
    if (place !== 'header' || !header || !payload) continue;
    const digest = createHash('sha256').update(request.body).digest('hex');
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
    const match = await matchOf(verify, secret, request, seconds * 1_000, `JSON Web Token, ${String(alg)}`);
    tried.push({ place: name, looks: `a JSON Web Token, ${String(alg)}`, count: 1, match });
  }
  return tried;
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | null {
  const value = maybeJson(text);
  return isObject(value) ? value : null;
}

/** Without keys that say what holds without them. */
function withoutDefaults(verify: VerifyDocument): VerifyDocument {
  const usual: VerifyDocument = {
    encoding: verify['scheme'] === 'ecdsa' || verify['scheme'] === 'rsa' ? 'base64' : 'hex',
    signed: '{raw_body}',
  };
  return Object.fromEntries(Object.entries(verify).filter(([key, value]) => usual[key] !== value));
}
