import { expect, it } from 'vitest';
import { History, judged, RULES, type Told } from './history.ts';

/** Anna and Ben know that k1 is open. */
const OPEN = '-1h fires k1; -ever joined ben; -59.9m +k1; -59.9m +k1 to ben';
const PRESSED = '0 presses';
/** Anna has it, and Ben has heard that. */
const HAD = `${PRESSED}; 2 hears`;
/** Anna had it, and took that back. */
const BACK = `${PRESSED}; 20 undoes`;
/** Anna pressed, and nobody saw an answer. */
const UNANSWERED = '0 presses lost';

const told = (story: string): History => {
  const history = new History();
  history.tell(OPEN);
  return story === '' ? history : history.tell(story);
};
const expectBroken = (rows: readonly Told[]): void => expect(judged(rows, RULES, `${OPEN}; `)).toEqual(rows);
const atQuiet = (story: string, has: Readonly<Record<string, string>> = {}, open = ['k1']) =>
  told(story).broken(open, has);

const HAS = { k1: 'Anna' };
const SAYS = ['the API says who has an incident'];

it('an incident that somebody has is not repeated to anybody, but at the moment of the press, with another one, or once it is open anew', () => {
  expectBroken([
    [`${HAD}; 1h =k1; 2h =k1 to ben`, 'what somebody has is not repeated'],
    ['1h =k1'],
    [`${HAD}; 3 =k1`],
    [`${HAD}; 0 fires k2; 1h +k2 =k1`],
    [`${HAD}; 1m ends k1; 61 -k1; 2m fires k1; 121 +k1; 2h =k1`],
    [`${BACK}; 1h =k1`],
  ]);
});

it('an incident is somebody’s, as the API says, or may be, if a press had no answer, and nobody’s once it was given back', () => {
  expect(atQuiet(HAD, HAS)).toEqual([]);
  expect([atQuiet(HAD), atQuiet(HAD, { k1: 'Ben' }), atQuiet('', HAS)]).toEqual([SAYS, SAYS, SAYS]);
  expect([atQuiet(UNANSWERED, HAS), atQuiet(UNANSWERED)]).toEqual([[], []]);
  expect([atQuiet(BACK, HAS), atQuiet(BACK)]).toEqual([SAYS, []]);
});

it('an incident is repeated in time, also once it was given back, but not while somebody has it', () => {
  expectBroken([
    [`${BACK}; 3h looked`],
    [`${BACK}; 4h looked`, 'what nobody has any more is repeated'],
    ['4h looked', 'open incidents are repeated'],
    [`${HAD}; 4h looked`],
  ]);
});

it('the others hear who has it, once, unless it may not have arrived, and whoever heard hears that it is no more so', () => {
  expect(atQuiet(PRESSED, HAS)).toEqual(['the others hear who has it']);
  const unheard = ['who heard that somebody has it hears that it is no more so'];
  expect(atQuiet(`${HAD}; 20 undoes`)).toEqual(unheard);
  // They need not hear of what was over before.
  expect(atQuiet(`${PRESSED}; 0.1 ends k1; 0.2 -k1; 0.2 -k1 to ben`, {}, [])).toEqual([]);
  expectBroken([
    [`${HAD}; 1m hears`, 'the others hear once who has it'],
    [`${PRESSED}; 2 hears uncertain; 1m hears`],
  ]);
});

it('the others learn what is so', () => {
  expectBroken([
    ['0 hears', 'who is said to have an incident has pressed'],
    [`${HAD}; 3 hears me`, 'whoever pressed gets no notification of it'],
    [`${HAD}; 1m hears back`, 'who is said to have it no more took that back'],
    [`${PRESSED}; 1m ends k1; 1h hears`, 'nobody hears who has what is over'],
    [`${BACK}; 1h hears`, 'nobody hears who had it'],
  ]);
});
