import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { lookUntil, turn } from '../eventually.ts';
import { acceptanceTo } from './bare-outbox.ts';
import { countRows } from './support.ts';

/** An account with credentials, at the default pace: 30 a minute, 5 at once. */
const outbox = env.OUTBOX.getByName('sales');

const EVENTS = 60;

/** The cost of N events, accepted one after the other, without the later cost of their delivery. */
interface Cost {
  /** The number of times that the alarm was set, and the number of its runs. */
  readonly set: number;
  readonly runs: number;
  /** Rows written by the commits, alarms not among them. */
  readonly rows: number;
}

/** Ends once the alarm has run `leastRuns` times, too. */
const costOfEvents = (phone: string, leastRuns: number): Promise<Cost> =>
  runInDurableObject(outbox, async (object, { storage }) => {
    const [setAlarm, alarm, exec] = [
      storage.setAlarm.bind(storage),
      object.alarm.bind(object),
      storage.sql.exec.bind(storage.sql),
    ];
    const cost = { set: 0, runs: 0, rows: 0 };
    storage.setAlarm = (...args) => {
      cost.set += 1;
      return setAlarm(...args);
    };
    object.alarm = () => {
      cost.runs += 1;
      return alarm();
    };
    const rows = countRows(storage.sql);
    for (let event = 0; event < EVENTS; event += 1) {
      await object.accept(acceptanceTo([`${phone}${event}`]));
      // Calls to the gateway go on, and an alarm that is due runs.
      await turn();
    }
    await lookUntil(
      () => cost,
      ({ runs }) => runs >= leastRuns,
    );
    storage.setAlarm = setAlarm;
    object.alarm = alarm;
    storage.sql.exec = exec;
    return { ...cost, rows: rows.written() };
  });

describe('an event of one message that cannot go yet', () => {
  it('sets hardly any alarm at the default pace, and runs none for nothing', async () => {
    const { set, runs, rows } = await costOfEvents('49151124', 1);
    // The burst of five goes at once, then one message each two seconds.
    expect(runs).toBeGreaterThanOrEqual(1);
    expect(runs).toBeLessThan(EVENTS / 4);
    expect(set).toBeLessThan(EVENTS / 4);
    // Event and message, and what the sends of the burst write.
    expect(rows).toBeGreaterThanOrEqual(2 * EVENTS);
    expect(rows).toBeLessThan(2 * EVENTS + EVENTS / 2);
  });

  it('writes two rows, and neither sets nor runs an alarm, while the account is paused', async () => {
    await outbox.pause('token', 'a holiday');
    // The one that was set before the pause.
    await runDurableObjectAlarm(outbox);
    await costOfEvents('49151125', 0);
    expect(await costOfEvents('49151126', 0)).toEqual({ set: 0, runs: 0, rows: 2 * EVENTS });
  });
});
