import { describe, expect, it } from 'vitest';
import { tonightChecks } from '../../../src/admin/doctor/tonight.ts';
import { compileConfig } from '../../../src/config/compile.ts';
import { open, routeWith, setOf } from '../../config/support.ts';

const checksOf = (route: object, account: object = {}) =>
  tonightChecks(
    compileConfig(
      setOf({
        sources: {
          shop: open({ account: 'sales', routes: [routeWith({}), routeWith({ name: 'x', ...route })] }),
        },
        accounts: { sales: account },
      }),
      1,
    ).config,
  );
const found = (...given: Parameters<typeof checksOf>) =>
  checksOf(...given).map(({ id, status }) => [id, status]);
const said = (...given: Parameters<typeof checksOf>) => checksOf(...given)[0]?.detail;
const saidOf = (account: object) => said({ priority: 'high' }, account);

const notify = { url: 'https://ntfy.sh/topic', format: 'ntfy' };
const canary = { to: '4915112345678' };

describe('a device that is offline tonight', () => {
  it('is a finding where messages are urgent, or about incidents', () => {
    const finding = [['account:sales:tonight', 'warn']];
    expect(found({ priority: 'high' })).toEqual(finding);
    expect(found({ incident: { key: '{{ payload.id }}' } })).toEqual(finding);
  });

  it('is said where nothing is urgent, too, unless a canary is', () => {
    expect(found({})).toEqual([['account:sales:tonight', 'ok']]);
    expect(said({})).toBe('if its device is offline tonight, its messages wait, and nobody learns of it');
    expect(said({}, { notify })).toBe(
      'if its device is offline tonight, its messages wait, and `notify` learns of it only if the gateway fails',
    );
    expect(found({}, { canary })).toEqual([]);
  });

  it('is learnt of by `notify`: from failures, or from the canary', () => {
    const wait = 'if its device is offline tonight, high-priority messages wait, and';
    expect(saidOf({})).toBe(`${wait} nobody learns of it`);
    // Nobody hears that its link was not pressed.
    expect(saidOf({ canary })).toBe(`${wait} nobody learns of it`);
    expect(saidOf({ notify })).toBe(`${wait} \`notify\` learns of it only if the gateway fails`);
    expect(saidOf({ notify, canary })).toBe(`${wait} \`notify\` learns of it when nobody answers the canary`);
  });

  it('is none where an escape channel is', () => {
    const escape = { via: { kind: 'ntfy', secret: 'NOTIFY_ESCAPE' } };
    expect(found({ priority: 'high' }, { escape })).toEqual([]);
    expect(found({}, { escape })).toEqual([]);
  });
});
