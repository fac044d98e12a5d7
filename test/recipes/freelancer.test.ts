import { beforeAll, describe, expect, it } from 'vitest';
import { playWeek, type Week } from './play.ts';
import { ME, ADA, freelancer } from './stories/freelancer.ts';

describe('a week of the recipe freelancer', () => {
  let week: Week;

  beforeAll(async () => {
    week = await playWeek(freelancer);
  });

  it('you read who wrote, who paid and who has not', () => {
    expect(week.phone(ME)).toEqual([
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
  });

  it('a visitor is thanked once', () => {
    expect(week.phone(ADA)).toEqual([
      'Mon 10:15 Thank you, Ada Lovelace! I have got your message and will answer soon.',
    ]);
  });

  it('a page that is not yours is refused, and its form reaches nobody', () => {
    const copy = week.posts.find(({ post }) => post.what.includes('copy.example'));
    expect(copy?.status).toBe(403);
    expect(week.shown.filter(({ text }) => text.includes('Buy now'))).toEqual([]);
  });

  it('of forty forms of one address, ten are three messages and a digest; the rest is spam, answered alike', () => {
    const storm = week.posts.filter(({ post }) => post.at.startsWith('Thu'));
    expect(storm).toHaveLength(40);
    expect(new Set(storm.map(({ status }) => status))).toEqual(new Set([202]));
    expect(week.phone(ME).filter((line) => line.startsWith('Thu'))).toHaveLength(4);
  });
});
