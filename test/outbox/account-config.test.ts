import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccountPolicy } from '../../src/config/config.ts';
import { CURRENT_KEY } from '../../src/config/load.ts';
import { InForce } from '../../src/outbox/incidents/in-force.ts';
import { Calls } from '../../src/outbox/state/calls.ts';
import { open, setOf } from '../config/support.ts';
import { bindings, kvWith } from '../bindings.ts';
import { inStorage } from './in-storage.ts';

const NOW = Date.now();

const CALLS = new Calls(1_000);

/** The modules of an isolate that has just started: it has read no facts. */
beforeEach(() => {
  vi.resetModules();
});

/**
 * The policy that a new isolate's object uses when a caller brings this one. Null if it has to read the policy first.
 */
const offered = (gateway: Partial<AccountPolicy['gateway']>): Promise<AccountPolicy | null> =>
  inStorage(({ storage: { sql } }) => offeredTo(new InForce(sql), gateway));

async function offeredTo(
  inForce: InForce,
  gateway: Partial<AccountPolicy['gateway']>,
): Promise<AccountPolicy | null> {
  const { AccountConfig } = await import('../../src/outbox/account-config.ts');
  const { DEFAULT_ACCOUNT } = await import('../../src/config/account-policy.ts');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing is read
  const config = new AccountConfig({} as Env, CALLS, () => 'default', inForce);
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

const text = (activation: number): string =>
  JSON.stringify({ activation, version: activation, set: setOf({}) });

/** An object's configuration: KV still has activation 1, the registry has this one; null: it does not answer. */
async function behind(inForce: InForce, registryHas: number | null) {
  const { AccountConfig } = await import('../../src/outbox/account-config.ts');
  const asked = { times: 0, registryHas, onAnswer: (): void => undefined };
  const published = async (): Promise<string> => {
    asked.times += 1;
    if (asked.registryHas === null) throw new Error('the registry is out');
    await Promise.resolve();
    asked.onAnswer();
    return text(asked.registryHas);
  };
  const bound = bindings({
    CONFIG: kvWith({ get: async (key: string) => (key === CURRENT_KEY ? text(1) : null) }),
    REGISTRY: { getByName: () => ({ published }) },
  });
  return { config: new AccountConfig(bound, CALLS, () => 'default', inForce), asked };
}

describe('a configuration of KV that is older than one which has routed a webhook', () => {
  it('is not used: the registry is asked for the newer one', () =>
    inStorage(async ({ storage: { sql } }) => {
      const inForce = new InForce(sql);
      const { config, asked } = await behind(inForce, 2);
      expect([(await config.read()).activation, asked.times]).toEqual([1, 0]);
      inForce.expect(2);
      expect(config.inForce(Date.now())).toBeNull();
      expect([(await config.read()).activation, asked.times]).toEqual([2, 1]);
      expect(config.inForce(Date.now())?.activation).toBe(2);
    }));

  it('is asked for again if the registry has an answer on the way from before the newer one was published', () =>
    inStorage(async ({ storage: { sql } }) => {
      const inForce = new InForce(sql);
      const { config, asked } = await behind(inForce, 2);
      inForce.expect(2);
      await config.read();
      asked.registryHas = 3;
      inForce.expect(3);
      expect([(await config.read()).activation, asked.times]).toEqual([3, 2]);
    }));

  it('is all that there is while the registry does not answer: it is asked once in a while, not without a pause', () =>
    inStorage(async ({ storage: { sql } }) => {
      const inForce = new InForce(sql);
      inForce.expect(2);
      const { config, asked } = await behind(inForce, null);
      const older = await config.read();
      expect([older.activation, inForce.isOlder(older), asked.times]).toEqual([1, true, 1]);
      expect(config.inForce(Date.now())).toBe(older);
      expect(config.inForce(Date.now() + 15_000)).toBeNull();
    }));

  it('is not in force though the registry says so, if a webhook has brought a newer one meanwhile', () =>
    inStorage(async ({ storage: { sql } }) => {
      const inForce = new InForce(sql);
      const { config, asked } = await behind(inForce, 5);
      inForce.expect(5);
      const reading = config.read();
      asked.onAnswer = () => inForce.expect(6);
      expect([(await reading).activation, inForce.newest]).toEqual([5, 6]);
      // It is read again, at once.
      expect(config.inForce(Date.now())).toBeNull();
    }));

  it('is in force again and again if the registry was restored: an isolate that has not heard of it brings the old one', () =>
    inStorage(async ({ storage: { sql } }) => {
      const inForce = new InForce(sql);
      const { config } = await behind(inForce, 3);
      for (let webhook = 0; webhook < 2; webhook += 1) {
        inForce.expect(7);
        expect(config.inForce(Date.now())).toBeNull();
        expect([(await config.read()).activation, inForce.newest]).toEqual([3, 3]);
      }
    }));

  it('is in force if the registry says so: it was restored', () =>
    inStorage(async ({ storage: { sql } }) => {
      const inForce = new InForce(sql);
      inForce.expect(7);
      const { config } = await behind(inForce, 3);
      const restored = await config.read();
      expect([restored.activation, inForce.isOlder(restored)]).toEqual([3, false]);
    }));
});

const newConfig = async (inForce: InForce) => {
  const { AccountConfig } = await import('../../src/outbox/account-config.ts');
  return new AccountConfig(bindings({ CONFIG: kvWith({}) }), CALLS, () => 'default', inForce);
};
const publishedWith = (shop: object): string =>
  JSON.stringify({ activation: 1, version: 1, set: setOf({ sources: { shop } }) });

describe('the language of a source', () => {
  it('is that of its document, and English for any other', () =>
    inStorage(async ({ storage: { sql } }) => {
      const config = await newConfig(new InForce(sql));
      expect(config.localeOf('shop')).toBe('en');
      await config.use(publishedWith(open({ locale: 'de-AT' })));
      expect(config.localeOf('shop')).toBe('de-AT');
      expect(config.localeOf('gone')).toBe('en');
      expect(config.localeOf(null)).toBe('en');
    }));

  it('is English if a later deploy wrote the source', () =>
    inStorage(async ({ storage: { sql } }) => {
      const config = await newConfig(new InForce(sql));
      await config.use(publishedWith({ verify: { scheme: 'of-a-later-deploy' }, locale: 'de-AT' }));
      expect(() => config.known?.sources.get('shop')).toThrow('not valid for the deployed code');
      expect(config.localeOf('shop')).toBe('en');
    }));
});
