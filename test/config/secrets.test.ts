import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffSets } from '../../cli/diff/documents.ts';
import { accountSchema } from '../../src/config/documents/account-schema.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { movedHostWarnings, readGateway } from '../../src/config/secrets/gateway.ts';
import { gatewaySpec } from '../../src/config/compiled/gateway-spec.ts';
import { nameForSecretOf } from '../../src/config/secrets/credential-names.ts';
import { NAME } from '../../src/config/documents/name.ts';
import {
  accountsInUse,
  namedSecrets,
  plainHttpWarnings,
  secretErrors,
  notifySecret,
  secretNameErrors,
  sourceSecret,
  secretValueErrors,
} from '../../src/config/secrets/named-secrets.ts';
import type { ConfigSet } from '../../src/config/documents/schema.ts';
import { SECRET_NAME } from '../../src/lib/secret.ts';
import { bindings } from '../bindings.ts';
import { open, PROMISED, routeWith, setOf } from './support.ts';

type Parts = Partial<ConfigSet>;
const configOf = (parts: Parts) => compileConfig(setOf(parts), 1).config;

const SIGNED = { provider: 'stripe', secrets: ['STRIPE_SECRET'] };
const CHAT = { provider: 'meta-whatsapp', secrets: ['HOOK_SECRET'], handshake: { secret: 'VERIFY_TOKEN' } };
const IN_PATH = { verify: { scheme: 'token', in: 'path' } };
const reporting = (secret: string) => ({ notify: { url: 'https://x.example/{secret}', secret } });

const named = (parts: Parts) => Object.fromEntries(namedSecrets(configOf(parts)));

const LOGIN = { GATEWAY_EMAIL: ['account default'], GATEWAY_API_KEY: ['account default'] };

it('the secrets that a configuration needs are each named once, with all that need it: sources, handshakes, forms, notices and logins', () => {
  expect(named({})).toEqual(LOGIN);
  const contact = { provider: 'html-form', spam: { turnstile: 'TURNSTILE_SECRET' } };
  const sources = { one: SIGNED, two: SIGNED, chat: CHAT, contact };
  expect(named({ sources, accounts: { default: reporting('NOTIFY_TOPIC') } })).toEqual({
    ...LOGIN,
    STRIPE_SECRET: ['source one', 'source two'],
    HOOK_SECRET: ['source chat'],
    VERIFY_TOKEN: ['source chat'],
    TURNSTILE_SECRET: ['source contact'],
    NOTIFY_TOPIC: ['the notifications of account default'],
  });
});

it('the secrets that a configuration needs are the logins of those accounts that a source sends through, and of no other', () => {
  const sources = { a: open({ account: 'sales', routes: [routeWith({})] }), b: open({ account: 'spare' }) };
  const config = configOf({ sources, accounts: { sales: {}, spare: {} } });
  expect([...accountsInUse(config)]).toEqual(['sales']);
  expect([...namedSecrets(config).keys()]).toEqual(['GATEWAY_SALES_EMAIL', 'GATEWAY_SALES_API_KEY']);
});

const missing = (path: string, name: string) => [
  { path, message: `the secret ${name} is not set: \`npx wrangler secret put ${name}\`` },
];

const errors = (parts: Parts, changes: Record<string, unknown> = {}) =>
  secretErrors(configOf(parts), bindings(changes));

const shop = { ...IN_PATH, secrets: ['HOOK_SECRET', 'NEXT_SECRET'] };
const routes = [routeWith({})];

it('a secret that the configuration names must be set, and not be empty or a binding that is no text; the error has its name and where it is named', () => {
  expect(errors({ sources: { shop } })).toMatchObject(missing('sources.shop.secrets[1]', 'NEXT_SECRET'));
  expect(errors({ sources: { shop } }, { NEXT_SECRET: 'x' })).toEqual([]);
  expect(errors({ sources: { chat: CHAT } })).toMatchObject(
    missing('sources.chat.handshake.secret', 'VERIFY_TOKEN'),
  );
  expect(errors({ sources: { chat: CHAT } }, { VERIFY_TOKEN: 'x' })).toEqual([]);
  const accounts = { default: reporting('NOTIFY_ELSEWHERE') };
  expect(errors({ accounts })).toMatchObject(missing('accounts.default.notify.secret', 'NOTIFY_ELSEWHERE'));
  for (const NEXT_SECRET of ['', {}, 5])
    expect(errors({ sources: { shop } }, { NEXT_SECRET })).toHaveLength(1);
  const binding = { ...shop, secrets: ['CONFIG'] };
  expect(errors({ sources: { shop: binding } })).toHaveLength(1);
});

it('a secret that the configuration names is an account’s login only when a source has routes that send by it', () => {
  const gone = { GATEWAY_EMAIL: 'x@y.example', GATEWAY_API_KEY: undefined };
  const found = errors({ sources: { a: open({ routes }), b: open({ routes }) } }, gone);
  expect(found).toMatchObject(missing('accounts.default', 'GATEWAY_API_KEY'));
  expect(errors({ sources: { a: open() }, accounts: { default: {}, sales: {} } }, gone)).toEqual([]);
});

it('a secret that the configuration names goes over plain http with a warning for each account that is used, unless to this machine', () => {
  const config = configOf({ sources: { shop: open({ routes }) } });
  const warnings = (url: string) => plainHttpWarnings(config, bindings({ GATEWAY_BASE_URL: url }));
  const message: unknown = expect.stringContaining('gateway.example:8080 is called over plain http');
  expect(warnings('http://gateway.example:8080/api')).toMatchObject([{ path: 'accounts.default', message }]);
  // No address is an error of its own.
  for (const url of ['https://gateway.example/api', 'http://localhost:8788/api', 'http://[::1]/api', ''])
    expect(warnings(url)).toEqual([]);
});

const at = (host: string, gateway = 'waha') => ({ gateway, base_url: `https://${host}` });
const TEXT = { kinds: { text: { path: '/', json: '' } }, answer: { sent: { field: 'id' } } };
const byHand = (host: string, ...secrets: string[]) => ({
  ...at(host, 'http'),
  http: { ...TEXT, receiver: 'phone', secrets },
});
const unlisted = (GATEWAY_HOSTS: unknown, hosts: string) =>
  hosts.split(' ').filter((host) => errors({ accounts: { chat: at(host) } }, { GATEWAY_HOSTS }).length > 0);

it('the hosts that documents name are those of GATEWAY_HOSTS, if it is set: no other is published or called', () => {
  const list = 'chat.example.com, *.in.example sms.example:8443';
  const others =
    'x.org xchat.example.com chat.example.com.x.org in.example bin.example sms.example chat.example.com.';
  expect(
    unlisted(list, `chat.example.com CHAT.example.com:8443 a.in.example sms.example:8443 ${others}`),
  ).toEqual(others.split(' '));
  expect([undefined, '', ['b.org', 'x.org'], ' '].map((none) => unlisted(none, 'x.org').length)).toEqual([
    0, 0, 0, 1,
  ]);
  const path = 'accounts.chat.base_url';
  const message: unknown = expect.stringContaining('names the host x.org, which the variable GATEWAY_HOSTS');
  expect(errors({ accounts: { chat: at('x.org') } }, { GATEWAY_HOSTS: list })).toMatchObject([
    { path, message },
  ]);
  const env = bindings({ GATEWAY_HOSTS: list, GATEWAY_CHAT_API_KEY: 'key' });
  const read = (document: object) => readGateway(env, 'chat', gatewaySpec(accountSchema.parse(document)));
  expect(read(at('x.org'))).toEqual({ ok: false, error: [['secret', message]] });
  expect([read(at('chat.example.com')).ok, read({ gateway: 'ntfy' }).ok]).toEqual([true, true]);
  // Makers call theirs as `v2` does.
  const login = bindings({ GATEWAY_CHAT_API_KEY: 'key', GATEWAY_CHAT_EMAIL: 'a@b.example' });
  const error = [['secret', expect.stringContaining('GATEWAY_CHAT_API_KEY is part of a `v2` login')]];
  expect(readGateway(login, 'chat', gatewaySpec(accountSchema.parse(at('x.org'))))).toEqual({
    ok: false,
    error,
  });
  // The list is no secret, which a document must not have.
  const GATEWAY_HOSTS = 'chat.example.com';
  expect(valueErrors({ accounts: { chat: at(GATEWAY_HOSTS) } }, { GATEWAY_HOSTS })).toEqual([]);
});

it('the hosts to which an account’s secrets go are warned of by a publish that changes them, and shown by `diff`', () => {
  const [own, ntfy] = ['GATEWAY_BASE_URL', { gateway: 'ntfy' }];
  const rows: readonly (readonly [object | null, object | null, warned: object[], shown?: object[]])[] = [
    [{}, byHand('x.org', 'TOKEN'), [{ before: own, after: 'x.org' }]],
    [at('a.org'), at('x.org:8443'), [{ before: 'a.org', after: 'x.org:8443' }]],
    [{ gateway: 'telegram' }, at('x.org', 'telegram'), [{ before: 'api.telegram.org', after: 'x.org' }]],
    [at('a.org'), byHand('x.org', 'KEY'), [{ before: 'a.org', after: 'x.org' }]],
    [at('a.org'), at('a.org/waha'), []],
    [byHand('a.org'), byHand('x.org'), []],
    [at('a.org'), {}, []],
    // The secret of ntfy is optional, and not set.
    [ntfy, at('x.org', 'ntfy'), [], [{ before: 'ntfy.sh', after: 'x.org' }]],
    [null, at('x.org'), [], [{ before: null, after: 'x.org' }]],
    [at('a.org'), null, []],
  ];
  for (const [old, fresh, warned, shown = warned] of rows) {
    const [before, after] = [old, fresh].map((chat) => setOf(chat === null ? {} : { accounts: { chat } }));
    if (before === undefined || after === undefined) throw new Error('there are two');
    const [{ accounts }, { accounts: now }] = [configOf(before), configOf(after)];
    const found = movedHostWarnings(accounts, now, bindings()).map(
      ({ message }) => /to (?<after>\S+) from now on, no longer to (?<before>\S+):/.exec(message)?.groups,
    );
    expect(found).toMatchObject(warned);
    expect(found).toHaveLength(warned.length);
    expect(diffSets(before, after).flatMap(({ host }) => host ?? [])).toEqual(shown);
  }
});

const nameErrors = (parts: Parts) => secretNameErrors(configOf(parts));

const names = fc.oneof(
  fc.stringMatching(SECRET_NAME),
  fc.stringMatching(/^[A-Z0-9_]{0,9}$/).map((rest) => `NOTIFY_${rest}`),
);

it('the name of a secret is taken from a source or from a notice, gives its value there, and never in both', () => {
  fc.assert(
    fc.property(names, (name) => {
      const env = bindings({ [name]: 'its-value' });
      const values = [sourceSecret(env, name), notifySecret(env, name)];
      expect(values.filter((value) => value === 'its-value')).toEqual(['its-value']);
      // Hookbell's own credentials are refused by the schema already, in both places.
      fc.pre(!/^(ADMIN_|ACCESS_|GATEWAY_)/.test(name));
      const bySource = nameErrors({ sources: { shop: { ...IN_PATH, secrets: [name] } } });
      const byNotice = nameErrors({ accounts: { default: reporting(name) } });
      expect(bySource.length + byNotice.length).toBe(1);
    }),
  );
});

it('the name of a secret is refused at each place where it stands, with the name to use instead', () => {
  const sources = {
    shop: { ...IN_PATH, secrets: ['HOOK_SECRET', 'NOTIFY_PATH'] },
    chat: { ...CHAT, handshake: { secret: 'NOTIFY_X' } },
  };
  const escape = { via: { kind: 'ntfy', secret: 'STRIPE_SECRET' } };
  const accounts = { default: { ...reporting('NOTIFY_PATH'), escape }, sales: reporting('OPS_PATH') };
  const found = nameErrors({ sources, accounts }).map(({ path, message }) => [
    path,
    /put (\w+)/.exec(message)?.[1],
  ]);
  expect(Object.fromEntries(found)).toEqual({
    'sources.shop.secrets[1]': 'HOOK_PATH',
    'sources.chat.handshake.secret': 'HOOK_X',
    'accounts.sales.notify.secret': 'NOTIFY_OPS_PATH',
    'accounts.default.escape.via.secret': 'NOTIFY_STRIPE_SECRET',
  });
});

it('the name of a secret that is proposed for a source is one that it may name, whatever the source is called', () => {
  const ids = fc.oneof(fc.stringMatching(NAME), fc.constantFrom('notify', 'Gateway-x', 'notify-', '9'));
  fc.assert(
    fc.property(ids, (id) => {
      const set = setOf({ sources: { [id]: { ...IN_PATH, secrets: [nameForSecretOf(id)] } } });
      const { config, errors: wrong } = compileConfig(set, 1);
      expect([...wrong, ...secretNameErrors(config)]).toEqual([]);
    }),
  );
});

const sending = (message: string): object =>
  open({ routes: [routeWith({ send: { kind: 'text', message } })] });

const VALUE = 'k3y/with "odd" + chars';
const env = bindings();
/** The bindings of these tests have secrets of their own. */
const NOTHING = Object.fromEntries(Object.entries(env).map(([name]) => [name, '']));
const valueErrors = (set: Parts, secrets: Readonly<Record<string, unknown>> = { SHOP_SECRET: VALUE }) =>
  secretValueErrors(setOf(set), { ...env, ...NOTHING, ...secrets });

it('a document with the value of a secret is refused, by its path and the names of all its secrets alone, wherever and in whatever form the values are', () => {
  const message =
    'contains the value of SHOP_SECRET; only names of secrets are allowed. If others can read that file, replace the secret';
  for (const shop of [
    { secrets: [VALUE] },
    { [VALUE]: 1 },
    sending(`the key is ${VALUE}.`),
    { url: `https://hooks.example.com/?key=${encodeURIComponent(VALUE)}` },
    { url: `https://hooks.example.com/${btoa(`user:${VALUE}`)}` },
    { secret: VALUE, routes: 5, verify: { scheme: VALUE } },
  ])
    expect(valueErrors({ sources: { shop } })).toMatchObject([{ path: 'sources.shop', message }]);
  expect(valueErrors({ sources: { [VALUE]: open() } })).toMatchObject([{ path: 'sources' }]);
  const found = valueErrors({
    sources: { shop: open() },
    accounts: { default: { notify: { url: `https://hooks.slack.com/services/${VALUE}` } } },
    templates: { a: { kind: 'text', message: 'fine' }, b: { kind: 'text', message: VALUE } },
    recipients: { team: { numbers: [VALUE] } },
  });
  const paths = found.map(({ path }) => path).toSorted();
  expect(paths).toEqual(['accounts.default', 'recipients.team', 'templates.b']);
  const ours = { SHOP_SECRET: VALUE, ADMIN_TOKEN: 'admin-token-of-ours', OTHER_SECRET: 'another-secret' };
  const [error] = valueErrors({ sources: { shop: sending(`${VALUE} admin-token-of-ours`) } }, ours);
  expect(error?.message).toMatch(/value of (SHOP_SECRET and ADMIN_TOKEN|ADMIN_TOKEN and SHOP_SECRET);/);
});

it('a document with the value of a secret is not one with a name, a short word, or what is no secret', () => {
  expect(valueErrors(PROMISED, { STRIPE_SECRET: 'whsec_of-the-shop' })).toEqual([]);
  for (const secrets of [
    { SHOP_SECRET: 'hello world' },
    { GATEWAY_BASE_URL: 'say hello world' },
    { GATEWAY_SALES_BASE_URL: 'say hello world' },
    // The address of a login, to which customers may write.
    { GATEWAY_EMAIL: 'say hello world' },
    { SHOP_SECRET: { a: 'say hello world' } },
  ])
    expect(valueErrors({ sources: { shop: sending('say hello world') } }, secrets)).toEqual([]);
  // A topic is checked like a secret.
  const arn = 'arn:aws:sns:eu-central-1:123456789012:alarms';
  const shop = open({ routes: [routeWith({ when: `payload.TopicArn == "${arn}"` })] });
  expect(valueErrors({ sources: { shop } }, { TOPIC: arn })).toEqual([]);
});
