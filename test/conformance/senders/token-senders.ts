import { encode, utf8 } from './bytes.ts';
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
const headerToken = (
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
const queryToken = (provider: string, name: string): Sender => ({
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

/** A browser, which posts what its visitor wrote. */
const htmlForm: Sender = {
  provider: 'html-form',
  keys: { name: 'NONE', secrets: [], signers: [], stranger: '', isPublic: true },
  send: async (draft) => draft,
  proof: { in: 'nothing' },
  covers: { body: { open: 'a page cannot keep a secret' } },
  otherAlgorithms: [],
};

const authorized = (providers: readonly string[], facts: TokenFacts): readonly Sender[] =>
  providers.map((provider) => headerToken(provider, 'Authorization', facts));

const BEARER = { prefix: 'Bearer ' };
const MAYBE_BEARER = { prefix: 'Bearer ', optional: true };
// Without the header the query is where a token may still be.
const OR_QUERY = { ...MAYBE_BEARER, reasons: { missing: 'missing_field', empty: 'missing_field' } } as const;

/** Senders of a token, a password or nothing. */
export const tokenSenders: readonly Sender[] = [
  headerToken('flutterwave', 'verif-hash'),
  headerToken('flutterwave', 'flutterwave-signature', { variant: 'v4, plain' }),
  headerToken('xendit', 'x-callback-token'),
  headerToken('gitlab', 'X-Gitlab-Token'),
  ...authorized(['okta', 'auth0'], {}),
  ...authorized(['auth0'], { ...MAYBE_BEARER, variant: 'Bearer' }),
  ...authorized(['supabase-db-webhooks', 'google-forms-apps-script'], MAYBE_BEARER),
  ...authorized(['cloudevents-abuse-protection'], OR_QUERY),
  queryToken('cloudevents-abuse-protection', 'access_token'),
  ...authorized(
    ['alertmanager', 'uptime-kuma', 'uptimerobot', 'opsgenie', 'datadog', 'healthchecks'],
    BEARER,
  ),
  ...authorized(['brevo'], MAYBE_BEARER),
  pathToken('mailchimp'),
  ...authorized(['zabbix', 'new-relic'], BEARER),
  headerToken('cloudflare-notifications', 'cf-webhook-auth'),
  ...['generic', 'better-stack', 'mollie-legacy', 'jotform', 'gumroad', 'pingdom'].map(pathToken),
  ...['chargebee', 'postmark'].map(basic),
  headerToken('buildkite', 'X-Buildkite-Token', { variant: 'token' }),
  htmlForm,
  ...authorized(['azure-event-grid'], OR_QUERY),
  queryToken('azure-event-grid', 'access_token'),
];
