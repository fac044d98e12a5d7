import { beforeAll, describe, expect, it } from 'vitest';
import { playWeek, type Week } from './play.ts';
import { TEAM, ADA, bookings } from './stories/bookings.ts';

describe('a week of the recipe bookings', () => {
  let week: Week;

  beforeAll(async () => {
    week = await playWeek(bookings);
  });

  it('the team reads nights in the morning, a rush in one message, and what changes today at any hour', () => {
    expect(week.phone(TEAM)).toEqual([
      'Mon 09:00 📅 *Ada Lovelace* booked Consultation\nThursday, 5 March 2026 at 10:00',
      'Tue 07:30 📅 2 bookings since 23:10\n• 09/03/2026, 09:00: Alan Turing\n• 09/03/2026, 11:00: Jean Bartik',
      'Tue 15:00 🔁 *Ada Lovelace* moved to\nFriday, 6 March 2026 at 14:00\nfrom Thursday, 5 March 2026 at 10:00',
      'Wed 12:00 📅 *Guest 1* booked Consultation\nMonday, 16 March 2026 at 09:00',
      'Wed 12:00 📅 *Guest 2* booked Consultation\nMonday, 16 March 2026 at 09:30',
      'Wed 12:00 📅 *Guest 3* booked Consultation\nMonday, 16 March 2026 at 10:00',
      'Wed 12:00 📅 *Guest 4* booked Consultation\nMonday, 16 March 2026 at 10:30',
      'Wed 12:00 📅 *Guest 5* booked Consultation\nMonday, 16 March 2026 at 11:00',
      'Wed 12:10 📅 35 bookings since 12:00\n• 16/03/2026, 11:30: Guest 6\n• 16/03/2026, 12:00: Guest 7\n• 16/03/2026, 12:30: Guest 8\n• 16/03/2026, 13:00: Guest 9\n• 16/03/2026, 13:30: Guest 10\n• 16/03/2026, 14:00: Guest 11\n• 16/03/2026, 14:30: Guest 12\n• 16/03/2026, 15:00: Guest 13\nand 27 more',
      'Fri 06:50 ❌ Friday, 6 March 2026 at 14:00 with *Ada Lovelace* is cancelled',
    ]);
  });

  it('a guest reads what was booked, moved and cancelled, in her own zone', () => {
    expect(week.phone(ADA)).toEqual([
      'Mon 09:00 You are booked: *Consultation*\nThursday, 5 March 2026 at 10:00\nChange or cancel: https://app.cal.com/booking/ada-1',
      'Tue 15:00 Your appointment has been moved: *Consultation*\nFriday, 6 March 2026 at 14:00\nChange or cancel: https://app.cal.com/booking/ada-2',
      'Fri 06:50 ❌ Your appointment on Friday, 6 March 2026 at 14:00 is cancelled.',
    ]);
  });

  it('a booking that Cal.com posts again, and the old time of a moved one, reach nobody', () => {
    const silent = week.posts.filter(({ post }) => /again|old time/.test(post.what));
    expect(silent.map(({ status }) => status)).toEqual([202, 202]);
    for (const { at } of silent)
      expect(week.shown.filter((one) => one.at >= at && one.at < at + 60_000)).toEqual([]);
  });
});
