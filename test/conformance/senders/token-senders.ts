import { encode, utf8 } from './bytes.ts';
import { type HmacFacts, hmacSender } from './hmac-sender.ts';
import { BASIC, TEXT } from './keys.ts';
import { type Sender, withHeader, withQuery } from './sender.ts';

const same = (text: string): string => text;
const OPEN = { body: { open: 'a shared token, and no signature' } } as const;

interface TokenFacts {
  readonly prefix?: string;
  /** True if the prefix may be left out: then the header's text is read as a token, and a wrong one. */
  readonly optional?: boolean;
  readonly variant?: string;
  readonly reasons?: Sender['reasons'];
}

/** A token in a header, after a prefix such as `Bearer `. */
export const headerToken = (
  provider: string,
  name: string,
  { prefix = '', optional = false, variant, reasons }: TokenFacts = {},
): Sender => ({
  provider,
  ...(variant !== undefined && { variant }),
  keys: TEXT,
  send: async (draft, { keys: [key = ''], alter = same }) =>
    withHeader(draft, name, `${prefix}${alter(key)}`),
  proof: { in: 'header', name },
  covers: OPEN,
  otherAlgorithms:
    prefix === ''
      ? []
      : [
          {
            name: 'Basic for Bearer',
            change: (sent, key) => withHeader(sent, name, `Basic ${encode(utf8(key), 'base64')}`),
            reason: optional ? 'mismatch' : 'malformed',
          },
        ],
  // HTTP joins a repeated header into one text, which is not the token.
  reasons: { doubled: 'mismatch', ...reasons },
});

/** A token in the query. */
export const queryToken = (provider: string, name: string): Sender => ({
  provider,
  variant: 'query',
  keys: TEXT,
  send: async (draft, { keys: [key = ''], alter = same }) => withQuery(draft, name, alter(key)),
  proof: { in: 'query', name },
  covers: OPEN,
  otherAlgorithms: [],
  reasons: { empty: 'missing_field' },
});

/** A token in the address, for those who can send nothing else. */
const pathToken = (provider: string): Sender => ({
  provider,
  keys: TEXT,
  send: async (draft, { keys: [key = ''], alter = same }) => {
    const url = new URL(draft.url);
    url.pathname += `/${encodeURIComponent(alter(key))}`;
    return { ...draft, url: url.href };
  },
  proof: { in: 'path' },
  covers: OPEN,
  otherAlgorithms: [],
  reasons: { doubled: null },
});

const basic = (provider: string): Sender => ({
  provider,
  keys: BASIC,
  send: async (draft, { keys: [key = ''], alter = same }) =>
    withHeader(draft, 'Authorization', `Basic ${alter(encode(utf8(key), 'base64'))}`),
  proof: { in: 'header', name: 'Authorization' },
  encoding: 'base64',
  covers: { body: { open: 'a user and a password, and no signature' } },
  otherAlgorithms: [
    {
      name: 'Bearer for Basic',
      change: (sent, key) => withHeader(sent, 'Authorization', `Bearer ${key.replaceAll(/[^ -~]/g, '')}`),
      reason: 'malformed',
    },
  ],
});

const flutterwaveV4: HmacFacts = {
  variant: 'v4',
  header: 'flutterwave-signature',
  encoding: 'base64',
  // The same header may hold the secret itself, which whatever stands there is not.
  otherHash: 'mismatch',
  reasons: { doubled: 'mismatch' },
};

const BEARER = { prefix: 'Bearer ' };
const MAYBE_BEARER = { prefix: 'Bearer ', optional: true };

/** Senders of a token or a password. */
export const tokenSenders: readonly Sender[] = [
  headerToken('flutterwave', 'verif-hash'),
  hmacSender('flutterwave', flutterwaveV4),
  headerToken('flutterwave', 'flutterwave-signature', { variant: 'v4, plain' }),
  headerToken('xendit', 'x-callback-token'),
  headerToken('gitlab', 'X-Gitlab-Token'),
  headerToken('okta', 'Authorization'),
  headerToken('auth0', 'Authorization'),
  headerToken('auth0', 'Authorization', { ...MAYBE_BEARER, variant: 'Bearer' }),
  headerToken('supabase-db-webhooks', 'Authorization', MAYBE_BEARER),
  headerToken('google-forms-apps-script', 'Authorization', MAYBE_BEARER),
  // Without the header the query is where a token may still be.
  headerToken('cloudevents-abuse-protection', 'Authorization', {
    ...MAYBE_BEARER,
    reasons: { missing: 'missing_field', empty: 'missing_field' },
  }),
  queryToken('cloudevents-abuse-protection', 'access_token'),
  headerToken('alertmanager', 'Authorization', BEARER),
  headerToken('uptime-kuma', 'Authorization', BEARER),
  headerToken('uptimerobot', 'Authorization', BEARER),
  headerToken('opsgenie', 'Authorization', BEARER),
  headerToken('datadog', 'Authorization', BEARER),
  headerToken('healthchecks', 'Authorization', BEARER),
  headerToken('brevo', 'Authorization', MAYBE_BEARER),
  pathToken('mailchimp'),
  headerToken('zabbix', 'Authorization', BEARER),
  headerToken('new-relic', 'Authorization', BEARER),
  headerToken('cloudflare-notifications', 'cf-webhook-auth'),
  pathToken('generic'),
  pathToken('better-stack'),
  pathToken('mollie-legacy'),
  pathToken('jotform'),
  pathToken('gumroad'),
  pathToken('pingdom'),
  basic('chargebee'),
  basic('postmark'),
];
