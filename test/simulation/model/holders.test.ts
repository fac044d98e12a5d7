import { describe, expect, it } from 'vitest';
import { History, linkOf, MINUTE, NOON, phoneOf } from './history.ts';

/** Anna and Ben know that k1 is open; then this happens. */
const open = (story = ''): History => {
  const history = new History().tell('-1h fires k1');
  history.model.members.joined(phoneOf('ben'), -Infinity);
  history.tell('-59.9m +k1; -59.9m +k1 to ben');
  return story === '' ? history : history.tell(story);
};
/** Anna has it; then this happens. */
const pressed = (story = ''): History => {
  const history = open('0 presses');
  return story === '' ? history : history.tell(story);
};
/** Ben has heard that, too. */
const had = (story = ''): History => {
  const history = pressed().hears(NOON + 2_000);
  return story === '' ? history : history.tell(story);
};
/** Anna had it, and took that back. */
function givenBack(hears = false): History {
  const history = open();
  const press = history.pressed({}, NOON);
  if (hears) history.hears(NOON + 2_000);
  return history.tookBack(press, NOON + 20_000);
}

/** Anna pressed, and nobody saw an answer. */
function unanswered(): History {
  const history = open();
  const { presses } = history.model;
  presses.gaveUp(presses.begins(linkOf(), NOON), NOON + MINUTE);
  return history;
}

const HAS = { k1: 'Anna' };
const SAYS = ['the API says who has an incident'];
const rulesOf = ({ rules }: History): readonly string[] => [...rules];

describe('an incident that somebody has', () => {
  it('is not repeated to anybody, but at the moment of the press, with another one, or once it is open anew', () => {
    expect(rulesOf(had('1h =k1; 2h =k1 to ben'))).toEqual(['what somebody has is not repeated']);
    expect(rulesOf(open('1h =k1'))).toEqual([]);
    expect(rulesOf(had('3 =k1'))).toEqual([]);
    expect(rulesOf(had('0 fires k2; 1h +k2 =k1'))).toEqual([]);
    expect(rulesOf(had('1m ends k1; 61 -k1; 2m fires k1; 121 +k1; 2h =k1'))).toEqual([]);
    expect(rulesOf(givenBack().tell('1h =k1'))).toEqual([]);
  });

  it('is somebody’s, as the API says, or may be, if a press had no answer', () => {
    expect(had().broken(['k1'], HAS)).toEqual([]);
    expect(had().broken(['k1'])).toEqual(SAYS);
    expect(had().broken(['k1'], { k1: 'Ben' })).toEqual(SAYS);
    expect(open().broken(['k1'], HAS)).toEqual(SAYS);
    expect([unanswered().broken(['k1'], HAS), unanswered().broken(['k1'])]).toEqual([[], []]);
  });

  it('is nobody’s any more, and is repeated in time, once it was given back', () => {
    expect([givenBack().broken(['k1'], HAS), givenBack().broken(['k1'])]).toEqual([SAYS, []]);
    expect(rulesOf(givenBack().tell('3h looked'))).toEqual([]);
    expect(rulesOf(givenBack().tell('4h looked'))).toEqual(['what nobody has any more is repeated']);
    expect(rulesOf(open('4h looked'))).toEqual(['open incidents are repeated']);
    expect(rulesOf(had('4h looked'))).toEqual([]);
  });
});

describe('the others', () => {
  it('hear who has it, and whoever heard hears that it is no more so', () => {
    expect(pressed().broken(['k1'], HAS)).toEqual(['the others hear who has it']);
    const unheard = ['who heard that somebody has it hears that it is no more so'];
    expect(givenBack(true).broken(['k1'])).toEqual(unheard);
    // They need not hear of what was over before.
    expect(pressed('0.1 ends k1; 0.2 -k1; 0.2 -k1 to ben').broken()).toEqual([]);
  });

  it('hear it once, unless it may not have arrived', () => {
    expect(rulesOf(had().hears(NOON + MINUTE))).toEqual(['the others hear once who has it']);
    const unsure = pressed().hears(NOON + 2_000, { isUncertain: true });
    expect(rulesOf(unsure.hears(NOON + MINUTE))).toEqual([]);
  });

  it('learn what is so', () => {
    expect(rulesOf(open().hears(NOON))).toEqual(['who is said to have an incident has pressed']);
    const herself = had().hears(NOON + 3_000, { phone: phoneOf('me') });
    expect(rulesOf(herself)).toEqual(['whoever pressed gets no notification of it']);
    const isBack = had().hears(NOON + MINUTE, { isBack: true });
    expect(rulesOf(isBack)).toEqual(['who is said to have it no more took that back']);
    const over = pressed('1m ends k1').hears(NOON + 60 * MINUTE);
    expect(rulesOf(over)).toEqual(['nobody hears who has what is over']);
    expect(rulesOf(givenBack().hears(NOON + 60 * MINUTE))).toEqual(['nobody hears who had it']);
  });
});
