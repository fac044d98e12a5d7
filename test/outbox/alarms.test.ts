import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { acceptanceTo } from './bare-outbox.ts';

/** An account with credentials, at the default pace: 30 a minute, 5 at once. */
const outbox = env.OUTBOX.getByName('sales');

const EVENTS = 60;

/** Accepts events one after the other and counts how often the alarm was set meanwhile. */
const alarmsSet = (phone: string): Promise<number> =>
  runInDurableObject(outbox, async (object, { storage }) => {
    const set = storage.setAlarm.bind(storage);
    let count = 0;
    storage.setAlarm = (...args) => {
      count += 1;
      return set(...args);
    };
    for (let event = 0; event < EVENTS; event += 1) await object.accept(acceptanceTo([`${phone}${event}`]));
    storage.setAlarm = set;
    return count;
  });

describe('the alarm', () => {
  it('is not set for events that cannot be sent yet: the pace holds them back', async () => {
    expect(await alarmsSet('49151124')).toBeLessThan(EVENTS / 4);
  });

  it('is not set at all while the account is paused', async () => {
    await outbox.pause('token', 'a holiday', true);
    await alarmsSet('49151125');
    expect(await alarmsSet('49151126')).toBe(0);
  });
});
