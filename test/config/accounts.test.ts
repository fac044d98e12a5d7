import { expect, it } from 'vitest';
import { accountPolicy, DEFAULT_ACCOUNT } from '../../src/config/compiled/account-policy.ts';
import { accountSchema } from '../../src/config/documents/account-schema.ts';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { credentialNames } from '../../src/config/secrets/credential-names.ts';
import { LONG_ENDS, readCredentials } from '../../src/config/secrets/gateway.ts';
import { makers } from '../../src/gateway/shape.ts';
import { bindings } from '../bindings.ts';
import {
  containing,
  errorsOf,
  expectErrors,
  open,
  PROMISED,
  routeWarnings,
  routeWith,
  setOf,
} from './support.ts';

const policyOf = (document: unknown) => accountPolicy(accountSchema.parse(document));
const account = (document: unknown) => errorsOf({ accounts: { default: document } });

const compiled = (document: object) =>
  compileConfig(setOf({ accounts: { default: document } }), 1).config.accounts.get('default')?.rate;

it('the policy of an account is the defaults that are written down for people when its document is empty, or when there is none', () => {
  expect(policyOf({})).toEqual(DEFAULT_ACCOUNT);
  expect(policyOf(PROMISED.accounts['default'])).toEqual(DEFAULT_ACCOUNT);
  expect(compileConfig(setOf({}), 1).config.accounts.get('default')).toEqual(DEFAULT_ACCOUNT);
});

it('the policy of an account has no limit or retry where the document says so, a burst of 5, or of a slower pace’s minute, and what a half of a circuit lacks', () => {
  const none = policyOf({ rate: false, per_recipient: false, retry: [] });
  expect(none).toMatchObject({ rate: null, perRecipient: null, retryMs: [] });
  const rows = [
    [{ rate: { per_minute: 1 } }, { perMinute: 1, burst: 1 }],
    [{ rate: { per_minute: 3 } }, { perMinute: 3, burst: 3 }],
    [{ rate: { per_minute: 600 } }, { perMinute: 600, burst: 5 }],
    [{ gateway: 'ntfy' }, { perMinute: 12, burst: 30 }],
    [
      { gateway: 'ntfy', rate: { per_minute: 2 } },
      { perMinute: 2, burst: 2 },
    ],
    [http(), { perMinute: 30, burst: 5 }],
  ] as const;
  expect(rows.map(([document]) => [document, compiled(document)])).toEqual(rows);
  expect(policyOf({ circuit: { failures: 2 } }).circuit).toEqual({ failures: 2, probeMs: 30_000 });
  expect(policyOf({ circuit: { probe: '1s' } }).circuit).toEqual({ failures: 5, probeMs: 1_000 });
});

it('the policy of an account notifies in the format of the host, unless the document names one', () => {
  const formats = {
    'https://hooks.slack.com/services/{secret}': 'slack',
    'https://discord.com/api/webhooks/{secret}': 'discord',
    'https://discordapp.com/api/webhooks/{secret}': 'discord',
    'https://ntfy.sh/{secret}': 'ntfy',
    'https://hooks.slack.com.example/{secret}': 'json',
  };
  const found = Object.keys(formats).map((url) => {
    const notify = policyOf({ notify: { url, secret: 'NOTIFY_PATH' } }).notify;
    expect(notify).toMatchObject({ url, secret: 'NOTIFY_PATH' });
    return [url, notify?.format];
  });
  expect(Object.fromEntries(found)).toEqual(formats);
  const notify = { url: 'https://hooks.slack.com/x', format: 'json' };
  expect(policyOf({ notify }).notify).toEqual({ ...notify, secret: null });
});

const status = (via: object, priority = 'high') => {
  const route = { name: 'closed', priority, send: { kind: 'status', text: 'closed today' } };
  return errors(via, { sources: { shop: open({ routes: [route] }) } });
};

const errors = (via: object, more: object = {}) =>
  errorsOf({
    accounts: { default: { escape: { via } }, sales: {}, chat: { gateway: 'telegram' } },
    ...more,
  });

it('the escape channel of an account is a POST to the address in a secret after three minutes, or another account', () => {
  const via = { kind: 'webhook', secret: 'NOTIFY_ME' };
  const url = { url: '{secret}', secret: 'NOTIFY_ME' };
  expect(policyOf({ escape: { via } }).escape).toEqual({
    afterMs: 180_000,
    via: { ...url, format: 'json' },
  });
  const telegram = policyOf({ escape: { via: { ...via, kind: 'telegram' } } }).escape;
  expect(telegram?.via).toEqual({ ...url, format: 'telegram' });
  expect(policyOf({ escape: { via: { account: 'sales' } } }).escape?.via).toEqual({
    account: 'sales',
    to: null,
  });
  expect(errors({ account: 'sales' })).toEqual([]);
  expect(errors({ account: 'chat', to: '-100123456' })).toEqual([]);
});

it('the escape channel of an account is an account that exists, is another, reaches the same receivers or names one, and names one for a status, which has none', () => {
  expectErrors('accounts.default.escape.via.', errors, [
    [{ account: 'sale' }, 'account: there is no account `sale`'],
    [{ account: 'default' }, 'account: must be another account'],
    [{ account: 'chat' }, 'to: is required: Telegram cannot send to the receivers of this account'],
    [{ account: 'sales', to: 'anna' }, 'to: must be digits that start with the country code'],
  ]);
  expect(status({ account: 'sales' })).toEqual([
    'accounts.default.escape.via.to: is required: route `closed` of source `shop` sends a status of `priority: high`, which has no receiver',
  ]);
  expect(status({ account: 'sales', to: '4915112345678' })).toEqual([]);
  expect(status({ kind: 'ntfy', secret: 'NOTIFY_ME' })).toEqual([]);
  // It never goes there.
  expect(status({ account: 'sales' }, 'normal')).toEqual([]);
});

it('an account that a source names must be described, and is not also reported as missing when its document is wrong', () => {
  const sources = { shop: open({ account: 'sale' }) };
  expect(errorsOf({ sources, accounts: { sales: {} } })).toEqual([
    'sources.shop.account: there is no account `sale`; did you mean `sales`? (each but `default` needs a document under accounts)',
  ]);
  const own = errorsOf({ sources: { shop: open({ account: 'constructor' }) } });
  expect(own[0]).toContain('there is no account `constructor`; there is default');
  expect(errorsOf({ sources, accounts: { sale: { rate: 5 } } })).toHaveLength(1);
});

/** A gateway that a document declares. */
const http = (change: object = {}) => ({
  gateway: 'http',
  base_url: 'https://sms.example/api',
  http: {
    secrets: ['TOKEN'],
    receiver: 'phone',
    headers: { authorization: 'Bearer {secret.TOKEN}' },
    kinds: { text: { path: '/send', json: { to: '+{to}', text: '{message}' } } },
    answer: { sent: { field: 'id' } },
    ...change,
  },
});
const text = (call: object) => http({ kinds: { text: call } });

it('an account’s gateway is one that there is, with the address and options that it needs', () => {
  const from = '+15550100000';
  const base_url = 'https://x.example';
  expect(account(http())).toEqual([]);
  expectErrors('accounts.default.', account, [
    [{ gateway: 'telegramm' }, 'gateway: must be one of v2, ntfy, telegram, pushover, signal, waha,'],
    [
      { gateway: 'waha' },
      'base_url: is required: the address of your WAHA, such as https://chat.example.com',
    ],
    [{ base_url }, 'base_url: is only for other gateways: this one’s address is GATEWAY_BASE_URL'],
    [
      { gateway: 'ntfy', base_url: `${base_url}/?a=1` },
      'base_url: must be an http(s) address without a query',
    ],
    [{ gateway: 'ntfy', base_url: 'https://u:p@x.example/' }, 'base_url: must be an http(s) address without'],
    [{ gateway: 'twilio' }, 'options.from: is required: the sending number such as "+15550100000"'],
    [{ gateway: 'twilio', options: { from, channel: 'fax' } }, 'options.channel: must be sms or whatsapp'],
    [{ gateway: 'ntfy', options: { from } }, 'options.from: is not an option: `gateway: ntfy` has none'],
    [{ gateway: 'http', base_url }, 'http: is required: how a message becomes a request'],
    [{ http: http().http }, 'http: is only for `gateway: http`'],
    [
      http({ headers: { a: '{secret.KEY}' } }),
      'http.headers.a: has an unknown field `{secret.KEY}`; known ones:',
    ],
    [text({ path: '/send' }), 'http.kinds.text: needs exactly one of `json` and `form`'],
    [
      text({ path: '/', form: { a: '{msg}' } }),
      'http.kinds.text.form.a: has an unknown field `{msg}`; known',
    ],
    [
      text({ path: 'send', form: { a: 'b' } }),
      'http.kinds.text.path: must begin with `/`, and have no space',
    ],
    [http({ secrets: ['token-value'] }), 'http.secrets[0]: must be the end of a name such as TOKEN'],
  ]);
});

it('an account’s gateway has patterns that are fast on any text, wherever they stand, and headers that HTTP can carry', () => {
  const matches = '^(?:[a-z]+ ?)+$';
  const rules = [{ matches, means: 'rejected' }];
  const slow = 'could take very long on some texts, as `(a+)+`';
  expectErrors('accounts.default.', account, [
    [http({ receiver: { address: matches, what: 'room' } }), `http.receiver.address: ${slow}`],
    [http({ answer: { sent: { matches } } }), `http.answer.sent.matches: ${slow}`],
    [http({ answer: { sent: { field: 'id' }, rules } }), `http.answer.rules[0].matches: ${slow}`],
    [{ permanent_errors: ['blocked', matches] }, `permanent_errors[1]: ${slow}`],
    [{ permanent_errors: ['a'.repeat(1_001)] }, 'permanent_errors[0]: must have at most 1000 characters'],
    [http({ headers: { a: 'x\ny: {secret.TOKEN}' } }), 'http.headers.a: has a line break or another'],
    [http({ basic: ['€', '{secret.TOKEN}'] }), 'http.basic[0]: has a line break or another character'],
  ]);
});

const refused = (rows: string) =>
  rows.split(' ').filter((row) => {
    const [name = '', end = ''] = row.split('/');
    const errors = ['secrets', 'optional_secrets'].map((key) =>
      errorsOf({ accounts: { [name]: http({ headers: {}, secrets: [], [key]: [end] }) } }),
    );
    return errors.flat().filter((one) => one.includes('secrets[0]: would read GATEWAY_')).length === 2;
  });

it('an account’s gateway reads no secret that can be another account’s, nor a login of `v2`, though there is no such account', () => {
  expect(refused('default/TOKEN default/KEY default/SID pager/TOKEN on-call/PASSWORD api/TOKEN')).toEqual([]);
  const own = 'default/EMAIL default/API_KEY default/BASE_URL sales/APP_KEY sales/EMAIL';
  const others = 'default/SALES_API_KEY default/PAGER_TOKEN sales/B_TOKEN';
  // These are GATEWAY_API_KEY, GATEWAY_AUTH_TOKEN of Twilio, and the like.
  const shorter = 'api/KEY app/KEY base/URL auth/TOKEN account/SID sales-api/KEY';
  const all = `${own} ${others} ${shorter}`;
  expect(refused(all)).toEqual(all.split(' '));
  expect(errorsOf({ accounts: { auth: TELEGRAM } })).toEqual([
    containing('auth: would read GATEWAY_AUTH_TOKEN'),
  ]);
  const ends = Object.values(makers.known ?? {}).flatMap(({ shape }) => shape.secrets ?? []);
  expect(LONG_ENDS).toEqual(expect.arrayContaining(ends.filter((end) => end.includes('_'))));
});

const NTFY = { gateway: 'ntfy' };
const TELEGRAM = { gateway: 'telegram' };
const recipients = {
  numbers: { numbers: ['4915112345678'] },
  people: { people: { anna: { phone: '4915112345678', address: { telegram: '7215550100' } } } },
  team: { people: { anna: { address: { telegram: '7215550100' } } } },
  wrong: { people: { ben: { address: { telegram: 'ben' } } } },
};
const receiving = (gateway: object, change: object) =>
  errorsOf({
    accounts: { default: gateway },
    recipients,
    sources: { shop: open({ routes: [routeWith(change)] }) },
  });

it('a receiver of an account is one that its gateway reaches: a topic, a chat, or a person with such an address', () => {
  const [phone, has] = [
    'is a phone number, and account `default` sends to a topic',
    'of the list `team` has no',
  ];
  const rows: readonly (readonly [object, to: string, error?: string])[] = [
    [NTFY, 'alerts-k3x9q2'],
    [NTFY, 'shop-{{ payload.store }}-k3x9q2'],
    ...['7215550100', '-1001234567890', '@shop_alerts', 'people/anna'].map((to) => [TELEGRAM, to] as const),
    [TELEGRAM, 'people'],
    [{}, 'people'],
    [NTFY, '4915112345678', `${phone} (ntfy): write a topic`],
    [TELEGRAM, 'numbers', 'the list `numbers` has phone numbers, and account `default` sends to a chat id'],
    [NTFY, '{{ payload.phone | phone }}', phone],
    [{}, 'team', `\`anna\` ${has} \`phone\`, which account \`default\` needs`],
    [NTFY, 'team', `\`anna\` ${has} topic for account \`default\`: \`address: { ntfy: "…" }\``],
    [TELEGRAM, 'wrong', '`ben` of the list `wrong` has a wrong chat id for account `default`'],
    [TELEGRAM, 'team/bob', 'there is no person `bob`'],
  ];
  expect(rows.map(([gateway, to]) => [gateway, to, receiving(gateway, { to })])).toEqual(
    rows.map(([gateway, to, error]) => [gateway, to, error === undefined ? [] : [containing(error)]]),
  );
});

it('a receiver of an account is no list by mistake: a name that is close warns, and one receiver is not a list', () => {
  const recipients = { 'on-call': { people: { anna: { address: { ntfy: 'secret-topic' } } } } };
  const warned = (account: object, route: object) =>
    routeWarnings(route, { accounts: { default: account }, recipients }).filter((one) =>
      one.includes('read as'),
    );
  const near =
    'sources.shop.routes[0].to: `on-cal` is read as a topic; did you mean the recipients list `on-call`?';
  expect(warned(NTFY, { to: ['on-cal', 'on-call', 'alerts-k3x9q2'] })).toEqual([near]);
  const escalate = [{ after: '5m', to: 'on-cal' }];
  expect(warned(NTFY, { to: 'on-call', incident: { key: 'a' }, escalate })).toEqual([near]);
  const accounts = {
    default: { ...NTFY, canary: { to: 'on-call' } },
    sales: { escape: { via: { account: 'default', to: 'on-call' } } },
  };
  const error = 'to: `on-call` is a recipients list: name one receiver';
  expect(errorsOf({ accounts, recipients })).toEqual(
    ['default.canary', 'sales.escape.via'].map((at) => `accounts.${at}.${error}`),
  );
});

it('a receiver of an account is reached by the account’s own name before its gateway’s, and is missing only in a status that the gateway has', () => {
  const people = { anna: { address: { telegram: '111111', default: '222222' } } };
  const sources = { shop: open({ routes: [routeWith({ to: 'team' })] }) };
  const set = setOf({ accounts: { default: TELEGRAM }, recipients: { team: { people } }, sources });
  const [route] = compileConfig(set, 1).config.sources.get('shop')?.routes ?? [];
  expect(route?.to).toMatchObject([{ numbers: ['222222'] }]);
  const status = { to: undefined, send: { kind: 'status', text: 'open' } };
  expect(receiving(NTFY, status)[0]).toContain('sends a status, but ntfy (account `default`) cannot');
  expect(receiving({}, status)).toEqual([]);
});

it('an account’s credentials are its own, named after it; the base URL falls back to the common one', () => {
  const names = ['default', 'sales', 'eu-west_2'].map((name) => credentialNames(name).email);
  expect(names).toEqual(['GATEWAY_EMAIL', 'GATEWAY_SALES_EMAIL', 'GATEWAY_EU_WEST_2_EMAIL']);
  const value = {
    baseUrl: 'https://gw.example/api',
    email: 'sales@example.com',
    apiKey: 'gateway-key-of-sales',
  };
  const common = bindings({ GATEWAY_BASE_URL: 'https://gw.example/api/' });
  expect(readCredentials(common, 'sales')).toEqual({ ok: true, value });
  const baseUrl = 'https://sales.example/api';
  const own = bindings({ GATEWAY_SALES_BASE_URL: baseUrl, GATEWAY_SALES_APP_KEY: 'app' });
  expect(readCredentials(own, 'sales')).toMatchObject({ value: { baseUrl, appKey: 'app' } });
});

const notSet = (name: string, message: unknown) => ['not-set', message, { name }];

it('an account’s credentials that are missing are named, all at once, and a wrong base URL is not repeated: it may hold a key', () => {
  const env = bindings({ GATEWAY_EMAIL: undefined, GATEWAY_API_KEY: '', GATEWAY_BASE_URL: undefined });
  expect(readCredentials(env, 'default')).toEqual({
    ok: false,
    error: [
      notSet('GATEWAY_EMAIL', 'the secret GATEWAY_EMAIL is not set: `npx wrangler secret put GATEWAY_EMAIL`'),
      notSet(
        'GATEWAY_API_KEY',
        'the secret GATEWAY_API_KEY is not set: `npx wrangler secret put GATEWAY_API_KEY`',
      ),
      notSet('GATEWAY_BASE_URL', expect.stringContaining('GATEWAY_BASE_URL is not set')),
    ],
  });
  const error = [
    ['secret', 'the gateway base URL must be an http(s) address that ends in /api, without a query'],
  ];
  const base = 'https://gw.example/';
  for (const url of ['gw.example/api', 'ftp://gw.example/api', base, `${base}api?key=abc`])
    expect(readCredentials(bindings({ GATEWAY_BASE_URL: url }), 'default')).toEqual({ ok: false, error });
});
