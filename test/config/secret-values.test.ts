import { bindings as environment } from '../bindings.ts';

const env = environment();
import { describe, expect, it } from 'vitest';
import type { ConfigSet } from '../../src/config/schema.ts';
import { secretValueErrors } from '../../src/config/secret-values.ts';
import { open, PROMISED, routeWith, setOf } from './support.ts';

const VALUE = 'k3y/with "odd" + chars';

/** The errors of a set where only these secrets are set. */
const errors = (
  set: Partial<ConfigSet>,
  secrets: Readonly<Record<string, unknown>> = { SHOP_SECRET: VALUE },
) => secretValueErrors(setOf(set), { ...env, ...NOTHING, ...secrets });

/** The bindings of these tests have secrets of their own. */
const NOTHING = Object.fromEntries(
  Object.entries(env).map(([name, value]) => [name, typeof value === 'string' ? '' : value] as const),
);

const send = (message: string): object => open({ routes: [routeWith({ send: { kind: 'text', message } })] });

describe('a document with the value of a secret', () => {
  it.each([
    ['in place of its name', { secrets: [VALUE] }],
    ['as a key', { [VALUE]: 1 }],
    ['in a text', send(`the key is ${VALUE}.`)],
    ['in an address', { url: `https://hooks.example.com/?key=${encodeURIComponent(VALUE)}` }],
    ['in base64', { url: `https://hooks.example.com/${btoa(`user:${VALUE}`)}` }],
    ['beside much else that is wrong', { secret: VALUE, routes: 5, verify: { scheme: VALUE } }],
  ])('is refused, by its path and the secret’s name alone: %s', (_, document) => {
    expect(errors({ sources: { shop: document } })).toEqual([
      {
        path: 'sources.shop',
        message:
          'contains the value of SHOP_SECRET; only names of secrets are allowed. If others can read that file, replace the secret',
      },
    ]);
  });

  it('is refused among others, of any kind', () => {
    const accounts = { default: { notify: { url: `https://hooks.slack.com/services/${VALUE}` } } };
    const templates = { a: { kind: 'text', message: 'fine' }, b: { kind: 'text', message: VALUE } };
    const recipients = { team: { numbers: [VALUE] } };
    const found = errors({ sources: { shop: open() }, accounts, templates, recipients });
    expect(found.map(({ path }) => path).toSorted()).toEqual([
      'accounts.default',
      'recipients.team',
      'templates.b',
    ]);
  });

  it('is not named by it', () => {
    expect(errors({ sources: { [VALUE]: open() } })).toMatchObject([{ path: 'sources' }]);
  });

  it('gets all of the secrets that it has', () => {
    const [error] = errors(
      { sources: { shop: send(`${VALUE} admin-token-of-ours`) } },
      {
        SHOP_SECRET: VALUE,
        ADMIN_TOKEN: 'admin-token-of-ours',
        OTHER_SECRET: 'another-secret',
      },
    );
    expect(error?.message).toMatch(/value of (SHOP_SECRET and ADMIN_TOKEN|ADMIN_TOKEN and SHOP_SECRET);/);
  });
});

describe('a document without', () => {
  it('is not refused: names are no values', () => {
    expect(errors(PROMISED, { STRIPE_SECRET: 'whsec_of-the-shop' })).toEqual([]);
  });

  it.each([
    ['a short word', { SHOP_SECRET: 'hello world' }],
    ['a variable that is no secret', { GATEWAY_BASE_URL: 'say hello world' }],
    ['an account’s own', { GATEWAY_SALES_BASE_URL: 'say hello world' }],
    ['the address of a login, to which customers may write', { GATEWAY_EMAIL: 'say hello world' }],
    ['a binding that is no text', { SHOP_SECRET: { a: 'say hello world' } }],
  ])('may have %s', (_, secrets) => {
    expect(errors({ sources: { shop: send('say hello world') } }, secrets)).toEqual([]);
  });

  it('may compare with the name of a topic, which is checked like a secret', () => {
    const arn = 'arn:aws:sns:eu-central-1:123456789012:alarms';
    const shop = open({ routes: [routeWith({ when: `payload.TopicArn == "${arn}"` })] });
    expect(errors({ sources: { shop } }, { TOPIC: arn })).toEqual([]);
  });
});
