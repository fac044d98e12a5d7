import { describe, expect, it } from 'vitest';
import { DEFAULT_ACCOUNT } from '../../src/config/account-policy.ts';
import { compileConfig } from '../../src/config/compile.ts';
import { errorsOf, open, PROMISED, setOf } from './support.ts';

describe('a whole set', () => {
  it('becomes the sources and accounts that webhooks need', () => {
    const { config } = compileConfig(PROMISED, 7);
    expect(config.version).toBe(7);
    expect([...config.sources.keys()]).toEqual(Object.keys(PROMISED.sources));
    expect([...config.accounts.keys()]).toEqual(['default', 'sales']);
  });

  it('has the account `default` even when no document describes it', () => {
    expect(compileConfig(setOf({}), 1).config.accounts.get('default')).toEqual(DEFAULT_ACCOUNT);
  });

  it('checks templates that no route uses as well', () => {
    expect(errorsOf({ templates: { unused: { kind: 'text', message: '{{ payload.x' } } })[0]).toContain(
      'templates.unused.message: ',
    );
  });
});

describe('an account that a source names', () => {
  it('must be described', () => {
    const sources = { shop: open({ account: 'sale' }) };
    expect(errorsOf({ sources, accounts: { sales: {} } })).toEqual([
      'sources.shop.account: there is no account `sale`; did you mean `sales`? (each but `default` needs a document under accounts)',
    ]);
    expect(errorsOf({ sources: { shop: open({ account: 'constructor' }) } })[0]).toContain(
      'there is no account `constructor`; there is default',
    );
  });

  it('is not also reported as missing when its document is wrong', () => {
    const sources = { shop: open({ account: 'sales' }) };
    expect(errorsOf({ sources, accounts: { sales: { rate: 5 } } })).toHaveLength(1);
  });
});

describe('accounts', () => {
  it('that would read each other’s secrets are refused', () => {
    expect(errorsOf({ accounts: { 'eu-west': {}, eu_west: {} } })).toEqual([
      'accounts.eu_west: would read the same secrets as the account `eu-west`: give it another name',
    ]);
  });
});
