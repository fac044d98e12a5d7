import { expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { errorsOf, expectErrors, open, PROMISED, routeWith, setOf } from './support.ts';

const compiled = (document: object) => compileConfig(setOf({ sources: { shop: document } }), 1);
const sourceOf = (document: object) => compiled(document).config.sources.get('shop');
const errors = (document: object) => errorsOf({ sources: { shop: document } });
const warnings = (document: object) => {
  const { errors: wrong, warnings: all } = compiled(document);
  expect(wrong).toEqual([]);
  return all.map(({ path, message }) => `${path}: ${message}`);
};

const secrets = ['HOOK_SECRET'];
const SIGNED = { verify: { scheme: 'basic' }, secrets };
const HMAC = { verify: { scheme: 'hmac', header: 'X-Signature' }, secrets };
const URL = 'https://hooks.example.com/hooks/shop';

it('a key for duplicates that is the same for all events is warned about', () => {
  expect(warnings({ ...SIGNED, dedupe: { key: 'payload.id' } })).toEqual([
    'sources.shop.dedupe.key: is the same for all events, so each after the first is a duplicate and sends nothing; use a value that differs, such as "{{ payload.id }}"',
  ]);
  expect(warnings({ ...SIGNED, dedupe: { key: '{{ payload.id }}' } })).toEqual([]);
});

const premium = (document: object) =>
  warnings(document).filter((warning) => warning.startsWith('sources.shop.premium'));

it('a source is made of its document, and has defaults for what it does not say', () => {
  expect([...compileConfig(PROMISED, 7).config.sources.keys()]).toEqual(Object.keys(PROMISED.sources));
  expect(sourceOf(open())).toMatchObject({
    account: 'default',
    store: 'full',
    routes: [],
    secrets: [],
    locale: { country: undefined, locale: 'en', timezone: 'UTC' },
    dedupe: { key: null, windowMs: 3 * DAY, bodyMs: 0 },
    heartbeatMs: null,
  });
});

it('a source may say what a provider says, and be answered with 200 unless its provider has its own answer, names each route differently, and its texts are Liquid', () => {
  const own = {
    event: { id: '{{ payload.no }}', type: '{{ headers.x-kind }}', items: { at: 'payload.lines' } },
    answers: { accepted: { status: 200, body: 'Hello', content_type: 'text/plain' } },
    exponents: { ISK: 2 },
  };
  expect(sourceOf({ provider: 'stripe', secrets, ...own })?.provider).toMatchObject({
    name: 'Stripe',
    dedupe: ['body:no'],
    event_type: ['header:x-kind'],
    items: { at: 'lines', id: [] },
    answers: [own.answers.accepted],
    exponents: { ISK: 2 },
  });
  expect(sourceOf(open({ answer: 200 }))?.provider.answers).toEqual([{ status: 200 }]);
  expectErrors('sources.shop.', errors, [
    [open({ answer: 204 }), 'answer: must be 200; without it, the answer is 202'],
    [{ provider: 'twilio', secrets, answer: 200 }, 'answer: has no effect: Twilio gets the answer'],
  ]);
  const routes = [routeWith({}), routeWith({ name: 'b' }), routeWith({})];
  const meant = 'unknown name "pyload" (did you mean "payload"?)';
  expectErrors('sources.shop.', (document: object) => errors(open(document)), [
    [{ routes }, 'routes[2].name: `all` is already the name of another route of this source'],
    [{ subject: '#{{ pyload.id }}' }, `subject: column 5: ${meant}`],
    [{ dedupe: { key: '{{ pyload.id }}' } }, `dedupe.key: column 4: ${meant}`],
    [{ countries: ['uk'] }, 'countries[0]: must be an ISO 3166 country code in capitals such as DE, or GB'],
    [{ countries: ['DE', 'Austria'] }, 'countries[1]: must be an ISO 3166 country code in capitals'],
    [{ countries: [] }, 'countries: '],
    [{ countries: 'DE' }, 'countries: '],
  ]);
  expect(errors(open({ countries: ['DE', 'AT', 'GB'] }))).toEqual([]);
});

it('a source claims signed bodies as its provider says, or as it says itself, and only where they are signed', () => {
  const github = { provider: 'github', secrets };
  const rows = [
    [github, DAY],
    [{ ...github, dedupe: { body: '1h' } }, HOUR],
    [{ ...github, dedupe: { body: false } }, 0],
    [{ ...github, verify: SIGNED.verify }, 0],
    [HMAC, 0],
    [{ ...HMAC, dedupe: { body: '1h' } }, HOUR],
    [open({ dedupe: { body: false } }), 0],
  ] as const;
  expect(rows.map(([document]) => [document, sourceOf(document)?.dedupe.bodyMs])).toEqual(rows);
  expectErrors('sources.shop.dedupe.body: ', (body: string) => errors(open({ dedupe: { body } })), [
    ['1h', 'has no effect: `verify` does not cover the body, so whoever repeats a request can change it'],
    ['31d', 'must be a duration from 1s to 30d such as 24h, or false'],
  ]);
});

it('a source counts money as its provider counts it, and is warned of `premium` where it changes nothing', () => {
  expect(sourceOf(open({ provider: 'stripe' }))?.locale.exponents).toMatchObject({ ISK: 2 });
  expect(sourceOf(open())?.locale.exponents).toBeUndefined();
  expect(premium(open({ premium: true }))).toEqual([]);
  expect(premium({ ...SIGNED, premium: false })).toEqual([]);
  expect(premium({ ...SIGNED, premium: true })[0]).toContain('has no effect: this source verifies');
  expect(premium(open({ countries: ['DE'], premium: true }))[0]).toContain(
    'has no effect: `countries` decides',
  );
});

it('how a source is verified is its own word before the provider’s, has the secrets that it needs, and is warned about when anybody may post', () => {
  const own = { provider: 'stripe', verify: { scheme: 'token', in: 'path' }, secrets };
  expect(sourceOf(own)?.verify.scheme).toBe('token');
  const missing = 'secrets: must name at least one secret to verify with';
  expectErrors('sources.shop', errors, [
    [{}, ': needs a `provider`, or its own `verify`'],
    [{ provider: 'strip', secrets }, '.provider: there is no provider `strip`; did you mean `stripe`?'],
    [{ provider: 'stripe' }, `.${missing}`],
    [{ provider: 'stripe', secrets: [] }, `.${missing}`],
    [
      { provider: 'alertmanager' },
      '.verify: is required: Prometheus Alertmanager does not sign its requests',
    ],
    [open({ secrets }), '.secrets: has no effect: the scheme is `none`'],
    [{ verify: BY_JWKS, secrets }, '.secrets: has no effect: the public key is in `verify`'],
  ]);
  expect(errors({ verify: { scheme: 'any', of: [BY_JWKS, BY_JWKS] } })).toEqual([]);
  for (const provider of ['constructor', 'toString', 'hasOwnProperty'])
    expect(errors({ provider, secrets })[0]).toMatch(
      /there is no provider `\w+`; there are stripe, html-form,/,
    );
  const warning = 'sources.shop.verify: anybody who knows the address can send to this source';
  expect(warnings(open())).toEqual([warning]);
});

it('how a source is verified needs no secret where the provider hands over its key, but says how to get it', () => {
  for (const document of [{ provider: 'asana' }, { provider: 'notion', secrets: [] }]) {
    const warning: unknown = expect.stringMatching(/^sources\.shop\.secrets: .*`npx hookbell pair shop`/);
    expect(warnings(document)).toEqual([warning]);
    expect(sourceOf(document)?.secrets).toEqual([]);
  }
  expect(warnings({ provider: 'asana', secrets })).toEqual([]);
  for (const document of [
    { provider: 'asana', verify: { scheme: 'token', in: 'path' } },
    { provider: 'slack' },
  ])
    expect(errors(document)).toEqual([
      expect.stringMatching(/^sources\.shop\.secrets: .*at least one secret/),
    ]);
});

it('how a source is verified has a handshake’s secret by its name, a warning where the provider will show one, and else no effect', () => {
  const meta = { provider: 'meta-whatsapp', secrets };
  const handshake = { secret: 'VERIFY_TOKEN' };
  expect(warnings({ ...meta, handshake })).toEqual([]);
  expect(sourceOf({ ...meta, handshake })?.handshakeSecret).toBe('VERIFY_TOKEN');
  expect(warnings(meta)[0]).toMatch(/^sources\.shop\.handshake: .*cannot confirm the address without it/);
  expect(sourceOf(meta)?.handshakeSecret).toBeNull();
  for (const provider of ['stripe', 'slack', 'asana'])
    expect(errors({ provider, secrets, handshake })[0]).toMatch(/^sources\.shop\.handshake: has no effect/);
});

const monday = { provider: 'monday', secrets };
const OIDC = { scheme: 'oidc', issuer: 'google', email: 'push@my-project.iam.gserviceaccount.com' };
const JWT = { scheme: 'jwt', header: 'X-Token', unsigned_body: true };
const BY_JWKS = { ...JWT, algorithm: 'ES256', jwks: 'https://api.example.com/keys' };
const pubsub = (verify: object) => ({ provider: 'google-pubsub', verify: { ...OIDC, ...verify } });
const own = (audience?: string) => ({ verify: { ...JWT, audience }, secrets });
const byOne = { scheme: 'any', of: [own('url').verify, SIGNED.verify] };

it('a source whose tokens name its address has to say what it is, unless it names the audience, and is warned of one to which nobody can post', () => {
  const rows: readonly (readonly [object, hint: string])[] = [
    [monday, 'monday.com contain the address that they are for'],
    [pubsub({}), 'or name the audience in `verify.audience`'],
    [own('url'), '`url: https://hooks.'],
    [{ verify: byOne, secrets }, ''],
  ];
  for (const [document, hint] of rows) {
    const [error = '', ...more] = errors(document);
    expect(error).toContain('sources.shop.url: is required: tokens from ');
    expect(error).toContain(hint);
    expect(more).toEqual([]);
    expect(errors({ ...document, url: URL })).toEqual([]);
  }
  for (const document of [pubsub({ audience: 'hookbell' }), own(), own('hookbell')])
    expect(errors(document)).toEqual([]);
  expect(warnings({ ...monday, url: 'http://localhost:8787/hooks/shop' })[0]).toContain('sources.shop.url');
  expect(warnings({ ...monday, url: URL })).toEqual([]);
});

const oneOf = (...of: readonly object[]) => ({ verify: { scheme: 'any', of }, secrets });

const token = (place: string, more: object = { name: 'X-Token' }) => ({
  verify: { scheme: 'token', in: place, ...more },
  secrets,
});

const limitOf = (document: object) => sourceOf(document)?.limit;

const MIB = 1_048_576;
const OPEN = { perMinute: 60, burst: 60, bytesPerHour: 64 * MIB, messagesPerMinute: 120 };
const BY_ADDRESS = { ...OPEN, perMinute: 600, burst: 600 };

it('the limit of a source is that of its kind of verification, of several that of the weakest', () => {
  const rows = [
    [open(), OPEN],
    [token('path', {}), BY_ADDRESS],
    [token('query'), BY_ADDRESS],
    [oneOf(HMAC.verify, token('query').verify), BY_ADDRESS],
    [token('header'), null],
    [token('body'), null],
    [SIGNED, null],
    [{ provider: 'stripe', secrets }, null],
    [oneOf(HMAC.verify, HMAC.verify), null],
  ] as const;
  expect(rows.map(([document]) => [document, limitOf(document)])).toEqual(rows);
});

it('the limit of a source has a minute’s worth at once, and the rest of its kind of verification, unless it says otherwise', () => {
  const rows = [
    [{ per_minute: 5 }, { ...OPEN, perMinute: 5, burst: 5 }],
    [
      { per_minute: 5, burst: 9, mib_per_hour: 2 },
      { ...OPEN, perMinute: 5, burst: 9, bytesPerHour: 2 * MIB },
    ],
    [{ messages_per_minute: 500 }, { ...OPEN, messagesPerMinute: 500 }],
    [{}, OPEN],
    [false, null],
  ] as const;
  expect(rows.map(([limit]) => [limit, limitOf(open({ limit }))])).toEqual(rows);
  const none = { bytesPerHour: null, messagesPerMinute: null };
  expect(limitOf({ ...SIGNED, limit: { per_minute: 5 } })).toEqual({ ...none, perMinute: 5, burst: 5 });
  expect(errors({ ...SIGNED, limit: { burst: 5, messages_per_minute: 5 } })).toEqual([
    'sources.shop.limit.per_minute: is required: a source that verifies its senders has no default',
  ]);
});

const doubts = (parts: Parameters<typeof setOf>[0], now: number | null = 0) =>
  compileConfig(setOf(parts), 1, now)
    .warnings.map(({ path, message }) => `${path}: ${message}`)
    .filter((line) => !line.includes('.verify'));

it('a number that no phone has is warned of, with its place, if anybody reads warnings', () => {
  for (const [number, message] of [
    [
      '49171555',
      '"+491…" is not a valid number: the digits after +49, or how many there are, cannot be right',
    ],
    ['+49 0171 3920001', '"+490…" has a 0 after +49 that is not dialled from abroad: leave it out'],
    ['9991234567', '"+999…" does not begin with a country code: check it'],
  ] as const) {
    const recipients = {
      team: { numbers: ['+49 171 3920001', number], people: { 'Anna Müller': number } },
    };
    const paths = ['recipients.team.numbers[1]', 'recipients.team.people.Anna Müller'];
    expect(doubts({ recipients })).toEqual(paths.map((path) => `${path}: ${message}`));
    expect(doubts({ recipients }, null)).toEqual([]);
  }
});

it('a number that no phone has is warned of in a route, but not where it names a list, and counted after the first ten of a list', () => {
  const routes = [routeWith({ to: ['team', '+49 171 555'] }), routeWith({ name: 'b', to: '49171555' })];
  const recipients = { team: { numbers: ['+49 171 3920001'] } };
  expect(doubts({ sources: { shop: open({ routes }) }, recipients })).toEqual([
    expect.stringContaining('sources.shop.routes[0].to[1]: "+491…"'),
    expect.stringContaining('sources.shop.routes[1].to: "+491…"'),
  ]);
  const numbers = Array.from({ length: 13 }, (_, at) => `491715${50 + at}`);
  const all = doubts({ recipients: { team: { numbers } } });
  expect(all).toHaveLength(11);
  expect(all.at(-1)).toBe('recipients.team: and 3 more such numbers');
});
