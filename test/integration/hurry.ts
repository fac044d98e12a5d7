import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterAll, beforeAll, vi } from 'vitest';
import { eventually as whenever } from '../eventually.ts';
import { outbox } from './posted.ts';
import { messageNow, type MessageJson } from './relay.ts';

/** The farthest alarm (ms) that a wait goes to: steps of seconds, and not the housekeeping of hours. */
const NEAR = 10_000;

const real = Date.now.bind(Date);
let passed = 0;

/** The clock of this file: the machine's, and what {@link eventually} and {@link pass} let pass. To be called at its top. */
export function hurry(): void {
  beforeAll(() => {
    passed = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => real() + passed);
  });
  afterAll(() => vi.restoreAllMocks());
}

/** Goes to the next alarm of an account's outbox and rings it, if it is at most `within` ms away. */
async function ring(within: number, account?: string): Promise<boolean> {
  const at = await runInDurableObject(outbox(account), (_, { storage }) => storage.getAlarm());
  if (at === null || at - Date.now() > within) return false;
  passed += Math.max(0, at - Date.now());
  await runDurableObjectAlarm(outbox(account));
  return true;
}

/**
 * Returns the result of `look` once it no longer throws. Each failed look goes to the next alarm, which may bring the
 * result.
 */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> =>
  whenever(async () => {
    try {
      return await look();
    } catch (thrown) {
      await ring(NEAR);
      throw thrown;
    }
  });

/** The message once `until` holds. */
export const message = (id: string, until: (message: MessageJson) => boolean): Promise<MessageJson> =>
  eventually(async () => {
    const found = await messageNow(id);
    if (!until(found)) throw new Error(`message ${id} did not get there: ${JSON.stringify(found)}`);
    return found;
  });

/** Lets `ms` pass, with all alarms in that time. */
export async function pass(ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (await ring(until - Date.now()));
  passed += Math.max(0, until - Date.now());
  // One that was being set meanwhile.
  await ring(0);
}

/** Lets `ms` pass at once, and rings the outbox's alarm if it is due by then. */
export async function skip(ms: number): Promise<void> {
  passed += ms;
  await ring(0);
}
