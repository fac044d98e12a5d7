import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { errorsOf, open, routeWith, setOf } from './support.ts';

const account = (document: object) => errorsOf({ accounts: { default: document } });

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

const rateOf = (document: object) =>
  compileConfig(setOf({ accounts: { default: document } }), 1).config.accounts.get('default')?.rate;

describe('an account’s gateway', () => {
  it.each([
    [
      { gateway: 'telegramm' },
      'gateway: must be one of v2, ntfy, telegram, pushover, signal, waha, evolution, whatsapp-cloud, twilio, http; did you mean `telegram`?',
    ],
    [
      { gateway: 'waha' },
      'base_url: is required: the address of your WAHA, such as https://chat.example.com',
    ],
    [
      { base_url: 'https://x.example' },
      'base_url: is only for other gateways: this one’s address is GATEWAY_BASE_URL',
    ],
    [
      { gateway: 'ntfy', base_url: 'https://x.example/?a=1' },
      'base_url: must be an http(s) address without a query, such as https://chat.example.com',
    ],
    [
      { gateway: 'ntfy', base_url: 'https://u:p@x.example/' },
      'base_url: must be an http(s) address without a query, such as https://chat.example.com',
    ],
    [
      { gateway: 'twilio' },
      'options.from: is required: the sending number such as "+15550100000", a short code, or a sender’s name',
    ],
    [
      { gateway: 'twilio', options: { from: '+15550100000', channel: 'fax' } },
      'options.channel: must be sms or whatsapp',
    ],
    [{ gateway: 'ntfy', options: { from: 'x' } }, 'options.from: is not an option: `gateway: ntfy` has none'],
    [
      { gateway: 'http', base_url: 'https://x.example' },
      'http: is required: how a message becomes a request',
    ],
    [{ http: http().http }, 'http: is only for `gateway: http`'],
    [
      http({ headers: { authorization: '{secret.KEY}' } }),
      'http.headers.authorization: has an unknown field `{secret.KEY}`; known ones: {id}, {secret.TOKEN}',
    ],
    [
      http({ kinds: { text: { path: '/send' } } }),
      'http.kinds.text: needs exactly one of `json` and `form`: the body of the request',
    ],
    [
      http({ kinds: { text: { path: '/send', form: { a: '{msg}' } } } }),
      'http.kinds.text.form.a: has an unknown field `{msg}`; known ones: {to}, {message}, {id}, {secret.TOKEN}',
    ],
    [
      http({ kinds: { text: { path: 'send', form: { a: 'b' } } } }),
      'http.kinds.text.path: must begin with `/`, and have no space, `#` or backslash',
    ],
    [
      http({ secrets: ['token-value'] }),
      'http.secrets[0]: must be the end of a name such as TOKEN: the secret is then GATEWAY_<ACCOUNT>_TOKEN',
    ],
  ])('%j: %s', (document, error) => {
    expect(account(document)).toEqual([`accounts.default.${error}`]);
  });

  it('has its maker’s pace, unless its document says otherwise', () => {
    expect(rateOf({ gateway: 'ntfy' })).toEqual({ perMinute: 12, burst: 30 });
    expect(rateOf({ gateway: 'ntfy', rate: { per_minute: 2 } })).toEqual({ perMinute: 2, burst: 2 });
    expect(rateOf(http())).toEqual({ perMinute: 30, burst: 5 });
  });

  it('that is declared by hand is taken as it is', () => {
    expect(account(http())).toEqual([]);
  });
});

/** The errors of a route of an account with this gateway. */
const routes = (gateway: object, change: object, recipients: Record<string, unknown> = {}) =>
  errorsOf({
    accounts: { default: gateway },
    recipients,
    sources: { shop: open({ routes: [routeWith(change)] }) },
  });

const NTFY = { gateway: 'ntfy' };
const TELEGRAM = { gateway: 'telegram' };

describe('a receiver', () => {
  it.each<[string, object, string]>([
    ['a topic', NTFY, 'alerts-k3x9q2'],
    ['a chat id', TELEGRAM, '7215550100'],
    ['a group', TELEGRAM, '-1001234567890'],
    ['a channel', TELEGRAM, '@shop_alerts'],
    ['a person of a list, for any gateway', TELEGRAM, 'team/anna'],
    ['a list of people', TELEGRAM, 'team'],
    ['a list of people', {}, 'team'],
    ['an address from the payload', NTFY, 'shop-{{ payload.store }}-k3x9q2'],
  ])('can be %s', (_, gateway, to) => {
    const people = { anna: { phone: '4915112345678', address: { telegram: '7215550100' } } };
    expect(routes(gateway, { to }, { team: { people } })).toEqual([]);
  });

  it.each([
    [
      'a number for a topic',
      NTFY,
      '4915112345678',
      /is a phone number, and account `default` sends to a topic \(ntfy\): write a topic, or name a recipients list whose people have one: `people: \{ anna: \{ address: \{ ntfy: "…" \} \} \}`/,
    ],
    [
      'a list of numbers for chats',
      TELEGRAM,
      'numbers',
      /the list `numbers` has phone numbers, and account `default` sends to a chat id \(Telegram\)/,
    ],
    [
      'a phone of the payload for a topic',
      NTFY,
      '{{ payload.phone | phone }}',
      /is a phone number, and account `default` sends to a topic/,
    ],
    [
      'a person without a phone',
      {},
      'team',
      /`anna` of the list `team` has no `phone`, which account `default` needs/,
    ],
    [
      'a person without an address',
      NTFY,
      'team',
      /`anna` of the list `team` has no topic for account `default`: `address: \{ ntfy: "…" \}`/,
    ],
    [
      'a wrong address',
      TELEGRAM,
      'wrong',
      /`ben` of the list `wrong` has a wrong chat id for account `default`/,
    ],
    ['an unknown person', TELEGRAM, 'team/bob', /there is no person `bob`.*of the recipients list `team`/],
  ])('cannot be %s', (_, gateway, to, error) => {
    const recipients = {
      numbers: { numbers: ['4915112345678'] },
      team: { people: { anna: { address: { telegram: '7215550100' } } } },
      wrong: { people: { ben: { address: { telegram: 'ben' } } } },
    };
    const errors = routes(gateway, { to }, recipients);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(error);
  });

  it('is reached by the account’s own name before its gateway’s', () => {
    const people = { anna: { address: { telegram: '111111', default: '222222' } } };
    const { config } = compileConfig(
      setOf({
        accounts: { default: TELEGRAM },
        recipients: { team: { people } },
        sources: { shop: open({ routes: [routeWith({ to: 'team' })] }) },
      }),
      1,
    );
    expect(config.sources.get('shop')?.routes[0]?.to).toMatchObject([{ numbers: ['222222'] }]);
  });

  it('cannot be missing in a status, which a gateway may not have', () => {
    const send = { kind: 'status', text: 'open' };
    expect(routes(NTFY, { to: undefined, send })[0]).toContain(
      'sends a status, but ntfy (account `default`) cannot',
    );
    expect(routes({}, { to: undefined, send })).toEqual([]);
  });
});
