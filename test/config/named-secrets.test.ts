import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import {
  accountsInUse,
  namedSecrets,
  plainHttpWarnings,
  secretErrors,
} from '../../src/config/named-secrets.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { open, routeWith, setOf } from './support.ts';
import { bindings } from '../bindings.ts';

const named = (parts: Partial<ConfigSet>) =>
  Object.fromEntries(namedSecrets(compileConfig(setOf(parts), 1).config));

const LOGIN = { GATEWAY_EMAIL: ['account default'], GATEWAY_API_KEY: ['account default'] };

describe('the secrets that a configuration needs', () => {
  it('are the default login when there is nothing else', () => {
    expect(named({})).toEqual(LOGIN);
  });

  it('are each named once, with all that need it', () => {
    const signed = { provider: 'stripe', secrets: ['STRIPE_SECRET'] };
    expect(named({ sources: { one: signed, two: signed } })).toEqual({
      ...LOGIN,
      STRIPE_SECRET: ['source one', 'source two'],
    });
  });

  it('are a handshake’s and a notice’s too', () => {
    const sources = {
      chat: {
        provider: 'meta-whatsapp',
        secrets: ['META_APP_SECRET'],
        handshake: { secret: 'META_VERIFY_TOKEN' },
      },
    };
    const accounts = { default: { notify: { url: 'https://ntfy.sh/{secret}', secret: 'NOTIFY_TOPIC' } } };
    expect(named({ sources, accounts })).toEqual({
      ...LOGIN,
      META_APP_SECRET: ['source chat'],
      META_VERIFY_TOKEN: ['source chat'],
      NOTIFY_TOPIC: ['the notifications of account default'],
    });
  });

  it('are the logins of those accounts that a source sends through, and of no other', () => {
    const sources = { a: open({ account: 'sales', routes: [routeWith({})] }), b: open({ account: 'spare' }) };
    const { config } = compileConfig(setOf({ sources, accounts: { sales: {}, spare: {} } }), 1);
    expect([...accountsInUse(config)]).toEqual(['sales']);
    expect([...namedSecrets(config).keys()]).toEqual(['GATEWAY_SALES_EMAIL', 'GATEWAY_SALES_API_KEY']);
  });
});

const errors = (parts: Partial<ConfigSet>, changes: Record<string, unknown> = {}) =>
  secretErrors(compileConfig(setOf(parts), 1).config, bindings(changes));

const signed = { verify: { scheme: 'token', in: 'path' }, secrets: ['HOOK_SECRET', 'NEXT_SECRET'] };

describe('a secret that the configuration names', () => {
  it('must be set; the error has its name and where it is named', () => {
    expect(errors({ sources: { shop: signed } })).toEqual([
      {
        path: 'sources.shop.secrets[1]',
        message: 'the secret NEXT_SECRET is not set: `npx wrangler secret put NEXT_SECRET`',
      },
    ]);
    expect(errors({ sources: { shop: signed } }, { NEXT_SECRET: 'x' })).toEqual([]);
  });

  it('is not set when it is empty, or the name of a binding that is no text', () => {
    for (const NEXT_SECRET of ['', {}, 5])
      expect(errors({ sources: { shop: signed } }, { NEXT_SECRET })).toHaveLength(1);
    const binding = { ...signed, secrets: ['CONFIG'] };
    expect(errors({ sources: { shop: binding } })).toHaveLength(1);
  });

  it('for a handshake must be set as well', () => {
    const whatsapp = {
      provider: 'meta-whatsapp',
      secrets: ['HOOK_SECRET'],
      handshake: { secret: 'VERIFY_TOKEN' },
    };
    expect(errors({ sources: { whatsapp } })).toEqual([
      {
        path: 'sources.whatsapp.handshake.secret',
        message: 'the secret VERIFY_TOKEN is not set: `npx wrangler secret put VERIFY_TOKEN`',
      },
    ]);
    expect(errors({ sources: { whatsapp } }, { VERIFY_TOKEN: 'x' })).toEqual([]);
  });

  it('for notices must be set as well', () => {
    const notify = { url: 'https://x.example/{secret}', secret: 'NOTIFY_ELSEWHERE' };
    expect(errors({ accounts: { default: { notify } } })).toEqual([
      {
        path: 'accounts.default.notify.secret',
        message: 'the secret NOTIFY_ELSEWHERE is not set: `npx wrangler secret put NOTIFY_ELSEWHERE`',
      },
    ]);
  });
});

describe('the login of an account', () => {
  const routes = [routeWith({})];

  it('must be set when a source has routes that send by it', () => {
    const found = errors(
      { sources: { a: open({ routes }), b: open({ routes }) } },
      { GATEWAY_API_KEY: undefined },
    );
    expect(found).toEqual([
      {
        path: 'accounts.default',
        message: 'the secret GATEWAY_API_KEY is not set: `npx wrangler secret put GATEWAY_API_KEY`',
      },
    ]);
  });

  it('is not asked for while nothing is sent by it', () => {
    const gone = { GATEWAY_EMAIL: undefined, GATEWAY_API_KEY: undefined };
    expect(errors({ sources: { a: open() }, accounts: { default: {}, sales: {} } }, gone)).toEqual([]);
  });
});

describe('a gateway that is called over plain http', () => {
  const { config } = compileConfig(setOf({ sources: { shop: open({ routes: [routeWith({})] }) } }), 1);
  const warnings = (GATEWAY_BASE_URL: string) => plainHttpWarnings(config, bindings({ GATEWAY_BASE_URL }));

  it('is warned of for each account that is used, unless it is on this machine', () => {
    const [warning, ...more] = warnings('http://gateway.example:8080/api');
    expect(warning?.path).toBe('accounts.default');
    expect(warning?.message).toContain('gateway.example:8080 is called over plain http');
    expect(more).toEqual([]);
    for (const url of ['https://gateway.example/api', 'http://localhost:8788/api', 'http://[::1]/api'])
      expect(warnings(url)).toEqual([]);
  });

  it('is not looked for where no address is set, which is an error of its own', () => {
    expect(warnings('')).toEqual([]);
  });
});
