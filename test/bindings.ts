import { conformanceBindings } from './conformance/senders/keys.ts';
import { answersBindings } from './docs/answers-secrets.ts';
import { makerBindings } from './gateway/makers/secrets.ts';
import { connectedBindings } from './outbox/connected-accounts.ts';

/** The variables and secrets of the relay of the tests, but those that hold an address of this run. */
export const BINDINGS: Readonly<Record<string, string>> = {
  GATEWAY_EMAIL: 'relay@example.com',
  GATEWAY_API_KEY: 'gateway-key-of-the-tests',
  GATEWAY_SALES_EMAIL: 'sales@example.com',
  GATEWAY_SALES_API_KEY: 'gateway-key-of-sales',
  LOG_LEVEL: 'debug',
  PUBLIC_URL: 'https://relay.example.com',
  ADMIN_TOKEN: 'admin-token-of-the-tests',
  STRIPE_SECRET: 'whsec_test_secret',
  STRIPE_SECRET_NEXT: 'whsec_test_secret_next',
  HOOK_SECRET: 'hook-secret',
  TURNSTILE_SECRET: 'turnstile-secret-of-the-tests',
  NOTIFY_PATH: 'path-of-the-owner',
  BASIC_SECRET: 'user:pass:word',
  SLACK_SECRET: '8f742231b10e8888abcd99yyyzzz85a5',
  ...answersBindings(),
  ...conformanceBindings(),
  ...connectedBindings(),
  ...makerBindings(),
};

/** The environment of a Worker in Node: variables and secrets, with some changed (undefined takes one away), and no objects. */
export const bindings = (changes: Readonly<Record<string, unknown>> = {}): Env =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- functions that are tested in Node read only these
  ({ GATEWAY_BASE_URL: 'https://gateway.example/api', ...BINDINGS, ...changes }) as unknown as Env;
