import { beforeEach, expect, it, vi } from 'vitest';
import type { AccountPolicy } from '../../src/config/config.ts';

const NOW = Date.now();

/** The modules of an isolate that has just started: it has read no facts. */
beforeEach(() => {
  vi.resetModules();
});

/**
 * The policy that a new isolate's object uses when a caller brings this one. Null if it has to read the policy first.
 */
async function offered(gateway: Partial<AccountPolicy['gateway']>): Promise<AccountPolicy | null> {
  const { AccountConfig } = await import('../../src/outbox/account-config.ts');
  const { DEFAULT_ACCOUNT } = await import('../../src/config/account-policy.ts');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing is read
  const config = new AccountConfig({} as Env, { spend: () => undefined } as never, () => 'default');
  config.offer({ ...DEFAULT_ACCOUNT, gateway: { ...DEFAULT_ACCOUNT.gateway, ...gateway } }, NOW);
  return config.policyNow(NOW);
}

it('the policy of an account with the gateway v2 is used at once', async () => {
  expect(await offered({})).not.toBeNull();
});

it('the policy of an account that names a maker has to be read by an isolate that knows no makers', async () => {
  expect(await offered({ maker: 'ntfy' })).toBeNull();
  const { useMakers } = await import('../../src/gateway/makers/known.ts');
  useMakers({});
  expect(await offered({ maker: 'ntfy' })).not.toBeNull();
});

it('the shape of v2 is known without the facts', async () => {
  const { shapeOf } = await import('../../src/config/gateway-spec.ts');
  const { V2 } = await import('../../src/gateway/shape.ts');
  expect(shapeOf(V2)).toBeNull();
  expect(() => shapeOf({ ...V2, maker: 'ntfy' })).toThrow('the makers have not been read');
});
