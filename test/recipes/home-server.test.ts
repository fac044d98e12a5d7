import { beforeAll, describe, expect, it } from 'vitest';
import { playWeek, type Week } from './play.ts';
import { ME, homeServer } from './stories/home-server.ts';

describe('a week of the recipe home-server', () => {
  let week: Week;

  beforeAll(async () => {
    week = await playWeek(homeServer);
  });

  it('you read what is down, and at night only what cannot wait', () => {
    expect(week.phone(ME)).toEqual([
      'Tue 07:00 ✅ All up\n1 came and went in the meantime',
      'Tue 20:00 🔥 1 firing\n• *HighMemory*: nas uses 92 % of its memory',
      'Wed 02:20 🔥 1 firing\n• *TooHot*: nas is at 84 °C',
      'Wed 02:50 ✅ All resolved\n✓ TooHot nas, after 30 minutes',
      'Wed 07:00 💾 Backup nightly on *nas* failed (exit code 1)',
      'Wed 07:00 ✅ All resolved\n✓ HighMemory nas, after 3 hours, 30 minutes',
      'Thu 07:00 ✅ Backup nightly on *nas* works again',
      'Thu 14:00 🔥 40 down\n• Service 1: timeout of 48000ms exceeded\n• Service 2: timeout of 48000ms exceeded\n• Service 3: timeout of 48000ms exceeded\n• Service 4: timeout of 48000ms exceeded\n• Service 5: timeout of 48000ms exceeded\nand 35 more',
      'Thu 14:20 ✅ All up again\n✓ Service 1, after 20 minutes\n✓ Service 2, after 20 minutes\n✓ Service 3, after 20 minutes\n✓ Service 4, after 20 minutes\n✓ Service 5, after 20 minutes\nand 35 more',
      'Fri 02:00 🚨 *nas*, disk /dev/sdb\nDevice: /dev/sdb [SAT], 8 Currently unreadable (pending) sectors\nCheck the backup and order a new disk.',
    ]);
  });

  it('26 hours after the last backup you are notified beside the gateway that none has run', () => {
    expect(week.phone('ntfy')).toEqual([
      'Sat 05:00 hookbell: the source backup has sent no webhook for more than 26h. The last one came at 2026-03-06T02:00:00Z; check that it is still set up at its provider.',
      'Sun 09:00 hookbell: the source backup sends webhooks again.',
    ]);
  });

  it('forty services behind a line that is down are one message, and one when it is back', () => {
    expect(week.posts.filter(({ post }) => post.at.startsWith('Thu 14'))).toHaveLength(80);
    expect(week.phone(ME).filter((line) => line.startsWith('Thu 14'))).toHaveLength(2);
  });
});
