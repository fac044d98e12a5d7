import { describe, expect, it } from 'vitest';
import { History, HOUR, linkOf, MINUTE, NOON, OTHER } from './history.ts';
import type { Page } from './link.ts';

const BEN = { token: 'bens', phone: OTHER, by: 'Ben' } as const;
const OWN: Page = { kind: 'own' };
const OPEN: Page = { kind: 'open' };
const RESOLVED: Page = { kind: 'resolved' };
const by = (who: string): Page => ({ kind: 'other', who });
const taken = (who: string): Page => ({ kind: 'taken', who });

/** k1 is open, and Anna and Ben have a link. */
const open = (): History => new History().is('firing', NOON - HOUR);

/**
 * Returns the rules that are broken when Anna reads this page after her press was done; `between`: what happens
 * before.
 */
const looked = (page: Page, between: (history: History) => void = () => undefined): readonly string[] => {
  const history = open();
  const press = history.pressed({}, NOON);
  between(history);
  history.model.presses.looks(press, page, NOON + HOUR);
  return [...history.rules];
};

/** Returns the rules that are broken when Ben reads this page after Anna has pressed. */
const second = (page: Page, link: Parameters<History['pressed']>[0] = {}): readonly string[] => {
  const history = open();
  history.pressed(link, NOON);
  history.pressed({ ...link, ...BEN }, NOON + MINUTE, page);
  return [...history.rules];
};

const opensAgain = (history: History): History =>
  history.is('resolved', NOON + MINUTE).is('firing', NOON + 2 * MINUTE);

/** Returns the rules that are broken when a silence is asked anew, and Ben presses it `ms` after Anna did. */
const silencedAnew = (ms: number): readonly string[] => {
  const history = open();
  const press = history.pressed({ action: 'silence' }, NOON);
  history.model.presses.looks(press, OPEN, NOON + ms);
  history.pressed({ ...BEN, action: 'silence' }, NOON + ms);
  return [...history.rules];
};

describe('a press', () => {
  it('that was answered is not lost, also when its incident is resolved', () => {
    expect(looked(OWN)).toEqual([]);
    expect(looked(OPEN)).toEqual(['a press that was answered is not lost']);
    expect(looked(RESOLVED, (history) => history.is('resolved', NOON + MINUTE))).toEqual([
      'a press that was answered is not lost',
    ]);
  });

  it('is about the incidents as they were: when one opens again, its page may ask again', () => {
    expect(looked(OPEN, opensAgain)).toEqual([]);
    // It was over when somebody pressed, and the others were not.
    const later = open()
      .is('firing', NOON - HOUR, 'k2')
      .is('resolved', NOON - MINUTE, 'k2');
    const press = later.pressed({ keys: ['k1', 'k2'] }, NOON);
    later.is('firing', NOON + MINUTE, 'k2').model.presses.looks(press, OPEN, NOON + HOUR);
    expect([...later.rules]).toEqual([]);
  });

  it('of a silence is asked anew when the silence is over, and not before', () => {
    expect(silencedAnew(HOUR)).toEqual([]);
    expect(silencedAnew(20 * MINUTE)).toEqual([
      'a press that was answered is not lost',
      'a question is answered once',
    ]);
  });

  it('may be asked anew when another press of the same incident was taken back', () => {
    const history = open().is('firing', NOON - HOUR, 'k2');
    const press = history.pressed({ keys: ['k1'] }, NOON);
    history.tookBack(history.pressed({ token: 'both', keys: ['k1', 'k2'] }, NOON + 10_000), NOON + 20_000);
    history.model.presses.looks(press, OPEN, NOON + HOUR);
    expect([...history.rules]).toEqual([]);
  });

  it('that is answered is taken, unless somebody took one back meanwhile', () => {
    const asks = open();
    asks.pressed({}, NOON, OPEN);
    expect([...asks.rules]).toEqual(['a press that is answered is taken']);
    const stirred = open();
    const bens = stirred.pressed(BEN, NOON - 10_000);
    stirred.model.presses.takesBack(bens, NOON);
    stirred.pressed({}, NOON, OPEN);
    expect([...stirred.rules]).toEqual([]);
  });

  it('answers a question once, and the second hears who was first', () => {
    expect(second(OWN)).toEqual(['a question is answered once']);
    expect(second(by('Anna'))).toEqual([]);
    expect(second(taken('Anna'))).toEqual([]);
    expect(second(by('Cleo'))).toEqual(['whoever presses second sees who was first']);
    expect(second(OWN, { action: 'silence' })).toEqual(['a question is answered once']);
  });

  it('may be one of two if the first was taken back', () => {
    const history = open();
    history.tookBack(history.pressed({}, NOON), NOON + 10_000).pressed(BEN, NOON + MINUTE);
    expect([...history.rules]).toEqual([]);
  });

  it('does nothing about what is over', () => {
    const history = open().is('resolved', NOON - MINUTE);
    history.pressed({}, NOON, RESOLVED);
    expect([...history.rules]).toEqual([]);
    history.pressed(BEN, NOON + 1);
    expect([...history.rules]).toEqual(['what is over is not acted on']);
  });

  it('is not notified that what is open is over', () => {
    const history = open();
    history.pressed({}, NOON, RESOLVED);
    expect([...history.rules]).toEqual(['no page calls resolved what is open']);
  });

  it('finds a link that works', () => {
    const history = open();
    history.pressed({}, NOON, { kind: 'dead' });
    expect([...history.rules]).toEqual(['a link that was sent works']);
  });

  it('may have been done where its page asks again, and an incident has opened again since', () => {
    const history = opensAgain(open());
    const reads = (page: Page): void => {
      const press = history.model.presses.begins({ ...BEN, ...LINK }, NOON);
      history.model.presses.answered(press, page, { at: NOON + 3 * MINUTE, isLost: false });
    };
    reads(OPEN);
    expect(history.model.presses.count('ack')).toEqual({ sure: 0, most: 1 });
    const steady = open();
    steady.pressed({}, NOON, OPEN);
    expect(steady.model.presses.count('ack')).toEqual({ sure: 0, most: 0 });
  });

  it('is counted as one event, unless nobody knows', () => {
    const history = open();
    history.pressed({}, NOON);
    history.pressed({}, NOON + 10_000);
    history.model.presses.gaveUp(history.model.presses.begins({ ...BEN, ...LINK }, NOON), NOON + MINUTE);
    expect(history.model.presses.count('ack')).toEqual({ sure: 1, most: 2 });
  });
});

const LINK = { action: 'ack', keys: ['k1'], isWide: false, order: null } as const;

/** Returns the rules that are broken when a press is taken back after `afterMs`, and its page says this. */
const takenBack = (afterMs: number, page: Page): readonly string[] => {
  const history = open();
  return [...history.tookBack(history.pressed({}, NOON), NOON + 1_000 + afterMs, page).rules];
};

describe('a press that is taken back', () => {
  it('is open again within a minute, and stays after it', () => {
    expect(takenBack(30_000, OPEN)).toEqual([]);
    expect(takenBack(30_000, OWN)).toEqual(['a press can be undone for a minute']);
    expect(takenBack(70_000, OWN)).toEqual([]);
    expect(takenBack(70_000, OPEN)).toEqual(['after a minute a press stays']);
  });

  it('may be pressed again before its page is read', () => {
    const history = open();
    const { presses } = history.model;
    const press = history.pressed({}, NOON);
    presses.takesBack(press, NOON + 5_000);
    history.pressed({}, NOON + 6_000);
    presses.tookBack(press, OWN, { at: NOON + 7_000, isLost: false, clockOffMs: 0 });
    expect([...history.rules]).toEqual([]);
  });
});

describe('a press of `resolve`', () => {
  it('resolves, whoever spoke of the incident before', () => {
    const history = open();
    history.pressed({ action: 'resolve' }, NOON);
    expect(history.model.changes.statusOf('k1', NOON + HOUR)).toBe('resolved');
    expect([...history.shows('+k1', NOON + HOUR).rules]).toEqual(['no opening is sent once it is resolved']);
  });

  it('that was answered otherwise has resolved nothing', () => {
    const history = open();
    history.pressed({ action: 'resolve' }, NOON, by('Ben'));
    expect(history.model.changes.statusOf('k1', NOON + HOUR)).toBe('firing');
    expect(history.model.changes.isDoubtful('k1', NOON + HOUR)).toBe(false);
  });

  it('leaves a doubt where a sender spoke at the same moment, until it speaks again', () => {
    const history = open();
    const { changes, presses } = history.model;
    const press = presses.begins({ ...LINK, action: 'resolve', token: 'x', phone: OTHER, by: 'Ben' }, NOON);
    history.is('firing', NOON + 10);
    presses.answered(press, OWN, { at: NOON + 20, isLost: false });
    expect(changes.isDoubtful('k1', NOON + HOUR)).toBe(true);
    history.is('firing', NOON + 2 * HOUR);
    expect(changes.isDoubtful('k1', NOON + 3 * HOUR)).toBe(false);
    expect(changes.statusOf('k1', NOON + 3 * HOUR)).toBe('firing');
  });
});

/** Returns the rules that a repeat breaks `afterMs` after the press. */
const silenced = (page: Page, afterMs: number, isUndone = false): readonly string[] => {
  const history = open().shows('+k1', NOON - HOUR + 10);
  const press = history.pressed({ action: 'silence' }, NOON, page);
  if (isUndone) history.tookBack(press, NOON + 20_000);
  history.rules.clear();
  return [...history.shows('=k1', NOON + afterMs).rules];
};

/** Returns the rules that are broken when k1 ends then, while a press of silence is tried, and opens again. */
const endsMeanwhile = (endsAt: number): readonly string[] => {
  const history = open().shows('+k1', NOON - HOUR + 10);
  const { presses } = history.model;
  // It is answered only after some tries.
  const press = presses.begins(linkOf({ action: 'silence' }), NOON);
  history.is('resolved', endsAt).shows('-k1', endsAt + 20);
  presses.answered(press, OWN, { at: NOON + MINUTE, isLost: false });
  return [...history.is('firing', NOON + 10 * MINUTE).shows('+k1', NOON + 10 * MINUTE + 20).rules];
};

describe('a press of `silence`', () => {
  it('holds back as a silence does, for as long as it says', () => {
    expect(silenced(OWN, 10 * MINUTE)).toEqual(['a silence holds back repeats']);
    expect(silenced(OWN, 40 * MINUTE)).toEqual([]);
  });

  it('holds back nothing of what ended before it was taken, and opens again', () => {
    expect(endsMeanwhile(NOON + MINUTE / 2)).toEqual([]);
    expect(endsMeanwhile(NOON + 2 * MINUTE)).toEqual(['a silence holds back openings']);
  });

  it('that was pressed again may be the one of before, which ends sooner', () => {
    const history = open().shows('+k1', NOON - HOUR + 10);
    history.pressed({ action: 'silence' }, NOON);
    history.is('resolved', NOON + 10_000).is('firing', NOON + 20_000);
    history.pressed({ action: 'silence' }, NOON + 20 * MINUTE);
    expect([...history.shows('=k1', NOON + 40 * MINUTE).rules]).not.toContain('a silence holds back repeats');
  });

  it('holds back nothing once it was taken back, or if it was none', () => {
    expect(silenced(OWN, 10 * MINUTE, true)).toEqual([]);
    expect(silenced(by('Ben'), 10 * MINUTE)).toEqual([]);
  });
});
