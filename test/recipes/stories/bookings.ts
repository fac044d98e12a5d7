import { at, storm, type Story } from '../story.ts';
import { booking } from '../webhooks.ts';

export const TEAM = '4915112345678';
export const ADA = '491713920001';

const first = { uid: 'ada-1', name: 'Ada Lovelace', phone: '+491713920001', start: '2026-03-05T09:00:00Z' };
const moved = { ...first, uid: 'ada-2', start: '2026-03-06T13:00:00Z' };
const alan = { uid: 'alan-1', name: 'Alan Turing', start: '2026-03-09T08:00:00Z' };
const jean = { uid: 'jean-1', name: 'Jean Bartik', start: '2026-03-09T10:00:00Z' };

/** A rush on Wednesday, and a cancellation at dawn that cannot wait. */
export const bookings: Story = {
  recipe: 'bookings',
  title: 'A week of bookings: nights, a rush, a cancellation at dawn',
  customers: true,
  phones: { [TEAM]: 'The team', [ADA]: 'Ada, a guest' },
  posts: [
    at('Mon 09:00', booking(first, 'CREATED')),
    at('Mon 09:00:30', booking(first, 'CREATED', ', again')),
    at('Mon 23:10', booking(alan, 'CREATED')),
    at('Mon 23:40', booking(jean, 'CREATED')),
    at('Tue 15:00', booking({ ...moved, before: first }, 'RESCHEDULED')),
    at('Wed 08:00', booking({ ...first, movedTo: moved.uid }, 'CANCELLED', ', 17 h late')),
    ...storm('Wed 12:00', { count: 40, everyMs: 9_000 }, (n) =>
      booking(
        {
          uid: `rush-${n}`,
          name: `Guest ${n + 1}`,
          start: new Date(Date.UTC(2026, 2, 16, 8, n * 30)).toISOString(),
        },
        'CREATED',
      ),
    ),
    at('Fri 06:50', booking(moved, 'CANCELLED')),
  ],
};
