import { expect, it } from 'vitest';
import { brokenAtQuiet, History, HOUR, NOON, QUIET, RULES, judged, type Told } from './history.ts';

/** A story, what the API says is open in the end, and the rules that are broken. */
type Row = readonly [story: string, open: readonly string[], ...broken: string[]];

const expectAtQuiet = (rows: readonly Row[], rules = RULES): void =>
  expect(rows.map(([story, open]) => [story, open, ...brokenAtQuiet(story, open, rules)])).toEqual(rows);

const expectBroken = (rows: readonly Told[], rules = RULES): void =>
  expect(judged(rows, rules)).toEqual(rows);

const TOO_EARLY = 'a repeat is not sent too early';
const NOT_SO = 'only receivers of the opening get the resolution';

it('a phone knows what is in the end', () =>
  expectAtQuiet([
    ['0 fires k1; 0.1 +k1; 0.2 ends k1; 0.3 -k1', []],
    ['0 fires k1; 0.1 +k1; 0.2 ends k1', [], 'every receiver of an opening gets its resolution'],
    // It was resolved before anybody was notified.
    ['0 fires k1; 0.05 ends k1', []],
    ['0 fires k1', ['k1'], 'who is on a list is notified of what is open'],
    [
      '0 fires k1; 0.01 +k1; 0.02 ends k1; 0.03 fires k1; 0.04 -k1',
      ['k1'],
      'a resolution that is not so is not the last word',
    ],
    ['0 fires k1; 0.01 +k1 refused', ['k1'], 'what a dead message said stays due'],
    ['0 fires k1; 0.01 ~k1; 0.02 ends k1', [], 'what flapped is said to be stable'],
    ['0 fires k1; 0.001 +k1', [], 'the API says which incidents are open'],
  ]));

it('a phone is not notified of what resolved while it waited, or never happened', () =>
  expectBroken([
    [
      '0 fires k1; 0.01 +k1; 0.02 ends k1; 0.03 fires k1; 1h -k1',
      'no resolution is sent once it fires again',
    ],
    ['0 fires k1; 0.02 ends k1; 1h +k1', 'no opening is sent once it is resolved'],
    ['0 +k7', 'no message says what never was'],
    ['0 fires k1; 0.001 +k1; 0.002 -k1', 'no message says what never was'],
  ]));

it('a phone gets no resolution of what it was not notified of, unless that may have arrived, or an object was lost with the call', () =>
  expectBroken([
    ['0 fires k1; 0.01 +k1 lost; 0.02 ends k1; 0.03 -k1', NOT_SO],
    ['0 fires k1; 0.01 +k1 lost uncertain; 0.02 ends k1; 0.03 -k1'],
    ['0 fires k1; 0.01 +k1 refused; 0.02 ends k1; 0.03 -k1', 'a dead message has notified nobody'],
    ['0 fires k1; 2 ends k1; 1 gone; 3 -k1'],
    ['-1 gone; 0 fires k1; 2 ends k1; 3 -k1', NOT_SO],
  ]));

it('a repeat comes after its time, and is recognized by what the phone shows already', () =>
  expectBroken([
    ['0 fires k1; 0.01 +k1; 1h =k1'],
    ['0 fires k1; 0.01 +k1; 1h =k1; 61m =k1', TOO_EARLY],
    ['0 fires k1; 0.01 +k1; 120 +k1', TOO_EARLY],
    // An object was lost that may have said in between that it was resolved.
    ['0 fires k1; 0.01 +k1; 60 ends k1; 61 gone; 120 fires k1; 120.01 +k1'],
    ['0 fires k1; 0.01 +k1; 60 ends k1; 40 gone; 120 fires k1; 120.01 +k1', TOO_EARLY],
    // What may not have arrived comes at once, whatever was said of another incident since.
    ['0 fires k1; 0 fires k2; 0.01 +k1 uncertain; 120 =k2; 600 +k1 =k2'],
    ['0 fires k1; 0 fires k2; 0.01 +k1; 120 =k2; 600 +k1 =k2', TOO_EARLY],
    ['0 fires k1; 0.01 +k1; 2 =k1', 'delayed notifications come as one message'],
  ]));

const KEPT = 'quiet hours are kept';

it('quiet hours are kept, by the time of the place, and hold resolutions, too', () =>
  expectBroken(
    [
      ['0 fires k1; 0.01 +k1'],
      ['9.9h fires k1; 9.901h +k1'],
      ['10h fires k1; 10.01h +k1'],
      ['19h fires k1; 19.1h +k1'],
      ['11h fires k1; 11.001h +k1', KEPT],
      ['18h fires k1; 18.001h +k1', KEPT],
      ['0 fires k1; 0.01 +k1; 12h ends k1; 12.001h -k1', 'a resolution waits for the morning'],
    ],
    QUIET,
  ));

// In winter Berlin is an hour nearer to UTC: 20:30 there is quiet in summer alone.
it.each([
  [6, [KEPT]],
  [11, []],
])('quiet hours are kept when the clocks have changed (month %i)', (month, rules) => {
  const when = Date.UTC(2026, month, 1, 20, 30);
  expect([...new History(QUIET).is('firing', when - 10).shows('+k1', when).rules]).toEqual(rules);
});

it('a list that changes notifies who joins of what is open, and who left of resolutions only', () =>
  expectAtQuiet([
    ['0 fires k1; 0.01 +k1; 1h joined ben', ['k1'], 'who joins a list is notified of what is open'],
    [
      '0 fires k1; 0.01 +k1; 0.02 left me; 2h =k1',
      ['k1'],
      'a receiver who left a list gets only resolutions',
    ],
    ['0 fires k1; 0.01 +k1; 0.02 left me; 3h ends k1', [], 'who left a list is notified of resolutions'],
    // That it is stable is for those who are on the list.
    ['0 fires k1; 0.01 ~k1; 0.02 left me', ['k1']],
    ['0 fires k1; 0.01 ~k1; 0.02 left me; 0.03 ends k1', [], 'what flapped is said to be stable'],
  ]));

const TURNS = { ...RULES, takesTurns: true };
/** This phone had a turn before, and has one again from noon on. */
const AGAIN = '-1h fires k1; -50 +k1; -40 left me; 0 joined me';
const RULE = 'a handover notifies of what is open';

it('a handover notifies the next one of what is open, also who knew it, but not who was notified in the turn that is theirs by the new order', () =>
  expectAtQuiet(
    [
      [AGAIN, ['k1'], RULE],
      [`${AGAIN}; 0.01 +k1`, ['k1']],
      [`${AGAIN}; -4h turn me`, ['k1']],
      [`${AGAIN}; -45 turn me`, ['k1'], RULE],
      [`${AGAIN}; 0.01 ends k1; 0.02 -k1`, []],
      [`${AGAIN}; -0.01 silences k1 ever`, ['k1']],
    ],
    TURNS,
  ));

it('a handover of a list that changed is one, if by its new order the turn of whoever stays on call began after the last message', () =>
  expect(
    ['-1h', '-4h'].map((turn) => {
      const history = new History({ ...TURNS, repeatMs: null }).tell(
        `-3h fires k1; -2.9h +k1; ${turn} turn me; 0 =k1`,
      );
      const once = [...history.rules];
      return [once, [...history.shows('=k1', NOON + 10 * HOUR).rules]];
    }),
  ).toEqual([
    [[], [TOO_EARLY]],
    [[TOO_EARLY], [TOO_EARLY]],
  ]));

it('a handover of another list is none: who is back gets nothing twice', () =>
  expectBroken([['-1h fires k1; -70 +k1; -40 left me; 0 joined me; 0.01 +k1', TOO_EARLY]]));
