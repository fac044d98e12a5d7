import { describe, expect, it } from 'vitest';
import { History, HOUR, MINUTE, NOON, PHONE, RULES } from './history.ts';
import type { AlertRules } from './alerts.ts';

const DORA = '4915142345604';
const FINN = '4915142345606';
const STEPS: AlertRules = {
  ...RULES,
  repeatMs: null,
  acknowledgedForMs: HOUR,
  steps: [
    { afterMs: 10 * MINUTE, phones: [DORA] },
    { afterMs: 30 * MINUTE, phones: [FINN] },
  ],
};
const TO_DORA = { phone: DORA, isOfStep: true };

/** It fires at noon, and whoever is on call is notified. */
const fired = (rules: AlertRules = STEPS): History =>
  new History(rules).is('firing', NOON).shows('+k1', NOON + 10);

/** All called at their times. */
const called = (): History =>
  fired()
    .shows('+k1', NOON + 10 * MINUTE, TO_DORA)
    .shows('+k1', NOON + 30 * MINUTE, { phone: FINN, isOfStep: true });

/** The same, and then somebody had it for an hour. Whoever is on call is notified again. */
const calledAndRunOut = (): History => {
  const history = called();
  history.pressed({}, NOON + 40 * MINUTE);
  return history.shows('+k1', NOON + 100 * MINUTE + 10);
};

const rulesOf = (history: History): readonly string[] => [...history.rules];

/** Nobody is notified of anything until then. */
const silentUntil = (history: History, until: number): readonly string[] => {
  for (let at = NOON + HOUR; at <= until; at += MINUTE) history.model.flows(at);
  return rulesOf(history);
};

describe('a step', () => {
  it('is taken at its time, and those whom it calls hear of the end', () => {
    const history = called().is('resolved', NOON + HOUR);
    for (const phone of [PHONE, DORA, FINN]) history.shows('-k1', NOON + HOUR + 10, { phone });
    expect(history.broken()).toEqual([]);
  });

  it('is taken no sooner', () => {
    expect(rulesOf(fired().shows('+k1', NOON + 5 * MINUTE, TO_DORA))).toEqual([
      'a step is taken no sooner than its time',
    ]);
    const again = called().is('resolved', NOON + HOUR);
    again.shows('-k1', NOON + HOUR + 10, { phone: DORA });
    again.is('firing', NOON + 2 * HOUR).shows('+k1', NOON + 2 * HOUR + 5 * MINUTE, TO_DORA);
    expect(rulesOf(again)).toEqual(['a step is taken no sooner than its time']);
  });

  it('may have had to wait, and say that its incident comes and goes, which is over at the moment', () => {
    const between = fired().is('resolved', NOON + 20 * MINUTE);
    between.shows('~k1', NOON + HOUR, TO_DORA);
    expect(rulesOf(between)).toEqual([]);
    const open = fired()
      .is('resolved', NOON + 20 * MINUTE)
      .is('firing', NOON + 58 * MINUTE);
    expect(rulesOf(open.shows('~k1', NOON + HOUR, TO_DORA))).toContain(
      'a step is taken no sooner than its time',
    );
  });

  it('is taken in time', () => {
    expect(silentUntil(fired(), NOON + 2 * HOUR + 10 * MINUTE)).toEqual([]);
    expect(silentUntil(fired(), NOON + 2 * HOUR + 11 * MINUTE)).toEqual(['a step is taken in time']);
    expect(fired().broken(['k1'])).toEqual(['a step is taken in time']);
  });

  it('is taken once', () => {
    expect(rulesOf(called().shows('=k1', NOON + 20 * MINUTE, TO_DORA))).toContain('a step is taken once');
    const unsure = fired().shows('+k1', NOON + 10 * MINUTE, { ...TO_DORA, isUncertain: true });
    expect(rulesOf(unsure.shows('+k1', NOON + 20 * MINUTE, TO_DORA))).toEqual([]);
  });

  it('says what happened so far', () => {
    expect(rulesOf(fired().shows('+k1', NOON + 10 * MINUTE, { phone: DORA }))).toEqual([
      'a step says what happened so far',
    ]);
  });

  it('that is silenced is due later', () => {
    const history = fired();
    history.model.holds.silenced('k1', NOON + MINUTE, NOON + HOUR);
    expect(silentUntil(history, NOON + 3 * HOUR)).toEqual([]);
  });

  it('calls nobody else, at any hour', () => {
    const night = { ...STEPS, quiet: { from: 22, to: 7, timezone: 'Europe/Berlin' } };
    const at = NOON + 12 * HOUR;
    const history = new History(night).is('firing', at);
    expect(rulesOf(history.shows('+k1', at + 10 * MINUTE, TO_DORA))).toEqual([]);
    expect(rulesOf(fired().shows('+k1', NOON + HOUR, { phone: '4915142345609' }))).toEqual([
      'a receiver who left a list gets only resolutions',
    ]);
  });

  it('that has called somebody owes them the end', () => {
    expect(
      called()
        .is('resolved', NOON + HOUR)
        .shows('-k1', NOON + HOUR + 10)
        .broken(),
    ).toEqual(['receivers of a step are notified of the resolution']);
  });
});

describe('an acknowledgement', () => {
  it('keeps its incident out of other messages to those who were not called for it', () => {
    const history = called().is('firing', NOON, 'k2');
    history.pressed({ keys: ['k2'] }, NOON + 5 * MINUTE);
    history.is('resolved', NOON + 40 * MINUTE).shows('=k2 -k1', NOON + 41 * MINUTE, { phone: DORA });
    expect(rulesOf(history)).toContain('nobody is called while somebody has it');
  });

  it('ends the escalation', () => {
    const history = fired();
    history.pressed({}, NOON + 5 * MINUTE);
    expect(rulesOf(history.shows('+k1', NOON + 10 * MINUTE, TO_DORA))).toEqual([
      'a step is taken no sooner than its time',
      'nobody is called while somebody has it',
    ]);
  });

  it('that runs out does not: then steps go on, and none of its time counts', () => {
    const late = (after: number): readonly string[] => {
      const history = fired();
      history.pressed({}, NOON + 5 * MINUTE);
      return rulesOf(history.shows('+k1', NOON + 65 * MINUTE + after, TO_DORA));
    };
    expect(late(5 * MINUTE)).toEqual([]);
    expect(late(-3 * MINUTE)).toEqual(['a step is taken no sooner than its time']);
    const forgotten = fired();
    forgotten.pressed({}, NOON + 5 * MINUTE);
    expect(silentUntil(forgotten, NOON + 3 * HOUR + 10 * MINUTE)).toEqual([]);
    expect(silentUntil(forgotten, NOON + 3 * HOUR + 30 * MINUTE)).toEqual([
      'steps go on once an acknowledgement ends',
    ]);
  });

  it('that runs out has to be repeated, too', () => {
    const history = new History({ ...STEPS, repeatMs: HOUR, steps: [] })
      .is('firing', NOON)
      .shows('+k1', NOON + 10);
    history.pressed({}, NOON + 5 * MINUTE);
    expect(silentUntil(history, NOON + 4 * HOUR)).toEqual([]);
    expect(silentUntil(history, NOON + 4 * HOUR + 30 * MINUTE)).toEqual(['open incidents are repeated']);
  });

  it('that runs out has those called again whom a step called before it', () => {
    const dora = calledAndRunOut().shows('+k1', NOON + 110 * MINUTE, TO_DORA);
    expect(rulesOf(dora.shows('+k1', NOON + 130 * MINUTE, { phone: FINN, isOfStep: true }))).toEqual([]);
    expect(silentUntil(dora, NOON + 5 * HOUR)).toEqual([]);
    expect(silentUntil(calledAndRunOut(), NOON + 5 * HOUR)).toEqual([
      'steps go on once an acknowledgement ends',
    ]);
    expect(rulesOf(dora.shows('+k1', NOON + 140 * MINUTE, TO_DORA))).toEqual([
      'a repeat is not sent too early',
    ]);
  });

  it('that ran out may be made anew by the same link', () => {
    const history = fired();
    history.pressed({}, NOON + 5 * MINUTE);
    history.pressed({}, NOON + 2 * HOUR);
    expect(history.model.presses.all).toHaveLength(2);
    expect(rulesOf(history)).toEqual([]);
  });
});
