import { expect, it } from 'vitest';
import type { AlertRules } from './alerts.ts';
import {
  brokenAtQuiet,
  brokenBy,
  History,
  HOUR,
  MINUTE,
  phoneOf,
  RULES,
  judged,
  type Told,
} from './history.ts';

const STEPS: AlertRules = {
  ...RULES,
  repeatMs: null,
  acknowledgedForMs: HOUR,
  steps: [
    { afterMs: 10 * MINUTE, phones: [phoneOf('dora')] },
    { afterMs: 30 * MINUTE, phones: [phoneOf('finn')] },
  ],
};

/** It fires at noon, and whoever is on call is notified. */
const FIRED = '0 fires k1; 0.01 +k1';
/** All are called at their times. */
const CALLED = `${FIRED}; 10m +k1 step to dora; 30m +k1 step to finn`;
/** The same, and then somebody had it for an hour. Whoever is on call is notified again. */
const RUN_OUT = `${CALLED}; 40m presses; 100.1m +k1`;

const SOON = 'a step is taken no sooner than its time';
const HAS = 'nobody is called while somebody has it';
const GO_ON = 'steps go on once an acknowledgement ends';

const expectBroken = (rows: readonly Told[]): void => expect(judged(rows, STEPS)).toEqual(rows);

/** Nobody is notified of anything from one hour until so many. */
const silentUntil = (minutes: number): string =>
  Array.from({ length: minutes - 59 }, (_, minute) => `${60 + minute}m looked`).join('; ');

/** The rules that these stories break when nobody is notified of anything until then. */
const late = (story: string, minutes: number, rules = STEPS): readonly string[] =>
  brokenBy(`${story}; ${silentUntil(minutes)}`, rules);

it('a step is taken at its time and no sooner, and those whom it calls hear of the end', () => {
  const over = '60.1m -k1; 60.1m -k1 to dora';
  expect(brokenAtQuiet(`${CALLED}; 1h ends k1; ${over}; 60.1m -k1 to finn`, [], STEPS)).toEqual([]);
  const unheard = brokenAtQuiet(`${CALLED}; 1h ends k1; 60.1m -k1`, [], STEPS);
  expect(unheard).toEqual(['receivers of a step are notified of the resolution']);
  expectBroken([
    [`${FIRED}; 5m +k1 step to dora`, SOON],
    [`${CALLED}; 1h ends k1; 60.1m -k1 to dora; 2h fires k1; 125m +k1 step to dora`, SOON],
    // It had to wait, and says that its incident comes and goes, which is over at the moment.
    [`${FIRED}; 20m ends k1; 1h ~k1 step to dora`],
  ]);
  const again = `${FIRED}; 20m ends k1; 58m fires k1; 1h ~k1 step to dora`;
  expect(brokenBy(again, STEPS)).toContain(SOON);
});

it('a step is taken in time, but for what is silenced', () => {
  expect(late(FIRED, 130)).toEqual([]);
  expect(late(FIRED, 131)).toEqual(['a step is taken in time']);
  expect(brokenAtQuiet(FIRED, ['k1'], STEPS)).toEqual(['a step is taken in time']);
  expect(late(`${FIRED}; 1m silences k1 1h`, 180)).toEqual([]);
});

it('a step is taken once, says what happened so far, and calls nobody else', () => {
  expect(brokenBy(`${CALLED}; 20m =k1 step to dora`, STEPS)).toContain('a step is taken once');
  expectBroken([
    [`${FIRED}; 10m +k1 uncertain step to dora; 20m +k1 step to dora`],
    [`${FIRED}; 10m +k1 to dora`, 'a step says what happened so far'],
    [`${FIRED}; 1h +k1 to 4915142345609`, 'a receiver who left a list gets only resolutions'],
  ]);
});

it('a step calls at any hour, and of a group names all that nobody has', () => {
  const night = { ...STEPS, quiet: { from: 22, to: 7, timezone: 'Europe/Berlin' } };
  expect(brokenBy('12h fires k1; 730m +k1 step to dora', night)).toEqual([]);
  const grouped = { ...STEPS, isGrouped: true };
  const both = `${FIRED}; 0.02 fires k2; 0.03 +k2`;
  expect(brokenBy(`${both}; 10m +k1 +k2 step to dora`, grouped)).toEqual([]);
  expect(brokenBy(`${both}; 3m presses k2; 10m +k1 step to dora`, grouped)).toEqual([]);
  const one = brokenBy(`${both}; 10m +k1 step to dora`, grouped);
  expect(one).toEqual(['a step names all of its group that nobody has']);
  // It had to wait, and what opened since has steps of its own. Whatever somebody has meanwhile is no reason for one.
  const later = `${both}; 11m presses k1; 15m fires k3; 20m +k2 =k1 step to dora`;
  expect(brokenBy(later, grouped)).toEqual([]);
  // It had to wait since the time of k1, which dora knows only from its opening before, until that of k2.
  const before = `${FIRED}; 10m +k1 step to dora; 20m ends k1; 21m fires k1`;
  const since = '30m fires k2; 35m fires k3; 40.1m +k2 =k1 step to dora';
  expect(brokenBy(`${before}; ${since}`, grouped)).toEqual([]);
  const told = brokenBy(`${before}; 22m =k1 to dora; ${since}`, grouped);
  expect(told).toContain('a step names all of its group that nobody has');
  // What its time had come for has ended meanwhile.
  const along = `${FIRED}; 5m fires k2; 5.1m +k2; 10.4m ends k1; 11.6m +k2 step to dora`;
  expect(brokenBy(along, grouped)).toEqual([]);
  expect(brokenBy(along.replace('10.4m', '6m'), grouped)).toContain(SOON);
});

it('an acknowledgement ends the escalation, and keeps its incident out of other messages to those who were not called for it', () => {
  expectBroken([[`${FIRED}; 5m presses; 10m +k1 step to dora`, SOON, HAS]]);
  const other = `${CALLED}; 0 fires k2; 5m presses k2; 40m ends k1; 41m =k2 -k1 to dora`;
  expect(brokenBy(other, STEPS)).toContain(HAS);
});

it('an acknowledgement that runs out does not: then steps go on, and none of its time counts', () => {
  expectBroken([
    [`${FIRED}; 5m presses; 70m +k1 step to dora`],
    [`${FIRED}; 5m presses; 62m +k1 step to dora`, SOON],
  ]);
  expect(late(`${FIRED}; 5m presses`, 190)).toEqual([]);
  expect(late(`${FIRED}; 5m presses`, 210)).toEqual([GO_ON]);
});

it('an acknowledgement that runs out has to be repeated, too', () => {
  const rules = { ...STEPS, repeatMs: HOUR, steps: [] };
  expect(late(`${FIRED}; 5m presses`, 240, rules)).toEqual([]);
  expect(late(`${FIRED}; 5m presses`, 270, rules)).toEqual(['open incidents are repeated']);
});

it('an acknowledgement that runs out has those called again whom a step called before it, once', () => {
  const again = `${RUN_OUT}; 110m +k1 step to dora; 130m +k1 step to finn`;
  expectBroken([[again], [`${again}; 140m +k1 step to dora`, 'a repeat is not sent too early']]);
  expect(late(again, 300)).toEqual([]);
  expect(late(RUN_OUT, 300)).toEqual([GO_ON]);
});

it('an acknowledgement that ran out may be made anew by the same link', () => {
  const history = new History(STEPS).tell(`${FIRED}; 5m presses; 2h presses`);
  expect(history.model.presses.all).toHaveLength(2);
  expect([...history.rules]).toEqual([]);
});

const pressed = (keys: string) =>
  new History(STEPS).tell(`${FIRED}; 5m presses ${keys}; 6m silences k1 20m; 30m presses ${keys}`);

it('a press of many incidents may be made anew once one is not held back any more that its message only counts', () => {
  expect(pressed('k2,k3,k4,k5,k6').model.presses.all).toHaveLength(2);
  expect(pressed('k2,k3,k4,k5').model.presses.all).toHaveLength(1);
});
