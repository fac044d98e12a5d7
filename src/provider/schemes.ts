import type { VerifyScheme } from '../signature/scheme.ts';

type Scheme<Name extends VerifyScheme['scheme']> = Extract<VerifyScheme, { scheme: Name }>;
type HmacScheme = Scheme<'hmac'>;

/** The five minutes that most senders allow, in milliseconds. */
export const FIVE_MINUTES = 300_000;

/** An HMAC over the raw body, in hex. The options change the schema's defaults. */
export const hmac = (options: Partial<Omit<HmacScheme, 'scheme'>>): HmacScheme => ({
  scheme: 'hmac',
  algorithm: 'sha256',
  encoding: 'hex',
  signed: '{raw_body}',
  secret_encoding: 'utf8',
  ...options,
});

/** `t=…,v1=…` over the time and the body, as Stripe and its imitators sign. */
export const timedHmac = (header: string, tolerance: number = FIVE_MINUTES): HmacScheme =>
  hmac({
    header: [header],
    list_separator: ',',
    key_value_separator: '=',
    // Only `v1` proves anything. `v0` does not.
    keys: ['v1'],
    signed: '{ts}.{raw_body}',
    timestamp: { signature_param: 't', unit: 's', tolerance },
  });

/** Standard Webhooks. Svix uses the same format with `svix-*` headers, and so do senders on its service. */
export const standardWebhooksHmac: HmacScheme = hmac({
  header: ['webhook-signature', 'svix-signature'],
  encoding: 'base64',
  list_separator: ' ',
  key_value_separator: ',',
  // `v1a` is Ed25519. Other versions do not exist yet.
  keys: ['v1'],
  // The signed id is the id that dedupe finds: both look at the same names in the same order.
  signed: '{header:webhook-id,svix-id}.{ts}.{raw_body}',
  secret_encoding: 'base64',
  strip_secret_prefixes: ['whsec_'],
  timestamp: { header: ['webhook-timestamp', 'svix-timestamp'], unit: 's', tolerance: FIVE_MINUTES },
});

/** A token in a header, without a prefix. */
export const headerToken = (name: string): Scheme<'token'> => ({ scheme: 'token', in: 'header', name });

/** A token in `Authorization`, with or without `Bearer ` before it. */
export const bearerToken: Scheme<'token'> = {
  scheme: 'token',
  in: 'header',
  name: 'Authorization',
  prefix: 'Bearer ',
  prefix_optional: true,
};

/** The same, or a parameter of the address for senders that cannot set a header. */
export const bearerOrQueryToken: Scheme<'any'> = {
  scheme: 'any',
  of: [bearerToken, { scheme: 'token', in: 'query', name: 'access_token' }],
};

/** Discord's scheme. The secret is the app's public key. Discord documents no tolerance (ms) for the time. */
export const discordEd25519 = (tolerance: number): Scheme<'ed25519'> => ({
  scheme: 'ed25519',
  header: ['X-Signature-Ed25519'],
  encoding: 'hex',
  signed: '{ts}{raw_body}',
  secret_encoding: 'hex',
  timestamp: { header: ['X-Signature-Timestamp'], unit: 's', tolerance },
});
