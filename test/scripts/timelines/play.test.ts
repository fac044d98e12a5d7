import { describe, expect, it } from 'vitest';
import { play } from '../../../scripts/timelines/play.ts';
import { STORIES } from '../../../scripts/timelines/stories.ts';
import { ms, posts, type Story } from '../../../scripts/timelines/story.ts';

const story = (name: string): Story => {
  const found = STORIES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no story ${name}`);
  return found;
};

/** The times when messages came, in minutes. */
const minutes = (played: Story): readonly number[] => play(played).map(({ at }) => at / ms('1m'));

describe('a story', () => {
  it('is played by the rules of the outbox, at their times', () => {
    expect(play(story('update'))).toEqual([
      { at: ms('30s'), text: '2 firing, new: web-1, web-2' },
      { at: ms('5m30s'), text: '3 firing, new: web-3, web-4, resolved: web-2 after 3 minutes' },
    ]);
  });

  it('changes with its rule', () => {
    const faster = { ...story('update').route, group: { wait: '10s', interval: '1m' } };
    expect(minutes({ ...story('update'), route: faster })).not.toEqual(minutes(story('update')));
  });

  it('ends where its picture ends', () => {
    expect(minutes({ ...story('repeat'), lasts: ms('5h') })).toEqual([0, 240]);
  });

  it('has the same messages each time', () => {
    for (const one of STORIES) expect(play(one)).toEqual(play(one));
  });

  it('of a silence ends with what is still firing', () => {
    const texts = play(story('silence')).map(({ text }) => text);
    expect(texts).toEqual([
      '1 firing, new: web-1',
      '0 firing, resolved: web-1 after 1 hour',
      '1 firing, new: web-3',
      '0 firing, resolved: web-3 after 1 hour',
    ]);
  });

  it('with a rule that nobody can mean fails', () => {
    const wrong = { ...story('group'), route: { group: { wait: '10m', interval: '1m' } } };
    expect(() => play(wrong)).toThrow('must not be longer than `interval`');
  });

  it('in which nothing happens has no messages', () => {
    expect(play({ ...story('group'), posts: posts(['web-1: -5s']) })).toEqual([]);
  });
});
