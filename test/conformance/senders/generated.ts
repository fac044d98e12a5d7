import { signedBy } from '../../../cli/providers/sign.ts';
import { providers } from '../../platform/providers.ts';
import { verifyOf } from '../starters.ts';
import type { Provider } from '../../../src/provider/provider.ts';
import type { VerifyScheme } from '../../../src/signature/scheme.ts';
import { separators } from '../../../src/signature/signed/signed-options.ts';
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
import { type OtherAlgorithm, type Proof, type Sender, withHeader } from './sender.ts';
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
    case 'jwt':
    case 'oidc':
    case 'any':
      return null;
  }
}

type TextScheme = Extract<VerifyScheme, { scheme: 'hmac' | 'hash' | 'ed25519' | 'ecdsa' }>;

function keysOf(scheme: TextScheme): KeySet {
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
