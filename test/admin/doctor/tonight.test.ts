import { describe, expect, it } from 'vitest';
import { tonightChecks } from '../../../src/admin/doctor/tonight.ts';
import { compileConfig } from '../../../src/config/compile.ts';
import { open, routeWith, setOf } from '../../config/support.ts';

const found = (route: object, account: object = {}) =>
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
  ).map(({ id, status }) => [id, status]);

describe('a device that is offline tonight', () => {
  it('is a finding where messages are urgent, or about incidents', () => {
    const finding = [['account:sales:tonight', 'warn']];
    expect(found({ priority: 'high' })).toEqual(finding);
    expect(found({ incident: { key: '{{ payload.id }}' } })).toEqual(finding);
  });

  it('is none where nothing is urgent, or where an escape channel is', () => {
    expect(found({})).toEqual([]);
    const escape = { via: { kind: 'ntfy', secret: 'NOTIFY_ESCAPE' } };
    expect(found({ priority: 'high' }, { escape })).toEqual([]);
  });
});
