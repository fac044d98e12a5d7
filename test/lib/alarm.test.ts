import { describe, expect, it } from 'vitest';
import { Alarm } from '../../src/lib/alarm.ts';
import { inStorage } from '../outbox/in-storage.ts';

const MINUTE = 60_000;

/** An alarm on a storage that writes down what it is asked. */
function stage(pending: number | null = null) {
  const written: number[] = [];
  const clock = { now: 0 };
  const storage = {
    at: pending,
    getAlarm: () => Promise.resolve(storage.at),
    setAlarm: (at: number | Date) => {
      storage.at = Number(at);
      written.push(storage.at);
      return Promise.resolve();
    },
  };
  return { alarm: new Alarm(storage, () => clock.now), storage, written, clock };
}

/** An alarm is set once the synchronous work around it has ended. */
const isSet = (): Promise<void> => Promise.resolve();

describe('an object’s alarm', () => {
  it('is brought forward, and never put off by that', async () => {
    const { alarm, written } = stage();
    for (const at of [50, 70, 50, 30, null]) alarm.bringForward(at);
    await isSet();
    expect(written).toEqual([50, 30]);
    expect(alarm.at).toBe(30);
  });

  it('is set to a later moment only where that is asked for, and not written twice', async () => {
    const { alarm, written } = stage();
    for (const at of [50, 70, 70]) alarm.set(at);
    await isSet();
    expect(written).toEqual([50, 70]);
  });

  it('is not pending while it runs, so that whatever is next sets it anew', async () => {
    const { alarm, written } = stage();
    alarm.set(50);
    alarm.begin();
    expect([alarm.at, alarm.isRunning]).toEqual([null, true]);
    alarm.bringForward(90);
    alarm.end();
    expect([alarm.at, alarm.isRunning]).toEqual([90, false]);
    await isSet();
    expect(written).toEqual([50, 90]);
  });

  it('that the platform reports and does not call is set again, unless it runs or may still come', async () => {
    const { alarm, clock, written } = stage(40);
    await alarm.read();
    for (const now of [30, 140, 141]) {
      clock.now = now;
      alarm.renew(100);
    }
    await isSet();
    expect([alarm.at, written]).toEqual([141, [141]]);
    alarm.begin();
    clock.now = 1_000;
    alarm.renew(100);
    expect(alarm.at).toBeNull();
  });

  it('is what the platform says, which may have given it up, but not while it runs or was just set', async () => {
    const { alarm, storage, written } = stage(40);
    const read = async () => {
      await alarm.read();
      return alarm.at;
    };
    expect(await read()).toBe(40);
    alarm.bringForward(30);
    expect([await read(), written]).toEqual([30, [30]]);
    storage.at = null;
    expect(await read()).toBeNull();
    storage.at = 40;
    alarm.begin();
    expect(await read()).toBeNull();
  });

  it('stays set when the transaction that asked for it is undone', () =>
    inStorage(async ({ storage }) => {
      const at = Date.now() + 60 * MINUTE;
      const alarm = new Alarm(storage, Date.now);
      const undone = (): void =>
        storage.transactionSync(() => {
          alarm.bringForward(at);
          throw new Error('the disk is full');
        });
      expect(undone).toThrow('full');
      await isSet();
      expect([alarm.at, await storage.getAlarm()]).toEqual([at, at]);
    }));
});

describe('an alarm that comes before its time, since the platform’s clock is ahead', () => {
  it('has what it sets set later by as much, and a little more', async () => {
    const { alarm, written, clock } = stage();
    clock.now = 10_000;
    alarm.begin(13_000);
    alarm.bringForward(13_000);
    await isSet();
    expect(written).toEqual([16_050]);
    expect(alarm.at).toBe(13_000);
  });

  it('has the same for a minute, for what is set after its end', async () => {
    const { alarm, written, clock } = stage();
    alarm.begin(3_000);
    alarm.end();
    clock.now = MINUTE - 1;
    alarm.set(MINUTE + 500);
    clock.now = MINUTE;
    alarm.set(MINUTE + 600);
    await isSet();
    expect(written).toEqual([MINUTE + 3_550, MINUTE + 600]);
  });

  it('is measured anew by each alarm: one that comes in time ends it', async () => {
    const { alarm, written, clock } = stage();
    alarm.begin(3_000);
    alarm.bringForward(3_000);
    // The machine's clock is right again.
    clock.now = 6_050;
    alarm.begin(6_050);
    alarm.bringForward(7_000);
    await isSet();
    expect(written).toEqual([6_050, 7_000]);
  });

  it('compares what is set by this machine’s clock', async () => {
    const { alarm, storage, written } = stage();
    alarm.begin(3_000);
    alarm.bringForward(5_000);
    alarm.end();
    await isSet();
    [storage.at = null] = written;
    await alarm.read();
    for (const at of [5_000, 6_000]) alarm.bringForward(at);
    expect([alarm.at, written]).toEqual([5_000, [8_050]]);
    alarm.bringForward(4_000);
    await isSet();
    expect(written).toEqual([8_050, 7_050]);
  });

  it.each([
    ['late', -5_000],
    ['in time', 0],
    ['for a time that no wrong clock explains', 11 * MINUTE],
    ['without saying for when it was set', undefined],
  ])('is not one that comes %s', async (_, scheduledAt) => {
    const { alarm, written } = stage();
    alarm.begin(scheduledAt);
    alarm.bringForward(2_000);
    await isSet();
    expect(written).toEqual([2_000]);
  });

  it.each([1, 300, 4_000, 120_000])(
    '%i ms ahead, rings twice for one time, and not all the time',
    async (aheadMs) => {
      const { alarm, written, clock } = stage();
      const due = 1_000_000;
      let rings = 0;
      alarm.bringForward(due);
      await isSet();
      for (let set = written.at(-1); alarm.at !== null; set = written.at(-1)) {
        // The platform's clock says that the time has come.
        clock.now = Math.max(clock.now, (set ?? 0) - aheadMs);
        alarm.begin(set);
        rings += 1;
        if (clock.now < due) alarm.bringForward(due);
        alarm.end();
        await isSet();
      }
      expect(rings).toBe(2);
      expect(clock.now - due).toBe(50);
    },
  );
});
