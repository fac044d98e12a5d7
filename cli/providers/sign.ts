import { createHash, createHmac, createPrivateKey, sign } from 'node:crypto';
import { maybeJson, ownValue, scalarText } from '../../src/lib/json.ts';
import { decodeText } from '../../src/lib/encoding.ts';
import type { VerifyScheme } from '../../src/signature/scheme.ts';
import {
  separators,
  type SecretOptions,
  type SignedScheme,
  parseSigned,
  type SignedPiece,
} from '../../src/signature/signed/signed-options.ts';

/** A request as its sender makes it. Names of headers are as the sender writes them. */
export interface Draft {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The way in which a request is to be signed, and to go wrong. */
export interface Signing {
  /** The keys that sign; several only where the sender lists signatures. */
  readonly keys: readonly string[];
  /** ms since 1970. */
  readonly now: number;
  /** The time as it stands in the request; absent: `now` in the scheme's unit. */
  readonly time?: string;
  /** Changes a signature after it was made, or the time after it was signed. */
  readonly alter?: (signature: string) => string;
  readonly restate?: (time: string) => string;
  /** A hash that the provider does not use. */
  readonly algorithm?: 'md5' | 'sha1' | 'sha256' | 'sha512';
}

/** The schemes that sign a text made of pieces of the request. */
type TextScheme = Extract<VerifyScheme, SignedScheme>;

const same = (text: string): string => text;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const ofSeed = (hex: string): string =>
  btoa(String.fromCharCode(...(decodeText(`302e020100300506032b657004220420${hex}`, 'hex') ?? [])));

/** Signs a request as its sender would, with Node's own crypto. Null: only the sender can make such requests. */
export function signedBy(scheme: VerifyScheme, draft: Draft, signing: Signing): Draft | null {
  const { keys, alter = same } = signing;
  const key = keys[0] ?? '';
  switch (scheme.scheme) {
    case 'none':
      return draft;
    case 'basic':
      return withHeader(draft, 'Authorization', `Basic ${alter(btoa(String.fromCharCode(...utf8(key))))}`);
    case 'token':
      if (scheme.in === 'path') return { ...draft, url: withSegment(draft.url, alter(key)) };
      if (scheme.in === 'body')
        return scheme.items === undefined ? withField(draft, scheme.name, alter(key)) : null;
      return scheme.in === 'query'
        ? withQuery(draft, scheme.name, `${scheme.prefix ?? ''}${alter(key)}`)
        : withHeader(draft, scheme.name, `${scheme.prefix ?? ''}${alter(key)}`);
    case 'hmac':
    case 'hash':
    case 'ed25519':
    case 'ecdsa':
      return signText(scheme, draft, signing);
    case 'rsa':
      return 'signed' in scheme ? signText(scheme, draft, signing) : null;
    case 'any': {
      const [first] = scheme.of;
      return first === undefined ? null : signedBy(first, draft, signing);
    }
    case 'jwt':
    case 'oidc':
      return null;
  }
}

function signText(scheme: TextScheme, draft: Draft, signing: Signing): Draft | null {
  const { timestamp, items, body_hash_query } = scheme;
  const pieces = parseSigned(scheme.signed);
  if (!pieces.ok || items !== undefined || body_hash_query !== undefined) return null;
  const { alter = same, restate = same } = signing;
  const time = signing.time ?? timeText(signing.now, timestamp?.unit ?? 's');
  const request = withTime(withSignedHeaders(draft, scheme), scheme, time);
  const params = { [timestamp?.key ?? '']: time };
  const all = pieces.value.map((piece) => ({ ...piece, text: textOf(piece, request, time, params) }));
  const absent = new Set(all.filter(({ text = '' }) => text === '').map(({ segment }) => segment));
  const texts = all.flatMap(({ segment, text }) =>
    segment !== undefined && absent.has(segment) ? [] : [text],
  );
  if (texts.some((text) => text === undefined)) return null;
  const signatures = signing.keys.map((key) =>
    alter(signature(scheme, texts.map((text) => (text === SECRET ? key : text)).join(''), key, signing)),
  );
  const stated = restate(time);
  const written = write(scheme, signatures, stated);
  const stamped = withTime(request, scheme, stated);
  if (scheme.header !== undefined) return withHeader(stamped, scheme.header[0] ?? '', written);
  if (scheme.query !== undefined) return withQuery(stamped, scheme.query, written);
  return withField(stamped, scheme.field ?? '', written);
}

/** Stands for `{secret}` until it is known. */
const SECRET = '\0secret';

/** The text of a piece. Undefined: the request does not have it, or only its sender can make it. */
function textOf(
  piece: SignedPiece,
  { method, url, headers, body }: Draft,
  time: string,
  params: Readonly<Record<string, string>>,
): string | undefined {
  switch (piece.kind) {
    case 'literal':
      return piece.text;
    case 'raw_body':
      return body;
    case 'secret':
      return SECRET;
    case 'ts':
      return time;
    case 'method':
      return method;
    case 'url':
      return url;
    case 'header':
      return Object.entries(headers).find(([name]) =>
        piece.names.some((one) => one.toLowerCase() === name.toLowerCase()),
      )?.[1];
    case 'query': {
      const value = new URL(url).searchParams.get(piece.name) ?? undefined;
      return piece.lower === true ? value?.toLowerCase() : value;
    }
    case 'body':
      return fieldOf(body, piece.path);
    case 'sig':
      return params[piece.key];
    case 'item':
    case 'form_sorted':
      return undefined;
  }
}

function signature(scheme: TextScheme, text: string, key: string, { algorithm }: Signing): string {
  if (scheme.scheme === 'hmac')
    return createHmac(algorithm ?? scheme.algorithm, secretBytes(key, scheme))
      .update(text)
      .digest(scheme.encoding);
  if (scheme.scheme === 'hash')
    return createHash(algorithm ?? scheme.algorithm)
      .update(text)
      .digest(scheme.encoding);
  const made =
    scheme.scheme === 'ed25519'
      ? sign(null, utf8(text), createPrivateKey(privateKey(key)))
      : sign('sha256', utf8(text), {
          key: privateKey(key),
          ...(scheme.scheme === 'ecdsa' &&
            scheme.signature_format === 'raw' && { dsaEncoding: 'ieee-p1363' }),
        });
  return made.toString(scheme.encoding);
}

/** PKCS #8 in base64; of Ed25519 also the 32 bytes of its seed in hex (RFC 8410). As text, which workerd takes, too. */
const privateKey = (text: string): string =>
  `-----BEGIN PRIVATE KEY-----\n${/^[\da-f]{64}$/.test(text) ? ofSeed(text) : text}\n-----END PRIVATE KEY-----`;

function secretBytes(
  secret: string,
  { secret_encoding, strip_secret_prefixes = [] }: SecretOptions,
): Uint8Array {
  const prefix = strip_secret_prefixes.find((one) => secret.startsWith(one)) ?? '';
  const text = secret.slice(prefix.length);
  return (secret_encoding === 'utf8' ? null : decodeText(text, secret_encoding)) ?? utf8(text);
}

/** The text of the signatures, with the time where that stands among them. */
function write(scheme: TextScheme, signatures: readonly string[], time: string): string {
  const { prefix = '', keys, timestamp } = scheme;
  const { pair = '', list = '' } = separators(scheme);
  const [name] = keys ?? [];
  const written = signatures.map((one) => `${name === undefined ? '' : `${name}${pair}`}${prefix}${one}`);
  const { key } = timestamp ?? {};
  return [...(key === undefined ? [] : [`${key}${pair}${time}`]), ...written].join(list);
}

/** A moment as a sender writes it. */
export function timeText(now: number, unit: 's' | 'ms' | 'iso8601' | 'auto'): string {
  if (unit === 'iso8601') return new Date(now).toISOString().replace('.000Z', 'Z');
  return String(unit === 'ms' ? now : Math.floor(now / 1_000));
}

function withTime(draft: Draft, { timestamp }: Pick<TextScheme, 'timestamp'>, time: string): Draft {
  if (timestamp?.header !== undefined) return withHeader(draft, timestamp.header[0] ?? '', time);
  return timestamp?.body === undefined ? draft : withField(draft, timestamp.body, time);
}

/** The headers that a scheme needs: those with a given value, and an id where one is signed that the draft has not. */
function withSignedHeaders(draft: Draft, { signed, require_headers = {} }: TextScheme): Draft {
  const required = Object.entries(require_headers).reduce(
    (request, [name, value]) => withHeader(request, name, value),
    draft,
  );
  return [...signed.matchAll(/\{(?:free )?header:([^},]+)[^}]*\}/g)].reduce((request, [, name = '']) => {
    const has = Object.keys(request.headers).some((one) => one.toLowerCase() === name.toLowerCase());
    return has ? request : withHeader(request, name, 'made-up-id-1');
  }, required);
}

export function withHeader(draft: Draft, name: string, value: string): Draft {
  const others = Object.entries(draft.headers).filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  return { ...draft, headers: Object.fromEntries([...others, [name, value]]) };
}

function withQuery(draft: Draft, name: string, value: string): Draft {
  const url = new URL(draft.url);
  url.searchParams.set(name, value);
  return { ...draft, url: url.href };
}

function withSegment(address: string, segment: string): string {
  const url = new URL(address);
  url.pathname += `/${encodeURIComponent(segment)}`;
  return url.href;
}

/** The text or number at a path of the JSON that a body has, or in a form's field. */
function fieldOf(body: string, path: string): string | undefined {
  const json = jsonIn(body);
  if (json === null) return new URLSearchParams(body).get(path) ?? undefined;
  return scalarText(ownValue(json.root, path)) ?? undefined;
}

/** The request with a text at a path of its JSON, or in a field of its form. Numbers stay numbers. */
function withField(draft: Draft, path: string, text: string): Draft {
  const json = jsonIn(draft.body);
  if (json === null) {
    const form = new URLSearchParams(draft.body);
    form.set(path, text);
    return { ...draft, body: form.toString() };
  }
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const parent = steps.reduce((object, step): object => {
    const next: unknown = Reflect.get(object, step);
    if (isObject(next)) return next;
    const made = {};
    Reflect.set(object, step, made);
    return made;
  }, json.root);
  const isNumber = typeof Reflect.get(parent, last) === 'number' && /^\d{1,15}$/.test(text);
  Reflect.set(parent, last, isNumber ? Number(text) : text);
  return { ...draft, body: json.put(JSON.stringify(json.root)) };
}

/**
 * The JSON of a body: the whole of it, or what a part of multipart or a field of a form holds. `put` returns the body with
 * another JSON in its place.
 */
function jsonIn(body: string): { readonly root: object; readonly put: (json: string) => string } | null {
  const whole = parsed(body);
  if (whole !== null) return { root: whole, put: (json) => json };
  const [, before = '', inside = ''] = /^(--[^]*?\r?\n\r?\n)(\{[^]*?\})\r?\n--/.exec(body) ?? [];
  const part = parsed(inside);
  if (part !== null)
    return { root: part, put: (json) => before + json + body.slice(before.length + inside.length) };
  const form = new URLSearchParams(body);
  for (const [name, value] of form) {
    const root = parsed(value);
    if (root === null) continue;
    const put = (json: string): string => {
      form.set(name, json);
      return form.toString();
    };
    return { root, put };
  }
  return null;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function parsed(text: string): object | null {
  const value = /^\s*[[{]/.test(text) ? maybeJson(text) : null;
  return isObject(value) ? value : null;
}
