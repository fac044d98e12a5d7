import { beforeAll, describe, expect, it } from 'vitest';
import { playWeek, type Week } from './play.ts';
import { TEAM, repository } from './stories/repository.ts';

describe('a week of the recipe repository', () => {
  let week: Week;

  beforeAll(async () => {
    week = await playWeek(repository);
  });

  it('the team reads that it is broken, that it passes again, and what is out', () => {
    expect(week.phone(TEAM)).toEqual([
      'Mon 10:01 ❌ *shop* is broken\n• CI: Round totals once, at the end, by ada\nhttps://github.com/example/shop/actions/runs/1',
      'Mon 11:05 ✅ *shop* passes again\n✓ CI, after 1 hour, 5 minutes',
      'Tue 08:00 ❌ Broken since 03/03/2026, 04:00\n• shop, Search: Faster search\n1 broke and passed again in the meantime',
      'Tue 09:10 ✅ *shop* passes again\n✓ Search, after 5 hours, 10 minutes',
      'Wed 09:01 ❌ *shop* is broken\n• Package 1: Update the base image, by ada\n• Package 2: Update the base image, by ada\n• Package 3: Update the base image, by ada\n• Package 4: Update the base image, by ada\nand 36 more\nhttps://github.com/example/shop/actions/runs/239',
      'Wed 09:40 ✅ *shop* passes again\n✓ Package 1, after 40 minutes\n✓ Package 2, after 40 minutes\n✓ Package 3, after 40 minutes\n✓ Package 4, after 40 minutes\nand 36 more',
      'Thu 15:00 🚀 *shop* Version 2.4 is out\nhttps://github.com/example/shop/releases/tag/v2.4.0',
      'Fri 10:01 ❌ *shop* is broken\n• CI: Round totals once, at the end, by ada\nhttps://github.com/example/shop/actions/runs/10',
      'Fri 10:10 ✅ *shop* passes again\n✓ CI, after 10 minutes',
      'Fri 10:21 ❌ *shop* is broken\n• CI: Round totals once, at the end, by ada\nhttps://github.com/example/shop/actions/runs/12',
      'Fri 10:31 🔁 *shop* fails at random\n• CI: Round totals once, at the end, by ada',
      'Fri 13:10 ✅ *shop* passes again\n✓ CI, after 50 minutes',
    ]);
  });

  it('forty workflows that break at once are one message, and one when they pass', () => {
    expect(week.posts.filter(({ post }) => post.at.startsWith('Wed'))).toHaveLength(80);
    expect(week.phone(TEAM).filter((line) => line.startsWith('Wed'))).toHaveLength(2);
  });

  it('what is redelivered later is a duplicate, and breaks nothing again', () => {
    const again = week.posts.filter(({ isDuplicate }) => isDuplicate).map(({ post }) => post.at);
    expect(again).toEqual(['Thu 17:30', 'Sat 09:00']);
  });
});
