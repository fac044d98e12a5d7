import { expect, it } from 'vitest';
import { play } from '../../../scripts/timelines/play.ts';
import { STORIES } from '../../../scripts/timelines/stories.ts';
import { ms, posts, type Story } from '../../../scripts/timelines/story.ts';

const story = (name: string): Story => {
  const found = STORIES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no story ${name}`);
  return found;
};

it('times are in units, and posts are what fires (+) and what has resolved (-), in order', () => {
  expect(['0s', '90s', '1h30m', '2m5s'].map(ms)).toEqual([0, 90_000, 5_400_000, 125_000]);
  expect(posts(['a: +1m -3m', 'b: +2m'])).toEqual([
    { at: 60_000, name: 'a', is: 'firing' },
    { at: 120_000, name: 'b', is: 'firing' },
    { at: 180_000, name: 'a', is: 'resolved' },
  ]);
});

it('a story is played by the rules of the outbox, at their times, and ends where its picture ends', () => {
  expect(play(story('update'))).toEqual([
    { at: ms('30s'), text: '2 firing, new: web-1, web-2' },
    { at: ms('5m30s'), text: '3 firing, new: web-3, web-4, resolved: web-2 after 3 minutes' },
  ]);
  const faster = {
    ...story('update'),
    route: { ...story('update').route, group: { wait: '10s', interval: '1m' } },
  };
  expect(play(faster)[0]?.at).toBe(ms('10s'));
  const until5h = play({ ...story('repeat'), lasts: ms('5h') });
  expect(until5h.map(({ at }) => at)).toEqual([0, ms('4h')]);
  expect(play({ ...story('group'), posts: posts(['web-1: -5s']) })).toEqual([]);
});

it('a story of a silence ends with what is still firing', () => {
  expect(play(story('silence')).map(({ text }) => text)).toEqual([
    '1 firing, new: web-1',
    '0 firing, resolved: web-1 after 1 hour',
    '1 firing, new: web-3',
    '0 firing, resolved: web-3 after 1 hour',
  ]);
});

it('a story with a rule that nobody can mean fails', () => {
  const wrong = { ...story('group'), route: { group: { wait: '10m', interval: '1m' } } };
  expect(() => play(wrong)).toThrow('must not be longer than `interval`');
});
