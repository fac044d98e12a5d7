import { beforeAll, expect, it } from 'vitest';
import { playWeek, type Week } from './play.ts';
import { ADA, GRACE, order, OWNER } from './stories.ts';

let week: Week;

beforeAll(async () => {
  week = await playWeek(order);
});

it('order: the owner reads what to pack at once, forty orders as five and a digest, parcels in batches, and at night only what has a deadline', () => {
  expect(week.phone(OWNER)).toEqual([
    'Mon 09:12 💰 Order *#1042* is paid: *€49.00*\n2 × Tea cup\nfor Ada Lovelace, Berlin',
    'Tue 09:35 📦 1 parcel\n• 1042, Ada Lovelace: on its way',
    'Wed 07:00 💰 Order *#1043* is paid: *€22.45*\n2 × Tea cup\nfor Grace Hopper, Berlin',
    'Wed 12:10 📦 1 parcel\n• 1042, Ada Lovelace: delivered',
    'Thu 10:00 💰 Order *#1100* is paid: *€22.45*\n2 × Tea cup\nfor Jean Bartik, Berlin',
    'Thu 10:00 💰 Order *#1101* is paid: *€22.45*\n2 × Tea cup\nfor Jean Bartik, Berlin',
    'Thu 10:00 💰 Order *#1102* is paid: *€22.45*\n2 × Tea cup\nfor Jean Bartik, Berlin',
    'Thu 10:00 💰 Order *#1103* is paid: *€22.45*\n2 × Tea cup\nfor Jean Bartik, Berlin',
    'Thu 10:01 💰 Order *#1104* is paid: *€22.45*\n2 × Tea cup\nfor Jean Bartik, Berlin',
    'Thu 10:10 💰 35 orders paid since 10:01\n• #1105: €22.45\n• #1106: €22.45\n• #1107: €22.45\n• #1108: €22.45\n• #1109: €22.45\nand 30 more',
    'Fri 02:10 🚨 Kay McNulty disputes *€22.45*. Answer by 13 Mar 2026, 02:10.\nhttps://dashboard.stripe.com/disputes/du_987',
    'Fri 09:30 📦 1 parcel\n• 1043, Grace Hopper: on its way',
    'Sat 11:00 ↩️ The return of order *1042* from Ada Lovelace has arrived. Please check and refund it.',
    'Sat 11:30 ↩️ *€49.00* of €49.00 refunded to Ada Lovelace',
  ]);
});

it('order: a customer reads each step of her order once', () => {
  expect(week.phone(ADA)).toEqual([
    'Mon 09:12 Thank you, Ada! Your order *#1042* for €49.00 is paid. We are packing it now.',
    'Mon 14:30 🎁 Your order *#1042* is packed. We will let you know when it is on its way.',
    'Tue 09:05 📦 Your order *1042* is on its way.\nhttps://tracking.example/1042',
    'Wed 11:40 ✅ Your order *1042* has been delivered. Enjoy it!',
    'Sat 11:00 ↩️ Your return of order *1042* has arrived. You will hear from us about the refund.',
    'Sat 11:30 ↩️ We have refunded *€49.00* to you. It can take a few days to reach your account.',
  ]);
});

it('order: a customer reads nothing of a parcel that was on its way a day ago', () => {
  expect(week.phone(GRACE)).toEqual([
    'Wed 03:20 Thank you, Grace! Your order *#1043* for €22.45 is paid. We are packing it now.',
    'Wed 10:00 🎁 Your order *#1043* is packed. We will let you know when it is on its way.',
  ]);
});

it('order: what is posted again is one message: an order by Shopify, and a duplicate by Stripe', () => {
  const posts = week.posts.filter(({ post }) => post.what === 'order #1042 is paid');
  expect(posts.map(({ status }) => status)).toEqual([202, 202]);
  const again = week.posts.filter(({ isDuplicate }) => isDuplicate);
  expect(again.map(({ post }) => post.at)).toEqual(['Fri 02:40']);
});

it('order: customers hear nothing unless they are wanted', async () => {
  const { customers: _, ...without } = order;
  const quiet = await playWeek(without);
  expect(quiet.phone(OWNER)).toEqual(week.phone(OWNER));
  expect(quiet.shown.filter(({ phone }) => phone !== OWNER)).toEqual([]);
});

it('order: in German, texts, amounts and dates are German', async () => {
  const german = await playWeek({ ...order, locale: 'de-DE' });
  expect(german.phone(OWNER)[0]).toBe(
    'Mon 09:12 💰 Bestellung *#1042* ist bezahlt: *49,00\u00a0€*\n2 × Tea cup\nfür Ada Lovelace, Berlin',
  );
  expect(german.phone(ADA).at(-2)).toBe(
    'Sat 11:00 ↩️ Ihre Retoure zur Bestellung *1042* ist angekommen. Zur Erstattung melden wir uns.',
  );
});
