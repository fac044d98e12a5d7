import { describe, expect, it } from 'vitest';
import { History, HOUR, MINUTE, NOON, RULES } from './history.ts';

/** Returns the rules that a message at this time breaks, while a silence is in force from noon for two hours. */
const silenced = (word: string, at: number): readonly string[] => {
  const history = new History({ ...RULES, repeatMs: 1 }).is('firing', NOON - HOUR);
  history.model.holds.silenced('k1', NOON, NOON + 2 * HOUR);
  return [...history.shows(word, at).rules];
};

describe('a silence', () => {
  it('holds back openings, repeats and flapping notices once it is in force everywhere', () => {
    expect(silenced('+k1', NOON + HOUR)).toEqual(['a silence holds back openings']);
    expect(silenced('=k1', NOON + HOUR)).toEqual(['a silence holds back repeats']);
    expect(silenced('~k1', NOON + HOUR)).toEqual(['a silence holds back flapping notices']);
    expect(silenced('+k1', NOON + 60_000)).toEqual([]);
    expect(silenced('+k1', NOON + 3 * HOUR)).toEqual([]);
  });

  it('is not in force while what it needs is out of order', () => {
    const history = new History(RULES, (from) => (from < NOON + HOUR ? NOON + HOUR : null)).is(
      'firing',
      NOON + 10,
    );
    history.model.holds.silenced('k1', NOON, NOON + 3 * HOUR);
    expect([...history.shows('+k1', NOON + HOUR - 10).rules]).toEqual([]);
    expect([...history.shows('=k1', NOON + 2 * HOUR + 10).rules]).toEqual(['a silence holds back repeats']);
  });

  it('holds back what had to wait', () => {
    const history = new History().is('firing', NOON - HOUR);
    history.model.holds.silenced('k1', NOON, NOON + 2 * HOUR);
    history.model.heldUp(NOON - HOUR);
    expect([...history.shows('+k1', NOON + HOUR).rules]).toEqual([
      'a silence holds back delayed notifications',
    ]);
  });
});

/** It is a warning from noon on, which is silenced, and critical after ten minutes. */
function worsened(): History {
  const history = new History({ ...RULES, repeatMs: null }).is('firing', NOON, 'k1', 'warning');
  history.model.holds.silenced('k1', NOON, NOON + 4 * HOUR, true);
  return history.is('firing', NOON + 10 * MINUTE, 'k1', 'critical');
}

describe('a silence of warnings', () => {
  it('holds back what is a warning', () => {
    const history = new History().is('firing', NOON, 'k1', 'warning');
    history.model.holds.silenced('k1', NOON, NOON + 4 * HOUR, true);
    expect([...history.shows('+k1', NOON + HOUR).rules]).toEqual(['a silence holds back openings']);
  });

  it('holds back nothing that is critical, which is notified in time', () => {
    expect([...worsened().shows('+k1', NOON + 10 * MINUTE).rules]).toEqual([]);
    const late = worsened();
    late.model.flows(NOON + 2 * HOUR);
    expect([...late.rules]).toEqual([]);
    late.model.flows(NOON + 3 * HOUR);
    expect([...late.rules]).toEqual(['what is open is notified in time']);
  });

  it('holds back what is a warning again', () => {
    const history = worsened().is('firing', NOON + HOUR, 'k1', 'warning');
    history.model.flows(NOON + 3 * HOUR);
    expect([...history.rules]).toEqual([]);
    expect([...history.shows('+k1', NOON + 2 * HOUR).rules]).toEqual(['a silence holds back openings']);
  });
});

const flapped = (): History => new History().is('firing', NOON).shows('~k1', NOON + 10);

describe('an incident that flapped', () => {
  it('is not said to be stable while that is held back', () => {
    expect(flapped().broken(['k1'])).toEqual(['what flapped is said to be stable']);
    const history = flapped();
    history.model.holds.silenced('k1', NOON, Infinity);
    expect(history.broken(['k1'])).toEqual([]);
  });
});

/** k1 inhibits k2 from noon on. */
const inhibited = (): History => new History({ ...RULES, inhibitor: 'k1' }).is('firing', NOON);

/** Returns the rules that a message breaks then, when k2 fires as well. */
const whileInhibited = (word: string, at: number): readonly string[] => [
  ...inhibited()
    .is('firing', NOON + MINUTE, 'k2')
    .shows(word, at).rules,
];

describe('an inhibition', () => {
  it('holds back openings, repeats and flapping notices of others while its incident is open', () => {
    expect(whileInhibited('+k2', NOON + 10 * MINUTE)).toEqual(['an inhibition holds back openings']);
    expect(whileInhibited('=k2', NOON + 10 * MINUTE)).toEqual(['an inhibition holds back repeats']);
    expect(whileInhibited('~k2', NOON + 10 * MINUTE)).toEqual(['an inhibition holds back flapping notices']);
    expect(whileInhibited('+k1', NOON + 10 * MINUTE)).toEqual([]);
    // It was decided before.
    expect(whileInhibited('+k2', NOON + 2 * MINUTE)).toEqual([]);
  });

  it('does not hold back resolutions', () => {
    const history = inhibited()
      .is('firing', NOON + MINUTE, 'k2')
      .shows('+k2', NOON + MINUTE + 10);
    history.is('resolved', NOON + 20 * MINUTE, 'k2').shows('-k2', NOON + 20 * MINUTE + 20);
    expect([...history.rules]).toEqual([]);
  });

  it('is over when its incident is, and what still fires is due then', () => {
    const history = inhibited()
      .shows('+k1', NOON + MINUTE)
      .is('firing', NOON + MINUTE, 'k2');
    expect(history.broken(['k1', 'k2'])).toEqual([]);
    history.is('resolved', NOON + HOUR).shows('-k1', NOON + HOUR + MINUTE);
    expect(history.broken(['k2'])).toEqual(['who is on a list is notified of what is open']);
    history.rules.clear();
    expect(history.shows('+k2', NOON + HOUR + MINUTE).broken(['k2'])).toEqual([]);
  });

  it('by what is open for who left alone is none', () => {
    const history = inhibited().is('firing', NOON + MINUTE, 'k2');
    history.model.members.joined('4915122345602', NOON);
    history.model.members.left('4915122345602', NOON + MINUTE);
    history.is('resolved', NOON + HOUR);
    expect(history.broken(['k2'])).toEqual(['what is open for who left a list alone inhibits nothing']);
  });
});
