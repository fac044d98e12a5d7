import { at, storm, type Story } from '../story.ts';
import { form, invoice } from '../webhooks.ts';

export const ME = '4915112345678';
export const ADA = '491713920001';

const ada = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '0171 3920001',
  message: 'Can you redraw our logo?',
};

/** Somebody plays with the form on Thursday, and Stripe posts a payment two days late. */
export const freelancer: Story = {
  recipe: 'freelancer',
  title: 'A week of a freelancer: a new client, money in, money late',
  customers: true,
  phones: { [ME]: 'You', [ADA]: 'Ada, who wrote to you' },
  posts: [
    at('Mon 10:15', form(ada)),
    at('Mon 10:15:02', form(ada)),
    at('Mon 10:20', form({ ...ada, message: 'Buy now' }, 'https://copy.example')),
    at('Tue 09:00', invoice({ number: '0011', name: 'Grace Hopper', cents: 120_000, dueInDays: 9 }, 'paid')),
    at('Tue 21:40', invoice({ number: '0009', name: 'Kay McNulty', cents: 45_000, dueInDays: 2 }, 'paid')),
    at('Wed 02:05', invoice({ number: '0010', name: 'Alan Turing', cents: 80_000, dueInDays: -3 }, 'paid')),
    at(
      'Wed 09:00',
      invoice({ number: '0007', name: 'Jean Bartik', cents: 60_000, dueInDays: -7 }, 'overdue'),
    ),
    ...storm('Thu 14:00', { count: 40, everyMs: 20_000 }, (n) =>
      form({ name: 'Test', email: 'test@example.com', message: `asdf ${n + 1}` }),
    ),
    at(
      'Fri 11:00',
      invoice(
        { number: '0007', name: 'Jean Bartik', cents: 60_000, dueInDays: -9 },
        'paid',
        ', two days late',
      ),
    ),
    at(
      'Fri 11:05',
      invoice({ number: '0007', name: 'Jean Bartik', cents: 60_000, dueInDays: -9 }, 'paid', ', again'),
    ),
    at(
      'Fri 16:00',
      invoice({ number: '0012', name: 'Grace Hopper', cents: 1_900, dueInDays: 0 }, 'payment_failed'),
    ),
  ],
};
