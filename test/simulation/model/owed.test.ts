import { describe, expect, it } from 'vitest';
import { History, HOUR, MINUTE, NOON, PHONE, QUIET, RULES } from './history.ts';

const THROTTLED = { ...RULES, throttle: { max: 2, perMs: 10 * MINUTE } };
const LATE = 'what is open is notified in time';

/** Fires at noon, while the account sends others' messages. */
const starved = (history: History, until: number): readonly string[] => {
  history.is('firing', NOON);
  for (let at = NOON; at <= until; at += MINUTE) history.model.flows(at);
  return [...history.rules];
};

/** Two others took the places of the throttle. */
const afterOthers = (): History => {
  const history = new History(THROTTLED);
  for (const key of ['k8', 'k9']) history.is('firing', NOON, key).shows(`+${key}`, NOON + 10);
  return history;
};

describe('an opening', () => {
  it('is notified in time while others are', () => {
    expect(starved(new History(), NOON + 2 * HOUR)).toEqual([]);
    expect(starved(new History(), NOON + 2 * HOUR + MINUTE)).toEqual([LATE]);
  });

  it('may be late when all had to wait', () => {
    const history = new History();
    history.model.heldUp(NOON + MINUTE);
    expect(starved(history, NOON + 3 * HOUR)).toEqual([]);
    expect(starved(history, NOON + 3 * HOUR + 2 * MINUTE)).toEqual([LATE]);
  });

  it('that was over the throttle is made up for', () => {
    const rule = 'what was throttled is made up for';
    expect(starved(afterOthers(), NOON + 2 * HOUR + 10 * MINUTE)).toEqual([]);
    const history = afterOthers();
    for (const at of [1, 2]) history.shows('=k8', NOON + at * HOUR).shows('=k9', NOON + at * HOUR);
    expect(starved(history, NOON + 2 * HOUR + 11 * MINUTE)).toEqual([rule]);
  });

  it('is due when what held it back is over', () => {
    const silenced = new History();
    silenced.model.holds.silenced('k1', NOON + HOUR, NOON + 2 * HOUR);
    expect(starved(silenced, NOON + 4 * HOUR)).toEqual([]);
    expect(starved(silenced, NOON + 4 * HOUR + 5 * MINUTE)).toEqual([LATE]);
    // Berlin is quiet from 22:00 to 07:00.
    expect(starved(new History(QUIET), NOON + 20 * HOUR)).toEqual([LATE]);
    const night = new History(QUIET);
    night.is('firing', NOON + 11 * HOUR);
    night.model.flows(NOON + 20 * HOUR);
    expect([...night.rules]).toEqual([]);
    night.model.flows(NOON + 22 * HOUR);
    expect([...night.rules]).toEqual([LATE]);
  });

  it('is not due for who left', () => {
    const history = new History();
    history.model.members.left(PHONE, NOON + HOUR);
    expect(starved(history, NOON + 3 * HOUR)).toEqual([]);
  });
});
