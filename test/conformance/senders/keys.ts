import { decode } from './bytes.ts';
import { TEST_ONLY_RSA_KEY } from '../../signature/certificates.ts';

/**
 * TEST ONLY: what providers sign with and what hookbell is given for it. Made for these tests and used nowhere else.
 * vitest.config.ts binds `secrets` as Worker secrets, by {@link bindingNames}.
 */
export interface KeySet {
  readonly name: string;
  /** True if the values in `secrets` are not secret, but show which requests belong to this source. */
  readonly isPublic: boolean;
  /** As the Worker's secrets, in the order in which a source names them. */
  readonly secrets: readonly string[];
  /** The keys with which a sender signs acceptable requests, each with the index of the secret that proves it. */
  readonly signers: readonly { readonly key: string; readonly secret: number | null }[];
  /** The key of somebody else, in the same form. */
  readonly stranger: string;
}

/** What the sender signs with, and what hookbell is given, if that is not the same: the public key. */
interface Pair {
  readonly key: string;
  readonly secret?: string;
}

const pairs = (name: string, first: Pair, second: Pair, stranger: string): KeySet => ({
  name,
  isPublic: true,
  secrets: [first, second].map(({ key, secret = key }) => secret),
  signers: [first, second].map(({ key }, secret) => ({ key, secret })),
  stranger,
});

/** Keys that both sides know: a sender signs with the secret itself. */
const shared = (
  name: string,
  [first, second, stranger]: readonly [string, string, string],
  isPublic = false,
): KeySet => ({ ...pairs(name, { key: first }, { key: second }, stranger), isPublic });

export const TEXT = shared('TEXT', [
  'test_secret_of_a_provider_0001',
  'test_secret_of_a_provider_0002',
  'test_secret_of_a_stranger_0003',
]);

/** `user:password`, with a colon and an umlaut in the password. Of a length whose base64 is padded. */
export const BASIC = shared('BASIC', ['ada:pass:wörd', 'ada:next:wörd', 'eve:pass:wörd']);

const BASE64_KEYS = [
  'Vlg/V59js9ezUiUMcqGdoDWl1s7XCjUIEDN2txdZs6k=',
  'kxBS2WwpUsS37BaX4v+3jIs6rLGtmLLG8qw/abm4e2Q=',
  'OixRhvRY20L1p5RbzOQDfJ3mJKKlznHPhGltRLpZbTQ=',
] as const;
const [FIRST, SECOND, OTHER] = BASE64_KEYS;

export const BASE64 = shared('BASE64', BASE64_KEYS);
export const WHSEC = shared('WHSEC', [`whsec_${FIRST}`, `whsec_${SECOND}`, `whsec_${OTHER}`]);

/** Polar's newer secrets of either prefix; older ones are the whole text. */
export const POLAR = shared('POLAR', [`whsec_${FIRST}`, `polar_whs_${SECOND}`, `whsec_${OTHER}`]);

/** Supabase keeps the secrets of a rotation in one text. */
export const SUPABASE: KeySet = {
  name: 'SUPABASE',
  isPublic: false,
  secrets: [`v1,whsec_${FIRST}|v1,whsec_${SECOND}`, 'v1,whsec_uxqL0S8Bfm1rQ0bh0dFq2zjJwzJx5YvM0bR3m1ZkV3E='],
  signers: [
    { key: `v1,whsec_${FIRST}`, secret: 0 },
    { key: `v1,whsec_${SECOND}`, secret: 0 },
    { key: 'v1,whsec_uxqL0S8Bfm1rQ0bh0dFq2zjJwzJx5YvM0bR3m1ZkV3E=', secret: 1 },
  ],
  stranger: `v1,whsec_${OTHER}`,
};

export const HEX = shared('HEX', [
  'C74601D035C2E197E42E1D5D042558D6F947825DF736380E2244D319A1844378',
  'DD4D4A099510BF424D9356190D1EFCF051D4174419554381381EAFA604BEA1E4',
  '965679D705665550D44EBF5ACF2832B77C88157FD2057F4003FD9C09E19A9055',
]);

/** Ed25519 by seeds of 32 equal bytes; the public keys in hex. */
export const ED25519 = pairs(
  'ED25519',
  { key: '11'.repeat(32), secret: 'd04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737' },
  { key: '22'.repeat(32), secret: 'a09aa5f47a6759802ff955f8dc2d2a14a5c99d23be97f864127ff9383455a4f0' },
  '33'.repeat(32),
);

/** The same public keys as Standard Webhooks writes them. */
export const WHPK = pairs(
  'WHPK',
  { key: '11'.repeat(32), secret: 'whpk_0EqyMnQrtKs6E2i9RhXk5tAiSrcaAWuvhSCjMsl3hzc=' },
  { key: '22'.repeat(32), secret: 'whpk_oJql9HpnWYAv+VX43C0qFKXJnSO+l/hkEn/5ODRVpPA=' },
  '33'.repeat(32),
);

/** The same in base64. */
export const ED25519_BASE64 = pairs(
  'ED25519_BASE64',
  { key: '11'.repeat(32), secret: '0EqyMnQrtKs6E2i9RhXk5tAiSrcaAWuvhSCjMsl3hzc=' },
  { key: '22'.repeat(32), secret: 'oJql9HpnWYAv+VX43C0qFKXJnSO+l/hkEn/5ODRVpPA=' },
  '33'.repeat(32),
);

/** P-256: PKCS #8 and SPKI in base64. */
export const ECDSA = pairs(
  'ECDSA',
  {
    key: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2uZ4YZTFSnMS0yAbWHmXNLKKls1P6S6pE1QzLHeafHqhRANCAAS3oKGYiYNJJLKDVSBmmFieo7/lNIYCuQ4u2P+6IJS5OZV23TTb8wgBcomRjhLQFfw9tazulm+1y86ceSWWSMwc',
    secret:
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEt6ChmImDSSSyg1UgZphYnqO/5TSGArkOLtj/uiCUuTmVdt002/MIAXKJkY4S0BX8PbWs7pZvtcvOnHkllkjMHA==',
  },
  {
    key: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgj1wx89orhOeAS9xFqIdcmf/s4evPRq2obmTLHEST7pqhRANCAARU0hFWMQwt7QkXuX6VzkOXoJ1W+29DxqmFr5EKwETYNRM0V/HB9+h13ExUCzgS4TzxdonO+3yGRBQGkeq9CnE8',
    secret:
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVNIRVjEMLe0JF7l+lc5Dl6CdVvtvQ8apha+RCsBE2DUTNFfxwffoddxMVAs4EuE88XaJzvt8hkQUBpHqvQpxPA==',
  },
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGDWnFPMqF9PE4Fk7+Yg0wdKRQatzOLm3/G+iDNQT7Q6hRANCAAQBldECP+yO+1OObkRi9f2BkqHd4bomUmsaBUwh3vrhhfUq69WEK0TnEiomwWE2q4+wqY1qwjU5K80s3bmc9JWr',
);

/** The value that makes a request of a sender with certificates belong to this source: a topic, a webhook's id. */
export const SNS_TOPICS = shared(
  'SNS',
  [
    'arn:aws:sns:eu-central-1:123456789012:hookbell-alarms',
    'arn:aws:sns:eu-central-1:123456789012:hookbell-others',
    'arn:aws:sns:eu-central-1:210987654321:hookbell-alarms',
  ],
  true,
);
export const PAYPAL_WEBHOOKS = shared(
  'PAYPAL',
  ['8PT597110X687430LKGECATA', '1JE4291016473214CBVH2SYK', '2UX28451AB9173356RFW9QTM'],
  true,
);

/** The account that pushes: not a secret, but named by the source's `verify`, as in the starter's example. */
export const GOOGLE_ACCOUNTS: KeySet = {
  name: 'GOOGLE',
  isPublic: true,
  secrets: [],
  signers: [{ key: 'push@my-project.iam.gserviceaccount.com', secret: null }],
  stranger: 'push@other-project.iam.gserviceaccount.com',
};

/** PKCS #8 in DER, of `RSA_CERTIFICATE`: what every sender with a certificate signs with. */
export const RSA_KEY = decode(TEST_ONLY_RSA_KEY.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');

const KEY_SETS = [
  TEXT,
  BASIC,
  BASE64,
  WHSEC,
  POLAR,
  SUPABASE,
  HEX,
  ED25519,
  WHPK,
  ED25519_BASE64,
  ECDSA,
  SNS_TOPICS,
  PAYPAL_WEBHOOKS,
];

/** The names that a source has for a set's secrets: the Worker secrets. */
export const bindingNames = ({ name, secrets }: KeySet): string[] =>
  secrets.map((_, index) => `CONFORMANCE_${name}_${index + 1}`);

/** Every secret by its name, for the Worker of the tests. */
export const conformanceBindings = (): Record<string, string> =>
  Object.fromEntries(
    KEY_SETS.flatMap((set) =>
      bindingNames(set).map((name, index): [string, string] => [name, set.secrets[index] ?? '']),
    ),
  );
