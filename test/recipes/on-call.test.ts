import { beforeAll, describe, expect, it } from 'vitest';
import { playWeek, type Week } from './play.ts';
import { PHONES, onCall } from './stories/on-call.ts';

/** At the end of each message that says what is open. */
const LINKS = '\nI have it: https://relay.example/a/…\nSilence for 4 hours: https://relay.example/a/…';

describe('a week of the recipe on-call', () => {
  let week: Week;

  beforeAll(async () => {
    week = await playWeek(onCall);
  });

  it('critical alerts come at any hour, warnings in the morning, a storm in a few messages', () => {
    expect(week.phone(PHONES[0])).toEqual([
      `Mon 11:01 🔥 *shop*: 1 firing\n• The disk of db-1 will be full in 20 hours${LINKS}`,
      'Mon 12:30 ✅ *shop*: all resolved\n✓ DiskFillsUp db-1, after 1 hour, 30 minutes',
      `Tue 02:30 🔥 *shop*: 1 firing\n• 12% of requests fail${LINKS}`,
      `Tue 03:30 🔥 *shop*: still 1 firing\nsince 3 Mar 2026, 02:30${LINKS}`,
      'Tue 03:50 ✅ *shop*: all resolved\n✓ HighErrorRate web-1, after 1 hour, 20 minutes',
      `Tue 07:00 🔥 *shop*: 1 firing\n• The disk of db-1 will be full in 20 hours${LINKS}`,
      'Tue 09:00 ✅ *shop*: all resolved\n✓ DiskFillsUp db-1, after 7 hours',
      `Wed 15:00 🚨 1 down\n• *Shop*: HTTP 503 - Service Unavailable${LINKS}`,
      `Wed 15:00 🔥 *service-1*: 4 firing\n• web-1 is down\n• web-11 is down\n• web-21 is down\n• web-31 is down${LINKS}`,
      `Wed 15:00 🔥 *service-2*: 4 firing\n• web-2 is down\n• web-12 is down\n• web-22 is down\n• web-32 is down${LINKS}`,
      `Wed 15:00 🔥 *service-3*: 4 firing\n• web-3 is down\n• web-13 is down\n• web-23 is down\n• web-33 is down${LINKS}`,
      'Wed 15:10 🔥 28 open since 15:00\n• web-36 is down\n• web-37 is down\n• web-38 is down\n• web-39 is down\n• web-40 is down\nand 23 more',
      'Wed 15:30 ✅ *service-1*: all resolved\n✓ InstanceDown web-1, after 30 minutes\n✓ InstanceDown web-11, after 30 minutes\n✓ InstanceDown web-21, after 30 minutes\nand 1 more resolved',
      'Wed 15:30 ✅ *service-2*: all resolved\n✓ InstanceDown web-2, after 30 minutes\n✓ InstanceDown web-12, after 30 minutes\n✓ InstanceDown web-22, after 30 minutes\nand 1 more resolved',
      'Wed 15:30 ✅ All resolved\n✓ InstanceDown web-3\n✓ InstanceDown web-4\n✓ InstanceDown web-5\n✓ InstanceDown web-6\n✓ InstanceDown web-7\nand 27 more',
      'Wed 15:31 ✅ All up again\n✓ Shop, after 31 minutes',
      `Thu 10:00 🔥 *shop*: 1 firing\n• 12% of requests fail${LINKS}`,
      'Thu 10:20 ✅ *shop*: all resolved\n✓ HighErrorRate web-1, after 20 minutes',
      `Fri 16:00 🚨 1 down\n• *Shop*: HTTP 503 - Service Unavailable${LINKS}`,
      `Fri 17:00 🚨 Still 1 down\n*Shop* since 6 Mar 2026, 16:00${LINKS}`,
      `Fri 18:00 🚨 Still 1 down\n*Shop* since 6 Mar 2026, 16:00${LINKS}`,
      'Fri 18:30 ✅ All up again\n✓ Shop, after 2 hours, 30 minutes',
    ]);
  });

  it('all three read the same', () => {
    for (const phone of PHONES) expect(week.phone(phone)).toEqual(week.phone(PHONES[0]));
  });

  it('forty alerts of ten services are three messages and a digest', () => {
    const storm = week.phone(PHONES[0]).filter((line) => line.includes('🔥') && line.startsWith('Wed'));
    expect(storm).toHaveLength(4);
  });

  it('an alert that both Alertmanagers of a cluster post is one incident', () => {
    expect(week.phone(PHONES[0]).filter((line) => line.startsWith('Thu 10:00'))).toHaveLength(1);
  });
});
