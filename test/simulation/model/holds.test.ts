import { describe, expect, it } from 'vitest';
import { History, HOUR, NOON, RULES } from './history.ts';

/** What is broken by a message at this time, while a silence is in force from noon for two hours. */
const silenced = (word: string, at: number): readonly string[] => {
  const history = new History({ ...RULES, repeatMs: 1 }).is('firing', NOON - HOUR);
  history.model.silenced('k1', NOON).until = NOON + 2 * HOUR;
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
    history.model.silenced('k1', NOON).until = NOON + 3 * HOUR;
    expect([...history.shows('+k1', NOON + HOUR - 10).rules]).toEqual([]);
    expect([...history.shows('=k1', NOON + 2 * HOUR + 10).rules]).toEqual(['a silence holds back repeats']);
  });

  it('holds back what had to wait since before', () => {
    const history = new History().is('firing', NOON - HOUR);
    history.model.silenced('k1', NOON).until = NOON + 2 * HOUR;
    history.model.heldUp(NOON + HOUR);
    expect([...history.shows('+k1', NOON + HOUR).rules]).toEqual(['a silence holds back what had to wait']);
    const later = new History();
    later.model.silenced('k1', NOON).until = NOON + 2 * HOUR;
    later.model.heldUp(NOON + HOUR);
    const fired = later.is('firing', NOON + HOUR - 10);
    expect([...fired.shows('+k1', NOON + HOUR).rules]).toEqual(['a silence holds back openings']);
  });
});
