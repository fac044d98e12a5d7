import { describe, expect, it } from 'vitest';
import { hookbell } from '../support.ts';
import { newRepository } from './support.ts';

// RFC 2606: a name that no machine has, so nothing is sent to anybody.
const FAR = 'http://relay.invalid';

describe('a token that goes out unencrypted', () => {
  it('is warned of, whether the address is said or a tenant’s', async () => {
    const repository = newRepository();
    await repository.add('acme', 'canary');
    repository.write(
      'tenants/acme/tenant.yaml',
      `${repository.read('tenants/acme/tenant.yaml')}\nurl: ${FAR}\n`,
    );
    const runs = [
      await repository.run(['--tenant', 'acme', 'events']),
      await hookbell(['--url', FAR, 'events']),
    ];
    for (const { code, stderr } of runs) {
      expect(code).toBe(1);
      expect(stderr).toContain(`the token is sent to ${FAR} unencrypted: use https`);
    }
  });

  it('stays on this machine without a warning', async () => {
    const repository = newRepository();
    await repository.add('acme', 'canary');
    const settings = repository.read('tenants/acme/tenant.yaml');
    repository.write('tenants/acme/tenant.yaml', `${settings}\nurl: http://localhost:9\n`);
    expect((await repository.run(['--tenant', 'acme', 'events'])).stderr).not.toContain('unencrypted');
  });
});
