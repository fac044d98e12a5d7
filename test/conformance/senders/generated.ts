import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { signedBy } from '../../../cli/providers/sign.ts';
import { providers } from '../../platform/providers.ts';
import { verifyOf } from '../starters.ts';
import type { Provider } from '../../../src/provider/provider.ts';
import type { VerifyScheme } from '../../../src/signature/scheme.ts';
import { separators, type SignedScheme } from '../../../src/signature/signed/signed-options.ts';
import { encode, utf8 } from './bytes.ts';
import {
  BASE64,
  BASIC,
  ECDSA,
  ED25519,
  ED25519_BASE64,
  HEX,
  type KeySet,
  TEXT,
  WHPK,
  WHSEC,
} from './keys.ts';
import { asObject } from './json.ts';
import { type OtherAlgorithm, type Proof, type Sender, type Webhook, withHeader } from './sender.ts';
import { senders } from './senders.ts';

type Reasons = NonNullable<Sender['reasons']>;
type Facts = Pick<Sender, 'keys' | 'proof'> & Partial<Sender>;

/** What nobody signs is open; a token is shown. */
const OPEN = { body: { open: 'nothing covers it' } } as const;

/** The ways of a provider by the facts of its file: one for each scheme. */
function generatedSenders({ id }: Provider, verify: VerifyScheme): readonly Sender[] {
  if (verify.scheme !== 'any') return generated(id, verify);
  return verify.of.flatMap((one, at) =>
    generated(id, one).map(({ time, ...sender }) => ({
      ...sender,
      variant: `${at + 1}`,
      // The refusal is of the way that came furthest, which may be another one.
      otherAlgorithms: [],
      reasons: { ...sender.reasons, missing: null, empty: null, doubled: null, 'too long': null },
      ...(time && { time: { late: time.late, early: time.early } }),
    })),
  );
}

function generated(provider: string, scheme: VerifyScheme): readonly Sender[] {
  const facts = factsOf(scheme);
  if (facts === null) return [];
  const send: Sender['send'] = async (draft, signing) => {
    const signed = signedBy(scheme, draft, signing);
    if (signed === null) throw new Error(`nobody signs for ${provider}`);
    return signed;
  };
  return [{ provider, send, covers: OPEN, otherAlgorithms: [], ...facts }];
}

function factsOf(scheme: VerifyScheme): Facts | null {
  switch (scheme.scheme) {
    case 'none':
      return { keys: { ...TEXT, secrets: [], signers: [] }, proof: { in: 'nothing' } };
    case 'basic':
      return { keys: BASIC, proof: { in: 'header', name: 'Authorization' }, encoding: 'base64' };
    case 'token': {
      if (scheme.in === 'path') return { keys: TEXT, proof: { in: 'path' } };
      if (scheme.in === 'body')
        return { keys: TEXT, proof: { in: 'body', path: scheme.name }, reasons: { empty: 'missing_field' } };
      // HTTP joins a repeated header into one text, which is not the token.
      const reasons: Reasons = scheme.in === 'header' ? { doubled: 'mismatch' } : {};
      return { keys: TEXT, proof: { in: scheme.in, name: scheme.name }, reasons };
    }
    case 'hmac':
    case 'hash':
    case 'ed25519':
    case 'ecdsa':
      return ofText(scheme, keysOf(scheme));
    case 'rsa':
      return 'signed' in scheme ? { ...ofText(scheme, keysOf(scheme)), verify: withKey(scheme, RSA) } : null;
    case 'jwt':
      return scheme.algorithm in PAIRS ? ofToken(scheme) : null;
    case 'oidc':
    case 'any':
      return null;
  }
}

type TextScheme = Extract<VerifyScheme, SignedScheme>;
type JwtScheme = Extract<VerifyScheme, { scheme: 'jwt' }>;

/** Pairs of keys that are made here: a source has the public one as its `key`. */
function pairOf(type: 'rsa' | 'ec') {
  const [own, other] = [0, 1].map(() =>
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  );
  if (own === undefined || other === undefined) throw new Error('no keys');
  const text = ({ privateKey }: typeof own): string =>
    privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  const signers = [{ key: text(own), secret: null }];
  return {
    key: own.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keys: { name: type, isPublic: true, secrets: [], signers, stranger: text(other) } satisfies KeySet,
  };
}

const RSA = pairOf('rsa');
const PAIRS = { RS256: RSA, ES256: pairOf('ec') };

/** A scheme as a document has it, with the public key of a pair. */
const withKey = (scheme: VerifyScheme, { key }: typeof RSA): object => ({
  ...Object.fromEntries(
    Object.entries(scheme).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' ? `${value / 1_000}s` : value,
    ]),
  ),
  key,
});

const base64url = (value: object): string => encode(utf8(JSON.stringify(value)), 'base64url');

/** A sender of a token with the hash of the body and the time, or with the whole body, made with a private key. */
function ofToken(scheme: JwtScheme): Facts & Pick<Sender, 'send'> {
  const { header: [header = ''] = [], prefix = '', algorithm, body_hash_claim, max_age, tolerance } = scheme;
  const pair = algorithm === 'ES256' ? PAIRS.ES256 : RSA;
  const isBody = scheme.in === 'body';
  const put = (sent: Webhook, token: string): Webhook =>
    isBody ? { ...sent, body: token } : withHeader(sent, header, token);
  const tokenOf = (head: object, claims: object, made: (text: string) => string): string => {
    const text = `${base64url(head)}.${base64url(claims)}`;
    return `${prefix}${text}.${made(text)}`;
  };
  const claimsOf = (body: string, time: unknown): object => ({
    ...(isBody && body.startsWith('{') && asObject(JSON.parse(body))),
    iat: time,
    ...(body_hash_claim && { [body_hash_claim]: createHash('sha256').update(body).digest('hex') }),
  });
  const send: Sender['send'] = async (draft, { keys: [key = ''], now, time, alter, restate }) => {
    const seconds = Math.floor(now / 1_000);
    const signed = (text: string): string =>
      sign('sha256', utf8(text), {
        key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----`,
        dsaEncoding: 'ieee-p1363',
      }).toString('base64url');
    const token = tokenOf({ alg: algorithm }, claimsOf(draft.body, time ?? seconds), (text) =>
      (alter ?? String)(signed(text)),
    );
    const stated = Number(restate?.(String(seconds)));
    const [, , signature = ''] = token.split('.');
    return put(
      draft,
      restate === undefined
        ? token
        : tokenOf({ alg: algorithm }, claimsOf(draft.body, stated), () => signature),
    );
  };
  const forged = (alg: string, made: (text: string) => string): OtherAlgorithm => ({
    name: alg,
    change: (sent) => put(sent, tokenOf({ alg }, claimsOf(sent.body, Math.floor(Date.now() / 1_000)), made)),
    reason: 'mismatch',
  });
  return {
    keys: pair.keys,
    verify: withKey(scheme, pair),
    send,
    proof: isBody ? { in: 'body', path: '' } : { in: 'header', name: header },
    ...(isBody && { reasons: { missing: 'malformed', empty: 'malformed' } }),
    encoding: 'base64url',
    covers: body_hash_claim === undefined ? OPEN : { body: 'raw' },
    ...(max_age !== undefined && { time: { late: max_age / 1_000, early: tolerance / 1_000 } }),
    otherAlgorithms: [
      forged('none', () => ''),
      forged('HS256', (text) => createHmac('sha256', pair.key).update(text).digest('base64url')),
    ],
  };
}

function keysOf(scheme: TextScheme): KeySet {
  if (scheme.scheme === 'rsa') return RSA.keys;
  if (scheme.scheme === 'ecdsa') return ECDSA;
  const strips = (prefix: string) => scheme.strip_secret_prefixes?.includes(prefix) === true;
  if (scheme.scheme === 'ed25519')
    return scheme.secret_encoding === 'hex' ? ED25519 : strips('whpk_') ? WHPK : ED25519_BASE64;
  if (scheme.secret_encoding === 'utf8') return TEXT;
  return scheme.secret_encoding === 'hex' ? HEX : strips('whsec_') ? WHSEC : BASE64;
}

function ofText(scheme: TextScheme, keys: KeySet): Facts {
  const { header, query, field = '', timestamp, signed, encoding } = scheme;
  const { list } = separators(scheme);
  const [name] = header ?? [];
  const proof: Proof =
    name === undefined
      ? query === undefined
        ? { in: 'body', path: field }
        : { in: 'query', name: query }
      : { in: 'header', name };
  const seconds = (timestamp?.tolerance ?? 0) / 1_000;
  const timeHeader = timestamp?.header?.[0];
  const named = (kind: string) =>
    [...signed.matchAll(new RegExp(`\\{(?:free )?${kind}:([^},]+)`, 'g'))].map(([, one = '']) => one);
  const headers = named('header').filter((one) => one.toLowerCase() !== timeHeader?.toLowerCase());
  const queries = named('query');
  const hasBody = /\{(?:raw_body|form_sorted)\}/.test(signed);
  return {
    keys,
    proof,
    encoding,
    lists: list !== undefined,
    ...(timestamp !== undefined && {
      time: { late: seconds, early: seconds, ...(timeHeader !== undefined && { header: timeHeader }) },
    }),
    covers: {
      ...(hasBody ? { body: 'raw' } : { ...OPEN, fields: named('body') }),
      ...(headers.length > 0 && { headers }),
      ...(queries.length > 0 && { query: queries }),
      ...(signed.includes('{url}') && { url: true }),
      ...(signed.includes('{method}') && { method: true }),
    },
    otherAlgorithms: othersOf(scheme),
    reasons: {
      ...(proof.in === 'query' && { empty: 'malformed' }),
      // A list takes a signature twice, where its time is not in it.
      ...(list === ',' && timestamp?.key === undefined && { doubled: null }),
    },
  };
}

/** Honest signatures by another hash, and other values where the scheme wants certain ones. */
function othersOf({ scheme, require_headers = {}, ...rest }: TextScheme): readonly OtherAlgorithm[] {
  const required = Object.keys(require_headers).map((name): OtherAlgorithm => ({
    name: `another ${name}`,
    change: (sent) => withHeader(sent, name, 'another'),
    reason: 'malformed',
  }));
  if (scheme !== 'hmac' || !('algorithm' in rest)) return required;
  const algorithm = rest.algorithm === 'sha1' ? 'sha256' : 'sha1';
  return [{ name: `HMAC with ${algorithm}`, algorithm, reason: 'malformed' }, ...required];
}

const written = new Set(senders.map(({ provider }) => provider));

/** Every way in which a provider posts: as written down from its documents, or else by its file. */
export const allSenders: readonly Sender[] = [
  ...senders,
  ...[...providers.values()]
    .filter(({ id }) => !written.has(id))
    .flatMap((provider) => generatedSenders(provider, verifyOf(provider) ?? { scheme: 'none' })),
];

/** The ways of one provider. */
export const sendersOf = (provider: string): readonly Sender[] =>
  allSenders.filter((sender) => sender.provider === provider);
