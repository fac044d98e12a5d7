import { onTestFinished, test, vi } from 'vitest';
import { Outbox } from '../../src/outbox/outbox.ts';
import { bindings } from '../bindings.ts';
import { Bench } from './bench.ts';
import { tables } from './in-storage.ts';

/** What the runtime has, and Node has not: a turn of the event loop. */
vi.stubGlobal('scheduler', { wait: () => new Promise((resolve) => setImmediate(resolve)) });

/** A KV namespace that has this configuration, or none. */
export const configKv = (published: object | null = null) => ({
  get: () => Promise.resolve(published === null ? null : JSON.stringify(published)),
});

/** The login of that outbox's account. */
export const LOGIN = { GATEWAY_BARE_EMAIL: 'bare@example.com', GATEWAY_BARE_API_KEY: 'key' };

/**
 * An outbox over these tables in Node, as the platform starts one after an eviction. Its alarm is set, but does not
 * ring; its own timers do not come by themselves. Without a login nothing is sent.
 */
export function openOutbox(
  storage: DurableObjectStorage,
  changes: Readonly<Record<string, unknown>> = {},
): Outbox {
  if (!vi.isFakeTimers()) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
  }
  const state = {
    storage,
    id: { name: 'bare' },
    waitUntil: () => undefined,
    blockConcurrencyWhile: (work: () => Promise<void>) => work(),
  };
  const REGISTRY = {
    getByName: () => ({ wake: () => Promise.resolve(), report: () => Promise.resolve(false) }),
  };
  const env = bindings({ CONFIG: configKv(), REGISTRY, ...changes });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what no test may use is not there
  return new Outbox(state as unknown as DurableObjectState, env);
}

/** A test of an outbox in Node: its tables, a bench over them (`rig`), or the object. Each test has its own. */
export const it = test
  .extend('storage', () => tables())
  .extend('sql', ({ storage }) => storage.sql)
  .extend('rig', ({ storage }) => new Bench(storage))
  .extend('outbox', ({ storage }) => openOutbox(storage));
