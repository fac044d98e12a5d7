import { describe, expect, it } from 'vitest';
import { History, HOUR, linkOf, MINUTE, NOON, OTHER, PHONE } from './history.ts';

/** Anna and Ben know that k1 is open. */
function open(): History {
  const history = new History().is('firing', NOON - HOUR);
  history.model.members.joined(OTHER, -Infinity);
  return history.shows('+k1', NOON - HOUR + 10).shows('+k1', NOON - HOUR + 10, { phone: OTHER });
}

/** Anna has it, and Ben has heard that. */
function had(): History {
  const history = open();
  history.pressed({}, NOON);
  return history.hears(NOON + 2_000);
}

const HAS = { k1: 'Anna' };

/** Anna pressed, and nobody saw an answer. */
function unanswered(): History {
  const history = open();
  const { presses } = history.model;
  presses.gaveUp(presses.begins(linkOf(), NOON), NOON + MINUTE);
  return history;
}

/** Anna had it, and took that back. */
function givenBack(): History {
  const history = open();
  return history.tookBack(history.pressed({}, NOON), NOON + 20_000);
}

describe('an incident that somebody has', () => {
  it('is not repeated to anybody', () => {
    const repeated = had()
      .shows('=k1', NOON + HOUR)
      .shows('=k1', NOON + 2 * HOUR, { phone: OTHER });
    expect([...repeated.rules]).toEqual(['what somebody has is not repeated']);
    expect([...open().shows('=k1', NOON + HOUR).rules]).toEqual([]);
  });

  it('may be repeated at the moment of the press, and with another one', () => {
    expect([...had().shows('=k1', NOON + 3_000).rules]).toEqual([]);
    expect([
      ...had()
        .is('firing', NOON, 'k2')
        .shows('+k2 =k1', NOON + HOUR).rules,
    ]).toEqual([]);
  });

  it('is repeated again once it has opened anew, or was given back', () => {
    const anew = had()
      .is('resolved', NOON + MINUTE)
      .shows('-k1', NOON + MINUTE + 10);
    anew.is('firing', NOON + 2 * MINUTE).shows('+k1', NOON + 2 * MINUTE + 10);
    expect([...anew.shows('=k1', NOON + 2 * HOUR).rules]).toEqual([]);
    const back = open();
    back.tookBack(back.pressed({}, NOON), NOON + 20_000);
    expect([...back.shows('=k1', NOON + HOUR).rules]).toEqual([]);
  });

  it('is somebody’s, as the API says', () => {
    expect(had().broken(['k1'], HAS)).toEqual([]);
    expect(had().broken(['k1'])).toEqual(['the API says who has an incident']);
    expect(had().broken(['k1'], { k1: 'Ben' })).toEqual(['the API says who has an incident']);
    expect(open().broken(['k1'], HAS)).toEqual(['the API says who has an incident']);
  });

  it('may be somebody’s whose press had no answer', () => {
    expect(unanswered().broken(['k1'], HAS)).toEqual([]);
    expect(unanswered().broken(['k1'])).toEqual([]);
  });
});

describe('an incident that nobody has any more', () => {
  it('is repeated in time', () => {
    const history = givenBack();
    history.model.flows(NOON + 3 * HOUR);
    expect([...history.rules]).toEqual([]);
    history.model.flows(NOON + 4 * HOUR);
    expect([...history.rules]).toEqual(['what nobody has any more is repeated']);
    const never = open();
    never.model.flows(NOON + 4 * HOUR);
    expect([...never.rules]).toEqual(['open incidents are repeated']);
  });

  it('that somebody has need not be', () => {
    const history = had();
    history.model.flows(NOON + 4 * HOUR);
    expect([...history.rules]).toEqual([]);
  });

  it('is nobody’s, as the API says', () => {
    expect(givenBack().broken(['k1'], HAS)).toEqual(['the API says who has an incident']);
    expect(givenBack().broken(['k1'])).toEqual([]);
  });
});

describe('the others', () => {
  it('hear who has it, and whoever heard hears that it is no more so', () => {
    const deaf = open();
    deaf.pressed({}, NOON);
    expect(deaf.broken(['k1'], HAS)).toEqual(['the others hear who has it']);
    const history = open();
    const press = history.pressed({}, NOON);
    history.hears(NOON + 2_000).tookBack(press, NOON + 20_000);
    expect(history.broken(['k1'])).toEqual(['who heard that somebody has it hears that it is no more so']);
  });

  it('need not hear of what was over before', () => {
    const history = open();
    history.pressed({}, NOON);
    history
      .is('resolved', NOON + 100)
      .shows('-k1', NOON + 200)
      .shows('-k1', NOON + 200, { phone: OTHER });
    expect(history.broken()).toEqual([]);
  });

  it('hear it once, unless it may not have arrived', () => {
    expect([...had().hears(NOON + MINUTE).rules]).toEqual(['the others hear once who has it']);
    const unsure = open();
    unsure.pressed({}, NOON);
    unsure.hears(NOON + 2_000, { isUncertain: true }).hears(NOON + MINUTE);
    expect([...unsure.rules]).toEqual([]);
  });

  it('learn what is so', () => {
    expect([...open().hears(NOON).rules]).toEqual(['who is said to have an incident has pressed']);
    expect([...had().hears(NOON + 3_000, { phone: PHONE }).rules]).toEqual([
      'whoever pressed gets no notification of it',
    ]);
    expect([...had().hears(NOON + MINUTE, { isBack: true }).rules]).toEqual([
      'who is said to have it no more took that back',
    ]);
    const over = open();
    over.pressed({}, NOON);
    over.is('resolved', NOON + MINUTE).hears(NOON + HOUR);
    expect([...over.rules]).toEqual(['nobody hears who has what is over']);
    const back = open();
    back.tookBack(back.pressed({}, NOON), NOON + 20_000).hears(NOON + HOUR);
    expect([...back.rules]).toEqual(['nobody hears who had it']);
  });
});
