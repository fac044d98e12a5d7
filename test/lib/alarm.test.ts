import { describe, expect, it } from 'vitest';
import { Alarm } from '../../src/lib/alarm.ts';

/** An alarm on a storage that writes down what it is asked. */
function stage(pending: number | null = null) {
  const written: number[] = [];
  const storage = {
    at: pending,
    getAlarm: () => Promise.resolve(storage.at),
    setAlarm: (at: number | Date) => {
      written.push(Number(at));
      return Promise.resolve();
    },
  };
  return { alarm: new Alarm(storage), storage, written };
}

describe('an object’s alarm', () => {
  it('is brought forward, and never put off by that', () => {
    const { alarm, written } = stage();
    for (const at of [50, 70, 50, 30, null]) alarm.bringForward(at);
    expect(written).toEqual([50, 30]);
    expect(alarm.at).toBe(30);
  });

  it('is set to a later moment only where that is asked for, and not written twice', () => {
    const { alarm, written } = stage();
    for (const at of [50, 70, 70]) alarm.set(at);
    expect(written).toEqual([50, 70]);
  });

  it('is not pending while it runs, so that whatever is next sets it anew', () => {
    const { alarm, written } = stage();
    alarm.set(50);
    alarm.begin();
    expect([alarm.at, alarm.isRunning]).toEqual([null, true]);
    alarm.bringForward(90);
    alarm.end();
    expect([alarm.at, alarm.isRunning]).toEqual([90, false]);
    expect(written).toEqual([50, 90]);
  });

  it('is what the platform says, which may have given it up', async () => {
    const { alarm, storage } = stage(40);
    await alarm.read();
    expect(alarm.at).toBe(40);
    storage.at = null;
    await alarm.read();
    expect(alarm.at).toBeNull();
  });

  it('that runs is not taken for a pending one when the platform is asked', async () => {
    const { alarm } = stage(40);
    alarm.begin();
    await alarm.read();
    expect(alarm.at).toBeNull();
  });
});
