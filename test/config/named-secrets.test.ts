import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../src/config/compile.ts';
import { accountsInUse, namedSecrets } from '../../src/config/named-secrets.ts';
import type { ConfigSet } from '../../src/config/schema.ts';
import { open, routeWith, setOf } from './support.ts';

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
