import { expect, vi } from 'vitest';
import { DEFAULT_ACCOUNT } from '../../src/config/compiled/account-policy.ts';
import type { AccountPolicy } from '../../src/config/compiled/config.ts';
import { AccountConfig } from '../../src/outbox/account-config.ts';
import { announce } from '../../src/outbox/many-outboxes.ts';
import { Calls } from '../../src/outbox/state/calls.ts';
import { expectActivation, newestActivation } from '../../src/outbox/state/meta.ts';
import { bindings } from '../bindings.ts';
import { open, setOf } from '../config/support.ts';
import { configKv, it } from './it.ts';

const publishedAs = (activation: number, over: Parameters<typeof setOf>[0] = {}) => ({
  activation,
  version: activation,
  set: setOf(over),
});

/** An object's configuration: KV still has activation 1, the registry has this one; null: it does not answer. */
function behind(sql: SqlStorage, newest: number, registryHas: number | null = null, make = AccountConfig) {
  const asked = { times: 0, registryHas, onAnswer: (): void => undefined };
  const published = async (): Promise<string> => {
    asked.times += 1;
    if (asked.registryHas === null) throw new Error('the registry is out');
    await Promise.resolve();
    asked.onAnswer();
    return JSON.stringify(publishedAs(asked.registryHas));
  };
  const env = bindings({ CONFIG: configKv(publishedAs(1)), REGISTRY: { getByName: () => ({ published }) } });
  if (newest > 1) expectActivation(sql, newest);
  const config = new make({ env, calls: new Calls(1_000), account: () => 'default', sql, clock: Date.now });
  return { config, asked };
}

it('a policy that a caller brings is used unless it names a maker not known yet', async ({ sql }) => {
  // The modules of an isolate that has just started: it has read no facts.
  vi.resetModules();
  const fresh = await import('../../src/outbox/account-config.ts');
  const offered = (gateway: Partial<AccountPolicy['gateway']>): boolean => {
    const { config } = behind(sql, 1, null, fresh.AccountConfig);
    const policy = { ...DEFAULT_ACCOUNT, gateway: { ...DEFAULT_ACCOUNT.gateway, ...gateway } };
    config.offer(JSON.stringify(policy), 1, Date.now());
    return config.policyNow(Date.now()) !== null;
  };
  expect([offered({}), offered({ maker: 'ntfy' })]).toEqual([true, false]);
  const { shapeOf } = await import('../../src/config/compiled/gateway-spec.ts');
  const { makers, V2 } = await import('../../src/gateway/shape.ts');
  expect(shapeOf(V2)).toBeNull();
  expect(() => shapeOf({ ...V2, maker: 'ntfy' })).toThrow('the makers have not been read');
  makers.known = {};
  expect(offered({ maker: 'ntfy' })).toBe(true);
});

it('a policy that was brought is replaced by a newer one, or by none, but not by an older one', ({ sql }) => {
  const { config } = behind(sql, 1);
  const after = (timeoutMs: number | null, activation: number) => {
    const policy = timeoutMs === null ? undefined : JSON.stringify({ ...DEFAULT_ACCOUNT, timeoutMs });
    config.offer(policy, activation, Date.now());
    return config.policyNow(Date.now())?.timeoutMs ?? null;
  };
  expect([after(2, 2), after(1, 1), after(null, 1), after(3, 3), after(null, 3)]).toEqual([2, 2, 2, 3, null]);
});

it('a configuration older than a webhook’s is not used: the registry is asked', async ({ sql }) => {
  const { config, asked } = behind(sql, 1, 2);
  expect([(await config.read()).activation, asked.times]).toEqual([1, 0]);
  expectActivation(sql, 2);
  expect(config.inForce(Date.now())).toBeNull();
  expect([(await config.read()).activation, asked.times]).toEqual([2, 1]);
  expect(config.inForce(Date.now())?.activation).toBe(2);
  asked.registryHas = 3;
  expectActivation(sql, 3);
  expect([(await config.read()).activation, asked.times]).toEqual([3, 2]);
});

it('an older configuration serves while the registry, asked now and then, is out', async ({ sql }) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { config, asked } = behind(sql, 2);
  const older = await config.read();
  expect([older.activation, older.activation < newestActivation(sql), asked.times]).toEqual([1, true, 1]);
  expect(config.inForce(Date.now())).toBe(older);
  expect(config.inForce(Date.now() + 15_000)).toBeNull();
  vi.restoreAllMocks();
});

it('an answer of the registry is read again if a newer one is known meanwhile', async ({ sql }) => {
  const { config, asked } = behind(sql, 5, 5);
  const reading = config.read();
  asked.onAnswer = () => expectActivation(sql, 6);
  expect([(await reading).activation, newestActivation(sql)]).toEqual([5, 6]);
  // At once.
  expect(config.inForce(Date.now())).toBeNull();
});

it('an older configuration is in force if the registry says so: it was restored', async ({ sql }) => {
  const { config } = behind(sql, 7, 3);
  const restored = await config.read();
  expect([restored.activation, restored.activation < newestActivation(sql)]).toEqual([3, false]);
  // An isolate that has not heard of it brings the old one.
  expectActivation(sql, 7);
  expect(config.inForce(Date.now())).toBeNull();
  expect([(await config.read()).activation, newestActivation(sql)]).toEqual([3, 3]);
});

it('the language of a source is its document’s; of any other, English', async ({ sql }) => {
  const localesIn = async (shop: object) => {
    const { config } = behind(sql, 1);
    await config.use(JSON.stringify(publishedAs(1, { sources: { shop } })));
    return ['shop', 'gone', null].map((source) => config.localeOf(source));
  };
  expect(behind(sql, 1).config.localeOf('shop')).toBe('en');
  expect(await localesIn(open({ locale: 'de-AT' }))).toEqual(['de-AT', 'en', 'en']);
  const later = { verify: { scheme: 'of-a-later-deploy' }, locale: 'de-AT' };
  expect(await localesIn(later)).toEqual(['en', 'en', 'en']);
});

it('every outbox hears of a publish, also that of an account that was removed', async () => {
  const heard: string[] = [];
  const getByName = (name: string) => ({
    useConfig: async () => void (await Promise.resolve(heard.push(name))),
  });
  await announce(
    bindings({ CONFIG: configKv(publishedAs(1)), OUTBOX: { getByName } }),
    JSON.stringify({ ...publishedAs(1), removed: { sales: {} } }),
  );
  expect(heard.toSorted()).toEqual(['default', 'sales']);
});
