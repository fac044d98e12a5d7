import { describe, expect, it } from 'vitest';
import { accountPolicy } from '../../src/config/account-policy.ts';
import { accountSchema } from '../../src/config/account-schema.ts';
import { secretNameErrors } from '../../src/config/secret-names.ts';
import { compileConfig } from '../../src/config/compile.ts';
import { errorsOf, open, setOf } from './support.ts';

const policyOf = (via: object) => accountPolicy(accountSchema.parse({ escape: { via } })).escape;
const errors = (via: object, accounts: Record<string, object> = {}) =>
  errorsOf({ accounts: { default: { escape: { via } }, sales: {}, ...accounts } });

describe('the escape channel of an account', () => {
  it('is a POST to the address in a secret, after three minutes unless the document says otherwise', () => {
    expect(policyOf({ kind: 'webhook', secret: 'NOTIFY_ME' })).toEqual({
      afterMs: 180_000,
      via: { url: '{secret}', secret: 'NOTIFY_ME', format: 'json' },
    });
    expect(policyOf({ kind: 'telegram', secret: 'NOTIFY_ME' })?.via).toMatchObject({ format: 'telegram' });
  });

  it('is another account otherwise', () => {
    expect(policyOf({ account: 'sales' })?.via).toEqual({ account: 'sales', to: null });
    expect(errors({ account: 'sales' })).toEqual([]);
  });

  it('is no account that does not exist, nor the same one', () => {
    expect(errors({ account: 'sale' })[0]).toContain(
      'accounts.default.escape.via.account: there is no account `sale`',
    );
    expect(errors({ account: 'default' })).toEqual([
      'accounts.default.escape.via.account: must be another account',
    ]);
  });

  it('names a receiver where the other gateway cannot reach those of this one', () => {
    const chat = { chat: { gateway: 'telegram' } };
    expect(errors({ account: 'chat' }, chat)).toEqual([
      'accounts.default.escape.via.to: is required: Telegram cannot send to the receivers of this account',
    ]);
    expect(errors({ account: 'chat', to: '-100123456' }, chat)).toEqual([]);
    expect(errors({ account: 'sales', to: 'anna' })).toEqual([
      'accounts.default.escape.via.to: must be digits that start with the country code',
    ]);
  });

  it('names a receiver if a status goes there, which has none', () => {
    const route = { name: 'closed', priority: 'high', send: { kind: 'status', text: 'closed today' } };
    const withRoute = (via: object, change: object = {}) =>
      errorsOf({
        accounts: { default: { escape: { via } }, sales: {} },
        sources: { shop: open({ routes: [{ ...route, ...change }] }) },
      });
    expect(withRoute({ account: 'sales' })).toEqual([
      'accounts.default.escape.via.to: is required: route `closed` of source `shop` sends a status of `priority: high`, which has no receiver',
    ]);
    expect(withRoute({ account: 'sales', to: '4915112345678' })).toEqual([]);
    expect(withRoute({ kind: 'ntfy', secret: 'NOTIFY_ME' })).toEqual([]);
    // It never goes there.
    expect(withRoute({ account: 'sales' }, { priority: 'normal' })).toEqual([]);
  });

  it('has an address that no source may name, and that names no secret of a source', () => {
    const escape = { via: { kind: 'ntfy', secret: 'STRIPE_SECRET' } };
    const { config } = compileConfig(setOf({ accounts: { default: { escape } } }), 1);
    expect(secretNameErrors(config).map(({ path }) => path)).toEqual(['accounts.default.escape.via.secret']);
  });
});
