import { describe, expect, it } from 'vitest';
import { History, HOUR, NOON, PHONE, QUIET, RULES } from './history.ts';
import type { ShownAlert } from './statement.ts';

const LOST = { isShown: false } as const;

/** An opening that was called so, and its resolution. */
const resolvedAfter = (how: Partial<ShownAlert>): readonly string[] => [
  ...new History()
    .is('firing', NOON)
    .shows('+k1', NOON + 10, { ...LOST, ...how })
    .is('resolved', NOON + 20)
    .shows('-k1', NOON + 30).rules,
];

describe('a phone', () => {
  it('that is notified of an opening and of its resolution knows what is', () => {
    const history = new History().is('firing', NOON).shows('+k1', NOON + 100);
    expect(
      history
        .is('resolved', NOON + 200)
        .shows('-k1', NOON + 300)
        .broken(),
    ).toEqual([]);
  });

  it('that was notified of an opening is notified of its resolution', () => {
    const history = new History()
      .is('firing', NOON)
      .shows('+k1', NOON + 100)
      .is('resolved', NOON + 200);
    expect(history.broken()).toEqual(['every receiver of an opening gets its resolution']);
  });

  it('need not know of what was resolved before it was notified', () => {
    expect(
      new History()
        .is('firing', NOON)
        .is('resolved', NOON + 50)
        .broken(),
    ).toEqual([]);
  });

  it('must know of what is open', () => {
    expect(new History().is('firing', NOON).broken(['k1'])).toEqual([
      'who is on a list is notified of what is open',
    ]);
  });

  it('has no last word that is false: a resolution after which it fired again', () => {
    const history = new History()
      .is('firing', NOON)
      .shows('+k1', NOON + 10)
      .is('resolved', NOON + 20);
    history.is('firing', NOON + 30).shows('-k1', NOON + 40);
    expect(history.broken(['k1'])).toEqual(['a resolution that is not so is not the last word']);
  });

  it('is not notified of what resolved while it waited', () => {
    const fired = new History()
      .is('firing', NOON)
      .shows('+k1', NOON + 10)
      .is('resolved', NOON + 20);
    expect([...fired.is('firing', NOON + 30).shows('-k1', NOON + HOUR).rules]).toEqual([
      'no resolution is sent once it fires again',
    ]);
    const ended = new History().is('firing', NOON).is('resolved', NOON + 20);
    expect([...ended.shows('+k1', NOON + HOUR).rules]).toEqual(['no opening is sent once it is resolved']);
  });

  it('is not notified of what never happened', () => {
    expect([...new History().shows('+k7', NOON).rules]).toEqual(['no message says what never was']);
    expect([
      ...new History()
        .is('firing', NOON)
        .shows('+k1', NOON + 1)
        .shows('-k1', NOON + 2).rules,
    ]).toEqual(['no message says what never was']);
  });

  it('gets no resolution of what it was not notified of, unless that may have arrived', () => {
    expect(resolvedAfter({})).toEqual(['only receivers of the opening get the resolution']);
    expect(resolvedAfter({ isUncertain: true })).toEqual([]);
    expect(resolvedAfter({ isRefused: true })).toEqual(['a dead message has notified nobody']);
  });

  it('may get a resolution when a call for its opening may have been lost with its object', () => {
    const history = new History().is('firing', NOON).is('resolved', NOON + 2_000);
    history.model.lost(NOON + 1_000);
    expect([...history.shows('-k1', NOON + 3_000).rules]).toEqual([]);
    const before = new History();
    before.model.lost(NOON - 1_000);
    before.is('firing', NOON).is('resolved', NOON + 2_000);
    expect([...before.shows('-k1', NOON + 3_000).rules]).toEqual([
      'only receivers of the opening get the resolution',
    ]);
  });

  it('is still owed what a dead message said', () => {
    const history = new History().is('firing', NOON).shows('+k1', NOON + 10, { ...LOST, isRefused: true });
    expect(history.broken(['k1'])).toEqual(['what a dead message said stays due']);
  });

  it('that flapped is notified of what it is now', () => {
    const history = new History()
      .is('firing', NOON)
      .shows('~k1', NOON + 10)
      .is('resolved', NOON + 20);
    expect(history.broken()).toEqual(['what flapped is said to be stable']);
  });
});

/** It was resolved and fired again; an object was lost so long after its first opening. */
const firedAgain = (lostAt: number): readonly string[] => {
  const history = new History().is('firing', NOON).shows('+k1', NOON + 10);
  history.is('resolved', NOON + 60_000);
  history.model.lost(NOON + lostAt);
  return [...history.is('firing', NOON + 120_000).shows('+k1', NOON + 120_010).rules];
};

/** It flaps, and its receiver leaves the list. */
const left = (): History => {
  const history = new History().is('firing', NOON).shows('~k1', NOON + 10);
  history.model.members.left(PHONE, NOON + 20);
  return history;
};

/** k1 is said again after k2 was; whether the first message may not have arrived. */
const saidOfAnother = (isUncertain: boolean): readonly string[] => {
  const history = new History().is('firing', NOON).is('firing', NOON, 'k2');
  history.shows('+k1', NOON + 10, { isUncertain }).shows('=k2', NOON + 120_000);
  return [...history.shows('+k1 =k2', NOON + 600_000).rules];
};

describe('a repeat', () => {
  it('comes after its time', () => {
    const history = new History().is('firing', NOON).shows('+k1', NOON + 10);
    expect([...history.shows('=k1', NOON + HOUR).rules]).toEqual([]);
    expect([...history.shows('=k1', NOON + HOUR + 60_000).rules]).toEqual(['a repeat is not sent too early']);
  });

  it('is recognized by what the phone shows already', () => {
    const history = new History().is('firing', NOON).shows('+k1', NOON + 10);
    expect([...history.shows('+k1', NOON + 120_000).rules]).toEqual(['a repeat is not sent too early']);
  });

  it('is none when an object was lost that may have said in between that it was resolved', () => {
    expect(firedAgain(61_000)).toEqual([]);
    expect(firedAgain(40_000)).toEqual(['a repeat is not sent too early']);
  });

  it('of what may not have arrived comes at once, whatever was said of another incident since', () => {
    expect(saidOfAnother(true)).toEqual([]);
    expect(saidOfAnother(false)).toEqual(['a repeat is not sent too early']);
  });

  it('that had to wait comes once, whatever came meanwhile', () => {
    const history = new History().is('firing', NOON).shows('+k1', NOON + 10);
    expect([...history.shows('=k1', NOON + 2_000).rules]).toEqual([
      'delayed notifications come as one message',
    ]);
  });
});

/** Returns the rules that an opening at this hour in Berlin breaks. */
const at = (hour: number): readonly string[] => {
  const when = NOON + (hour - 12) * HOUR;
  return [...new History(QUIET).is('firing', when - 10).shows('+k1', when).rules];
};

// In winter Berlin is an hour nearer to UTC: 21:30 here is quiet in summer alone.
const at2030 = (month: number): readonly string[] => {
  const when = Date.UTC(2026, month, 1, 20, 30);
  return [...new History(QUIET).is('firing', when - 10).shows('+k1', when).rules];
};

describe('quiet hours', () => {
  it('are kept, by the time of the place', () => {
    expect([at(12), at(21.9), at(22.01), at(31.1)]).toEqual([[], [], [], []]);
    expect(at(23)).toEqual(['quiet hours are kept']);
    expect(at(30)).toEqual(['quiet hours are kept']);
  });

  it('are kept when the clocks have changed', () => {
    expect(at2030(6)).toEqual(['quiet hours are kept']);
    expect(at2030(11)).toEqual([]);
  });

  it('hold resolutions, too', () => {
    const night = NOON + 12 * HOUR;
    const history = new History(QUIET)
      .is('firing', NOON)
      .shows('+k1', NOON + 10)
      .is('resolved', night);
    expect([...history.shows('-k1', night + 10).rules]).toEqual(['a resolution waits for the morning']);
  });
});

describe('a list that changes', () => {
  it('notifies who joins of what is open', () => {
    const history = new History().is('firing', NOON).shows('+k1', NOON + 10);
    history.model.members.joined('4915122345602', NOON + HOUR);
    expect(history.broken(['k1'])).toEqual(['who joins a list is notified of what is open']);
  });

  it('notifies who left of resolutions, and of nothing that is firing', () => {
    const history = new History().is('firing', NOON).shows('+k1', NOON + 10);
    history.model.members.left(PHONE, NOON + 20);
    expect([...history.shows('=k1', NOON + 2 * HOUR).rules]).toEqual([
      'a receiver who left a list gets only resolutions',
    ]);
    history.rules.clear();
    expect(history.is('resolved', NOON + 3 * HOUR).broken()).toEqual([
      'who left a list is notified of resolutions',
    ]);
  });

  it('that it is stable is for those who are on the list: who left hears of its end only', () => {
    expect(left().broken(['k1'])).toEqual([]);
    expect(
      left()
        .is('resolved', NOON + 30)
        .broken(),
    ).toEqual(['what flapped is said to be stable']);
  });
});

/** Those of the list take turns; this phone had one before, and has one again from noon on. */
const onTurns = (): History => {
  const history = new History({ ...RULES, takesTurns: true })
    .is('firing', NOON - HOUR)
    .shows('+k1', NOON - 50_000);
  history.model.members.left(PHONE, NOON - 40_000);
  history.model.members.joined(PHONE, NOON);
  return history;
};

/**
 * Returns the rules that two repeats break after the list changed. By its new order this phone, which stays, has had
 * the turn since `turnFrom`.
 */
const stays = (turnFrom: number): readonly string[] => {
  const history = new History({ ...RULES, repeatMs: null, takesTurns: true })
    .is('firing', NOON - 3 * HOUR)
    .shows('+k1', NOON - 3 * HOUR + 10);
  history.model.members.hasTurn(PHONE, turnFrom);
  history.shows('=k1', NOON);
  const once = [...history.rules];
  return [...once, ...history.shows('=k1', NOON + 10 * HOUR).rules];
};

describe('a handover', () => {
  it('notifies the next one of what is open, also who knew it', () => {
    expect(onTurns().broken(['k1'])).toEqual(['a handover notifies of what is open']);
    expect(
      onTurns()
        .shows('+k1', NOON + 10)
        .broken(['k1']),
    ).toEqual([]);
  });

  it('notifies nobody anew who was notified in the turn that is theirs by the new order', () => {
    const again = onTurns();
    again.model.members.hasTurn(PHONE, NOON - 4 * HOUR);
    expect(again.broken(['k1'])).toEqual([]);
    const later = onTurns();
    later.model.members.hasTurn(PHONE, NOON - 45_000);
    expect(later.broken(['k1'])).toEqual(['a handover notifies of what is open']);
  });

  it('notifies of nothing that is over, or held back', () => {
    expect(
      onTurns()
        .is('resolved', NOON + 10)
        .shows('-k1', NOON + 20)
        .broken(),
    ).toEqual([]);
    const silenced = onTurns();
    silenced.model.holds.silenced('k1', NOON - 10, Infinity);
    expect(silenced.broken(['k1'])).toEqual([]);
  });

  it('of a list that changed is one, if by its new order the turn of whoever stays on call began after the last message', () => {
    const EARLY = 'a repeat is not sent too early';
    // Once: then the turn began before the last message.
    expect(stays(NOON - HOUR)).toEqual([EARLY]);
    expect(stays(NOON - 4 * HOUR)).toEqual([EARLY, EARLY]);
  });

  it('of another list is none: who is back gets nothing twice', () => {
    const history = new History().is('firing', NOON - HOUR).shows('+k1', NOON - 70_000);
    history.model.members.left(PHONE, NOON - 40_000);
    history.model.members.joined(PHONE, NOON);
    expect([...history.shows('+k1', NOON + 10).rules]).toEqual(['a repeat is not sent too early']);
  });
});

describe('the API', () => {
  it('says which incidents are open', () => {
    expect(
      new History()
        .is('firing', NOON)
        .shows('+k1', NOON + 1)
        .broken([]),
    ).toEqual(['the API says which incidents are open']);
  });
});
