import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playWeek, type Week } from './play.ts';
import { clock, type Story } from './story.ts';
import { ADA, bookings, freelancer, GRACE, homeServer, onCall, order, OWNER } from './stories.ts';
import { PHONES, repository, STORIES } from './stories.ts';

/** What is so: there is no second way for urgent messages yet, and the alerts of these stories have no times. */
const TRUE = /^account:default:no-escape$|does not say when/;

/** Plays a week, at whose end the doctor and previews warn of nothing that is not so. The recipe's page shows it. */
async function played(story: Story): Promise<Week> {
  const week = await playWeek(story);
  expect(week.warnings.filter((one) => !TRUE.test(one))).toEqual([]);
  if (STORIES.includes(story)) {
    const page = readFileSync(join(import.meta.dirname, `../../docs/recipes/${story.recipe}.md`), 'utf8');
    expect(/^```text\n(.*?)\n```$/ms.exec(page)?.[1]).toBe(phoneOnPage(week));
  }
  return week;
}

/** All that the first phone shows, and the channel beside the gateway. */
const phoneOnPage = ({ shown }: Week): string =>
  shown
    .filter(({ phone }) => phone === OWNER || phone === 'ntfy')
    .map(({ at, phone, text }) => `${clock(at)} ${phone === 'ntfy' ? 'by ntfy: ' : ''}${text}`)
    .map((message) => message.replaceAll('\n', `\n${' '.repeat('Mon 09:12 '.length)}`))
    .join('\n');

const linesOf = (week: Week, words: RegExp) => week.phone(OWNER).filter((line) => words.test(line));

/** What came in quiet hours, by its first line. */
const atNight = (week: Week) => linesOf(week, /^\w+ (?:2[2-9]|0[0-6]):/).map((line) => line.split('\n')[0]);

it('order: the owner reads what to pack at once, forty orders as five and a digest, parcels in batches, and at night only what has a deadline', async () => {
  const week = await played(order);
  expect(week.phone(OWNER)).toHaveLength(15);
  expect(linesOf(week, /^Thu/)).toHaveLength(6);
  expect(linesOf(week, /35 orders paid since 10:01/)).toHaveLength(1);
  expect(atNight(week)).toEqual([
    'Fri 02:10 🚨 Kay McNulty disputes *€22.45*. Answer by 13 Mar 2026, 02:10.',
  ]);
  const posts = week.posts.filter(({ post }) => post.what === 'order #1042 is paid');
  expect(posts.map(({ status }) => status)).toEqual([202, 202]);
  expect(linesOf(week, /Order \*#1042\* is paid/)).toHaveLength(1);
  const again = week.posts.filter(({ isDuplicate }) => isDuplicate);
  expect(again.map(({ post }) => post.at)).toEqual(['Fri 02:40']);
  // A customer reads each step of her order once, in its language, and nothing of a parcel that was on its way a day ago.
  expect(week.phone(ADA)).toEqual([
    'Mon 09:12 Vielen Dank, Ada! Ihre Bestellung *#1042* über 49,00\u00a0€ ist bezahlt. Wir packen sie jetzt.',
    'Mon 14:30 🎁 Ihre Bestellung *#1042* ist gepackt. Wir melden uns, wenn sie unterwegs ist.',
    'Tue 09:05 📦 Ihre Bestellung *1042* ist unterwegs.\nhttps://tracking.example/1042',
    'Wed 11:40 ✅ Ihre Bestellung *1042* wurde zugestellt. Viel Freude damit!',
    'Sat 11:00 ↩️ Ihre Retoure zur Bestellung *1042* ist angekommen. Zur Erstattung melden wir uns.',
    'Sat 11:30 ↩️ Wir haben Ihnen *49,00\u00a0€* erstattet. Bis das Geld auf Ihrem Konto ist, kann es ein paar Tage dauern.',
  ]);
  expect(week.phone(GRACE).join()).toMatch(/^Wed 03:20 Thank you, [^,]*,Wed 10:00 🎁 Your order [^,]*$/);
});

it('order: customers hear nothing unless they are wanted', async () => {
  const { customers: _, ...without } = order;
  const quiet = await played(without);
  expect(quiet.phone(OWNER)).toHaveLength(15);
  expect(quiet.shown.filter(({ phone }) => phone !== OWNER)).toEqual([]);
});

it('order: in German, the owner’s texts, amounts and dates are German; a customer reads her own language', async () => {
  const german = await played({ ...order, locale: 'de-DE' });
  expect(german.phone(OWNER)[0]).toBe(
    'Mon 09:12 💰 Bestellung *#1042* ist bezahlt: *49,00\u00a0€*\n2 × Tea cup\nfür Ada Lovelace, Berlin',
  );
  expect(german.phone(GRACE)[0]).toContain('Thank you, Grace!');
});

it('bookings: nights in the morning, a rush in one message, and what changes today at any hour; a guest in her zone', async () => {
  const week = await played(bookings);
  expect(week.phone(OWNER)).toHaveLength(10);
  expect(linesOf(week, /^Wed 12:10 📅 35 bookings since 12:00|^Tue 07:30 📅 2 bookings/)).toHaveLength(2);
  expect(atNight(week)).toEqual([
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
  const week = await played(freelancer);
  expect(week.phone(OWNER)).toHaveLength(10);
  expect(linesOf(week, /^Thu 15:00 📩 7 messages|^Wed 07:30 💰 2 invoices paid/)).toHaveLength(2);
  expect([atNight(week), linesOf(week, /^Thu/).length]).toEqual([[], 4]);
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
  const week = await played(homeServer);
  expect(week.phone(OWNER)).toHaveLength(10);
  // Forty services behind a line that is down are one message, and one when it is back.
  expect(linesOf(week, /^Thu 14/)).toHaveLength(2);
  expect(week.posts.filter(({ post }) => post.at.startsWith('Thu 14'))).toHaveLength(80);
  const heat = ['Wed 02:20 🔥 1 firing', 'Wed 02:50 ✅ All resolved'];
  expect(atNight(week)).toEqual([...heat, 'Fri 02:00 🚨 *nas*, disk /dev/sdb']);
  expect(week.phone('ntfy')).toEqual([
    'Sat 05:00 hookbell: the source backup has sent no webhook for more than 26h. The last one came at 2026-03-06T02:00:00Z; check that it is still set up at its provider.',
    'Sun 09:00 hookbell: the source backup sends webhooks again.',
  ]);
});

it('on-call: critical alerts at any hour, warnings in the morning, a storm in a few messages, a cluster’s alert once', async () => {
  const week = await played(onCall);
  expect(week.phone(OWNER)).toHaveLength(22);
  expect(linesOf(week, /^Wed/)).toHaveLength(9);
  expect(linesOf(week, /^Thu/)).toHaveLength(2);
  expect(atNight(week).map((line) => line?.slice(0, 9))).toEqual(['Tue 02:30', 'Tue 03:30', 'Tue 03:50']);
  for (const phone of PHONES) expect(week.phone(phone)).toEqual(week.phone(OWNER));
});

it('repository: the team reads that it is broken, that it passes again, and what is out; forty workflows are one message', async () => {
  const week = await played(repository);
  expect(week.phone(OWNER)).toHaveLength(12);
  expect([atNight(week), linesOf(week, /^Wed/).length]).toEqual([[], 2]);
  expect(week.posts.filter(({ post }) => post.at.startsWith('Wed'))).toHaveLength(80);
  // What is redelivered later is a duplicate, and breaks nothing again.
  const again = week.posts.filter(({ isDuplicate }) => isDuplicate).map(({ post }) => post.at);
  expect(again).toEqual(['Thu 17:30', 'Sat 09:00']);
});
