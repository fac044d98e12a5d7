import { expect, it } from 'vitest';
import { playWeek } from './play.ts';
import { ADA, bookings, freelancer, homeServer, onCall, OWNER, PHONES, repository } from './stories.ts';

it('bookings: nights in the morning, a rush in one message, and what changes today at any hour; a guest in her zone', async () => {
  const week = await playWeek(bookings);
  expect(week.phone(OWNER)).toEqual([
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
  expect(week.phone(ADA)).toEqual([
    'Mon 09:00 You are booked: *Consultation*\nThursday, 5 March 2026 at 10:00\nChange or cancel: https://app.cal.com/booking/ada-1',
    'Tue 15:00 Your appointment has been moved: *Consultation*\nFriday, 6 March 2026 at 14:00\nChange or cancel: https://app.cal.com/booking/ada-2',
    'Fri 06:50 ❌ Your appointment on Friday, 6 March 2026 at 14:00 is cancelled.',
  ]);
  // A booking that Cal.com posts again, and the old time of a moved one, reach nobody.
  const silent = week.posts.filter(({ post }) => /again|old time/.test(post.what));
  expect(silent.map(({ status }) => status)).toEqual([202, 202]);
  for (const { at } of silent)
    expect(week.shown.filter((one) => one.at >= at && one.at < at + 60_000)).toEqual([]);
});

it('freelancer: you read who wrote, who paid and who has not; a visitor is thanked once; a storm of forms is a digest', async () => {
  const week = await playWeek(freelancer);
  expect(week.phone(OWNER)).toEqual([
    'Mon 10:15 📩 *Ada Lovelace* wrote:\nCan you redraw our logo?\n0171 3920001\nada@example.com',
    'Tue 09:00 💰 Grace Hopper paid *€1,200.00*\nInvoice 0011',
    'Wed 07:30 💰 2 invoices paid since 21:40\n• Kay McNulty: €450.00\n• Alan Turing: €800.00',
    'Wed 09:00 ⏰ Jean Bartik owes you *€600.00*\nInvoice 0007 was due 25 Feb 2026\nhttps://dashboard.stripe.com/invoices/in_0007',
    'Thu 14:00 📩 *Test* wrote:\nasdf 1\ntest@example.com',
    'Thu 14:00 📩 *Test* wrote:\nasdf 2\ntest@example.com',
    'Thu 14:00 📩 *Test* wrote:\nasdf 3\ntest@example.com',
    'Thu 15:00 📩 7 messages from your form since 14:01\n• Test: asdf 4\n• Test: asdf 5\n• Test: asdf 6\n• Test: asdf 7\n• Test: asdf 8\nand 2 more',
    'Fri 11:00 💰 Jean Bartik paid *€600.00*\nInvoice 0007, due 25 Feb 2026',
    'Fri 16:00 ⚠️ Grace Hopper could not pay *€19.00* (invoice 0012). Stripe will try again on 9 Mar 2026.',
  ]);
  expect(week.phone(ADA)).toEqual([
    'Mon 10:15 Thank you, Ada Lovelace! I have got your message and will answer soon.',
  ]);
  // A page that is not yours is refused, and its form reaches nobody.
  expect(week.posts.find(({ post }) => post.what.includes('copy.example'))?.status).toBe(403);
  expect(week.shown.filter(({ text }) => text.includes('Buy now'))).toEqual([]);
  // Most of the storm is spam, answered alike.
  const storm = week.posts.filter(({ post }) => post.at.startsWith('Thu'));
  expect(storm.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 202));
});

it('home-server: you read what is down, at night only what cannot wait, and beside the gateway that no backup ran', async () => {
  const week = await playWeek(homeServer);
  expect(week.phone(OWNER)).toEqual([
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
  expect(week.phone('ntfy')).toEqual([
    'Sat 05:00 hookbell: the source backup has sent no webhook for more than 26h. The last one came at 2026-03-06T02:00:00Z; check that it is still set up at its provider.',
    'Sun 09:00 hookbell: the source backup sends webhooks again.',
  ]);
  // Forty services behind a line that is down are one message, and one when it is back.
  expect(week.posts.filter(({ post }) => post.at.startsWith('Thu 14'))).toHaveLength(80);
});

it('on-call: critical alerts at any hour, warnings in the morning, a storm in a few messages, a cluster’s alert once', async () => {
  const week = await playWeek(onCall);
  /** At the end of each message that says what is open. */
  const LINKS = '\nI have it: https://relay.example/a/…\nSilence for 4 hours: https://relay.example/a/…';
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
    'Wed 15:10 🔥 28 open since 15:00\n• web-4 is down\n• web-5 is down\n• web-6 is down\n• web-7 is down\n• web-8 is down\nand 23 more',
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
  for (const phone of PHONES) expect(week.phone(phone)).toEqual(week.phone(OWNER));
});

it('repository: the team reads that it is broken, that it passes again, and what is out; forty workflows are one message', async () => {
  const week = await playWeek(repository);
  expect(week.phone(OWNER)).toEqual([
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
  expect(week.posts.filter(({ post }) => post.at.startsWith('Wed'))).toHaveLength(80);
  // What is redelivered later is a duplicate, and breaks nothing again.
  const again = week.posts.filter(({ isDuplicate }) => isDuplicate).map(({ post }) => post.at);
  expect(again).toEqual(['Thu 17:30', 'Sat 09:00']);
});
