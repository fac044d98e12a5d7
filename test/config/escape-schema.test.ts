import { describe, expect, it } from 'vitest';
import { errorsOf } from './support.ts';

const VIA = { kind: 'ntfy', secret: 'NOTIFY_TOPIC' };

describe('the escape channel in a document', () => {
  it.each([
    [{}, 'via: is required'],
    [{ via: {} }, 'via: needs `kind` and `secret`, or `account`'],
    [{ via: { kind: 'ntfy' } }, 'via: needs `kind` and `secret`, or `account`'],
    [{ via: { ...VIA, account: 'sales' } }, 'via.account: cannot be combined with `kind` and `secret`'],
    [{ via: { ...VIA, to: '4915112345678' } }, 'via.to: works only with `account`'],
    [{ via: { ...VIA, kind: 'sms' } }, 'via.kind: must be one of ntfy, slack, telegram, webhook'],
    [{ via: VIA, after: '1s' }, 'after: must be between 10s and 1d, not 1s'],
  ])('%j: %s', (escape, error) => {
    expect(errorsOf({ accounts: { default: { escape }, sales: {} } })).toEqual([
      `accounts.default.escape.${error}`,
    ]);
  });
});
