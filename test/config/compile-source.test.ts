import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { errorsOf, open, routeWith, setOf, containing } from './support.ts';

const source = (document: object) => errorsOf({ sources: { shop: document } });

describe('how a source is verified', () => {
  it.each([
    [{}, ': needs a `provider`, or its own `verify`'],
    [
      { provider: 'strip', secrets: ['A'] },
      '.provider: there is no provider `strip`; did you mean `stripe`?',
    ],
    [{ provider: 'stripe' }, '.secrets: must name at least one secret to verify with'],
    [{ provider: 'stripe', secrets: [] }, '.secrets: must name at least one secret to verify with'],
    [
      { provider: 'alertmanager' },
      '.verify: is required: Prometheus Alertmanager does not sign its requests',
    ],
    [open({ secrets: ['HOOK_SECRET'] }), '.secrets: has no effect: the scheme is `none`'],
  ])('%j%s', (document, error) => {
    expect(source(document)[0]).toContain(`sources.shop${error}`);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('is no provider named %s', (provider) => {
    expect(source({ provider, secrets: ['HOOK_SECRET'] })[0]).toMatch(
      /^sources\.shop\.provider: there is no provider `\w+`; there are stripe, github,/,
    );
  });

  it('is warned about when anybody may post', () => {
    const { warnings, errors } = compileConfig(setOf({ sources: { shop: open() } }), 1);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      { path: 'sources.shop.verify', message: 'anybody who knows the address can send to this source' },
    ]);
  });

  it('is the source’s own word before the provider’s', () => {
    const document = {
      provider: 'stripe',
      verify: { scheme: 'token', in: 'path' },
      secrets: ['HOOK_SECRET'],
    };
    const { config } = compileConfig(setOf({ sources: { shop: document } }), 1);
    expect(config.sources.get('shop')?.verify.scheme).toBe('token');
  });
});

const OIDC = { scheme: 'oidc', issuer: 'google', email: 'push@my-project.iam.gserviceaccount.com' };
const JWT = { scheme: 'jwt', header: 'X-Token', unsigned_body: true };

describe('a source whose tokens name its address', () => {
  const monday = { provider: 'monday', secrets: ['HOOK_SECRET'] };
  const pubsub = { provider: 'google-pubsub', verify: OIDC };
  const warned = (url: string) =>
    compileConfig(setOf({ sources: { shop: { ...monday, url } } }), 1).warnings.map(({ path }) => path);
  const needed = 'sources.shop.url: is required: tokens from ';

  it.each<[string, object, string]>([
    ['a provider', monday, 'monday.com contain the address that they are for'],
    ['Google', pubsub, 'or name the audience in `verify.audience`'],
    ['its own', { verify: { ...JWT, audience: 'url' }, secrets: ['HOOK_SECRET'] }, '`url: https://hooks.'],
    [
      'one of several',
      {
        verify: { scheme: 'any', of: [{ ...JWT, audience: 'url' }, { scheme: 'basic' }] },
        secrets: ['HOOK_SECRET'],
      },
      '',
    ],
  ])('has to say what it is, by the scheme of %s', (_, document, hint) => {
    expect(source(document)).toEqual([expect.stringContaining(needed)]);
    expect(source(document)[0]).toContain(hint);
    expect(source({ ...document, url: 'https://hooks.example.com/hooks/shop' })).toEqual([]);
  });

  it('does not have to where it names the audience, or there is none', () => {
    expect(source({ ...pubsub, verify: { ...OIDC, audience: 'hookbell' } })).toEqual([]);
    for (const audience of [undefined, 'hookbell'])
      expect(source({ verify: { ...JWT, audience }, secrets: ['HOOK_SECRET'] })).toEqual([]);
  });

  it('is warned of an address to which nobody can post', () => {
    expect(warned('http://localhost:8787/hooks/shop')).toEqual(['sources.shop.url']);
    expect(warned('https://hooks.example.com/hooks/shop')).toEqual([]);
  });
});

describe('countries', () => {
  it.each([
    [['uk'], 'sources.shop.countries[0]: must be an ISO 3166 country code in capitals such as DE, or GB'],
    [['DE', 'Austria'], 'sources.shop.countries[1]: must be an ISO 3166 country code in capitals'],
    [[], 'sources.shop.countries: '],
    ['DE', 'sources.shop.countries: '],
  ])('%j is refused: %s', (countries, error) => {
    expect(source(open({ countries }))[0]).toContain(error);
  });

  it('are codes of countries', () => {
    expect(source(open({ countries: ['DE', 'AT', 'GB'] }))).toEqual([]);
  });
});

/** The warnings about a source's `premium` when it is published. */
const warnedOfPremium = (document: object) => {
  const { errors, warnings } = compileConfig(setOf({ sources: { shop: open(document) } }), 1);
  expect(errors).toEqual([]);
  return warnings.filter(({ path }) => path === 'sources.shop.premium').map(({ message }) => message);
};
const SIGNED = { verify: { scheme: 'basic' }, secrets: ['HOOK_SECRET'] };

describe('premium', () => {
  it('is yes or no', () => {
    expect(source(open({ premium: 'yes' }))).toEqual([expect.stringContaining('sources.shop.premium: ')]);
  });

  it('says nothing of a source that anybody may post to', () => {
    expect(warnedOfPremium({ premium: true })).toEqual([]);
  });

  it('is warned about where it changes nothing', () => {
    expect(warnedOfPremium({ ...SIGNED, premium: true })).toEqual([
      'has no effect: this source verifies its senders, so such numbers are accepted anyway',
    ]);
    expect(warnedOfPremium({ countries: ['DE'], premium: true })).toEqual([
      'has no effect: `countries` decides, and includes their premium-rate numbers',
    ]);
    expect(warnedOfPremium({ ...SIGNED, premium: false })).toEqual([]);
  });
});

const bodyMs = (document: object) =>
  compileConfig(setOf({ sources: { shop: document } }), 1).config.sources.get('shop')?.dedupe.bodyMs;

describe('a source', () => {
  it('names each of its routes differently', () => {
    expect(source(open({ routes: [routeWith({}), routeWith({ name: 'b' }), routeWith({})] }))).toEqual([
      'sources.shop.routes[2].name: `all` is already the name of another route of this source',
    ]);
  });

  it('has a subject that is Liquid', () => {
    expect(source(open({ subject: '#{{ pyload.id }}' }))[0]).toContain(
      'sources.shop.subject: column 5: unknown name "pyload" (did you mean "payload"?)',
    );
  });

  it('has a dedupe key that is Liquid', () => {
    expect(source(open({ dedupe: { key: '{{ pyload.id }}' } }))[0]).toContain(
      'sources.shop.dedupe.key: column 4: unknown name "pyload" (did you mean "payload"?)',
    );
  });

  it('has defaults for what it does not say', () => {
    const { config } = compileConfig(setOf({ sources: { shop: open() } }), 1);
    expect(config.sources.get('shop')).toMatchObject({
      account: 'default',
      store: 'full',
      routes: [],
      secrets: [],
      locale: { country: undefined, locale: 'en', timezone: 'UTC' },
      dedupe: { key: null, windowMs: 3 * 86_400_000, bodyMs: 0 },
    });
  });

  it('claims signed bodies as its provider says, or as it says itself, and only where they are signed', () => {
    const github = { provider: 'github', secrets: ['HOOK_SECRET'] };
    const own = { verify: { scheme: 'hmac', header: 'X-Signature' }, secrets: ['HOOK_SECRET'] };
    expect(bodyMs(github)).toBe(86_400_000);
    expect(bodyMs({ ...github, dedupe: { body: '1h' } })).toBe(3_600_000);
    expect(bodyMs({ ...github, dedupe: { body: false } })).toBe(0);
    expect(bodyMs({ ...github, verify: { scheme: 'basic' } })).toBe(0);
    expect(bodyMs(own)).toBe(0);
    expect(bodyMs({ ...own, dedupe: { body: '1h' } })).toBe(3_600_000);
    expect(bodyMs(open({ dedupe: { body: false } }))).toBe(0);
    expect(source(open({ dedupe: { body: '1h' } }))).toEqual([
      'sources.shop.dedupe.body: has no effect: `verify` does not cover the body, so whoever repeats a request can change it',
    ]);
    expect(source(open({ dedupe: { body: '31d' } }))).toEqual([
      'sources.shop.dedupe.body: must be a duration from 1s to 30d such as 24h, or false',
    ]);
  });
});

const exponentsOf = (document: object) =>
  compileConfig(setOf({ sources: { shop: document } }), 1).config.sources.get('shop')?.locale.exponents;

describe('a source’s money', () => {
  it('is counted as its provider counts it, whatever its own `verify` says', () => {
    const byStripe = open({ provider: 'stripe' });
    expect(exponentsOf(byStripe)).toMatchObject({ ISK: 2 });
    expect(exponentsOf(open())).toBeUndefined();
  });

  it('is not counted by the document', () => {
    expect(source(open({ exponents: { ISK: 2 } }))[0]).toContain('exponents');
  });
});

const heartbeatOf = (heartbeat?: string) =>
  compileConfig(
    setOf({ sources: { shop: open(heartbeat === undefined ? {} : { heartbeat }) } }),
    1,
  ).config.sources.get('shop')?.heartbeatMs;

describe('a source’s heartbeat', () => {
  it('is how long it may be silent; without one it may be for ever', () => {
    expect(heartbeatOf('24h')).toBe(86_400_000);
    expect(heartbeatOf()).toBeNull();
  });

  it.each(['9m', '91d'])('is not %s', (heartbeat) => {
    expect(source(open({ heartbeat }))).toEqual([
      `sources.shop.heartbeat: must be between 10m and 90d, not ${heartbeat}`,
    ]);
  });
});

const compiled = (document: object) => compileConfig(setOf({ sources: { shop: document } }), 1);

const META = { provider: 'meta-whatsapp', secrets: ['HOOK_SECRET'] };

describe('a handshake’s secret', () => {
  it('is kept by its name', () => {
    const { config, errors, warnings } = compiled({ ...META, handshake: { secret: 'VERIFY_TOKEN' } });
    expect([errors, warnings]).toEqual([[], []]);
    expect(config.sources.get('shop')?.handshakeSecret).toBe('VERIFY_TOKEN');
  });

  it('is missed where the provider will show one', () => {
    const { config, errors, warnings } = compiled(META);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      { path: 'sources.shop.handshake', message: containing('cannot confirm the address without it') },
    ]);
    expect(config.sources.get('shop')?.handshakeSecret).toBeNull();
  });

  it.each(['stripe', 'slack', 'asana'])('is an error for %s, which shows none', (provider) => {
    const { errors } = compiled({
      provider,
      secrets: ['HOOK_SECRET'],
      handshake: { secret: 'VERIFY_TOKEN' },
    });
    expect(errors).toEqual([{ path: 'sources.shop.handshake', message: containing('has no effect') }]);
  });
});

describe('a source whose provider hands over its key', () => {
  it.each([{ provider: 'asana' }, { provider: 'notion', secrets: [] }])(
    'may be published without a secret, and the person learns what to do: %j',
    (document) => {
      const { config, errors, warnings } = compiled(document);
      expect(errors).toEqual([]);
      expect(warnings).toEqual([
        { path: 'sources.shop.secrets', message: containing('`npx hookbell pair shop`') },
      ]);
      expect(config.sources.get('shop')?.secrets).toEqual([]);
    },
  );

  it('needs no more words once it names one', () => {
    const { errors, warnings } = compiled({ provider: 'asana', secrets: ['HOOK_SECRET'] });
    expect([errors, warnings]).toEqual([[], []]);
  });

  it('needs a secret for a `verify` of the source’s own, which no key is handed over for', () => {
    const { errors } = compiled({ provider: 'asana', verify: { scheme: 'token', in: 'path' } });
    expect(errors).toEqual([{ path: 'sources.shop.secrets', message: containing('at least one secret') }]);
  });
});

it('a source of any other provider needs a secret', () => {
  const { errors } = compiled({ provider: 'slack' });
  expect(errors).toEqual([{ path: 'sources.shop.secrets', message: containing('at least one secret') }]);
});
