import { at, storm, type Story } from './story.ts';
import {
  alerts,
  backup,
  booking,
  disk,
  disputed,
  form,
  invoice,
  monitor,
  packed,
  paid,
  parcel,
  refunded,
  released,
  robot,
  run,
} from './webhooks.ts';

/** Whose phone each recipe is for, and their colleagues on call. */
export const OWNER = '4915112345678';
export const PHONES = [OWNER, '4915112345679', '4915112345680'] as const;
/** Customers. */
export const ADA = '491713920001';
export const GRACE = '491713920002';

const guest = { uid: 'ada-1', name: 'Ada Lovelace', phone: '+491713920001', start: '2026-03-05T09:00:00Z' };
const moved = { ...guest, uid: 'ada-2', start: '2026-03-06T13:00:00Z' };
const alan = { uid: 'alan-1', name: 'Alan Turing', start: '2026-03-09T08:00:00Z' };
const jean = { uid: 'jean-1', name: 'Jean Bartik', start: '2026-03-09T10:00:00Z' };
const rush = (n: number) => ({
  uid: `rush-${n}`,
  name: `Guest ${n + 1}`,
  start: new Date(Date.UTC(2026, 2, 16, 8, n * 30)).toISOString(),
});

/** A rush on Wednesday, and a cancellation at dawn that cannot wait. */
export const bookings: Story = {
  recipe: 'bookings',
  customers: true,
  phones: { [OWNER]: 'The team', [ADA]: 'Ada, a guest' },
  posts: [
    at('Mon 09:00', booking(guest, 'CREATED')),
    at('Mon 09:00:30', booking(guest, 'CREATED', ', again')),
    at('Mon 23:10', booking(alan, 'CREATED')),
    at('Mon 23:40', booking(jean, 'CREATED')),
    at('Tue 15:00', booking({ ...moved, before: guest }, 'RESCHEDULED')),
    at('Wed 08:00', booking({ ...guest, movedTo: moved.uid }, 'CANCELLED', ', 17 h late')),
    ...storm('Wed 12:00', { count: 40, everyMs: 9_000 }, (n) => booking(rush(n), 'CREATED')),
    at('Fri 06:50', booking(moved, 'CANCELLED')),
  ],
};

const visitor = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '0171 3920001',
  message: 'Can you redraw our logo?',
};
const owes = { number: '0007', name: 'Jean Bartik', cents: 60_000 };

/** Somebody plays with the form on Thursday, and Stripe posts a payment two days late. */
export const freelancer: Story = {
  recipe: 'freelancer',
  customers: true,
  phones: { [OWNER]: 'You', [ADA]: 'Ada, who wrote to you' },
  posts: [
    at('Mon 10:15', form(visitor)),
    at('Mon 10:15:02', form(visitor)),
    at('Mon 10:20', form({ ...visitor, message: 'Buy now' }, 'https://copy.example')),
    at('Tue 09:00', invoice({ number: '0011', name: 'Grace Hopper', cents: 120_000, dueInDays: 9 }, 'paid')),
    at('Tue 21:40', invoice({ number: '0009', name: 'Kay McNulty', cents: 45_000, dueInDays: 2 }, 'paid')),
    at('Wed 02:05', invoice({ number: '0010', name: 'Alan Turing', cents: 80_000, dueInDays: -3 }, 'paid')),
    at('Wed 09:00', invoice({ ...owes, dueInDays: -7 }, 'overdue')),
    ...storm('Thu 14:00', { count: 40, everyMs: 20_000 }, (n) =>
      form({ name: 'Test', email: 'test@example.com', message: `asdf ${n + 1}` }),
    ),
    at('Fri 11:00', invoice({ ...owes, dueInDays: -9 }, 'paid', ', two days late')),
    at('Fri 11:05', invoice({ ...owes, dueInDays: -9 }, 'paid', ', again')),
    at(
      'Fri 16:00',
      invoice({ number: '0012', name: 'Grace Hopper', cents: 1_900, dueInDays: 0 }, 'payment_failed'),
    ),
  ],
};

const memory = {
  name: 'HighMemory',
  instance: 'nas',
  severity: 'warning',
  summary: 'nas uses 92 % of its memory',
} as const;
const heat = { name: 'TooHot', instance: 'nas', severity: 'critical', summary: 'nas is at 84 °C' } as const;

/** No internet on Thursday, a disk fails on Friday night, and on Saturday the backup does not even start. */
export const homeServer: Story = {
  recipe: 'home-server',
  chosen: 'grafana',
  phones: { [OWNER]: 'You', ntfy: 'ntfy, the owner’s channel' },
  posts: [
    at('Mon 03:00', backup(0)),
    at('Tue 01:10', monitor(1, 'Photos', 'down')),
    at('Tue 02:00', monitor(1, 'Photos', 'up')),
    at('Tue 03:00', backup(0)),
    at('Tue 20:00', alerts('grafana', [memory], 'firing')),
    at('Tue 23:30', alerts('grafana', [memory], 'resolved', ', at night')),
    at('Wed 02:20', alerts('grafana', [heat], 'firing')),
    at('Wed 02:50', alerts('grafana', [heat], 'resolved')),
    at('Wed 03:00', backup(1)),
    at('Wed 08:30', alerts('grafana', [memory], 'resolved', ', posted again, 9 h late')),
    at('Thu 03:00', backup(0)),
    ...storm('Thu 14:00', { count: 40, everyMs: 500 }, (n) => monitor(10 + n, `Service ${n + 1}`, 'down')),
    ...storm('Thu 14:20', { count: 40, everyMs: 500 }, (n) => monitor(10 + n, `Service ${n + 1}`, 'up')),
    at('Fri 02:00', disk()),
    at('Fri 02:30', disk()),
    at('Fri 03:00', backup(0)),
    at('Sun 09:00', backup(0)),
  ],
};

const full = {
  name: 'DiskFillsUp',
  instance: 'db-1',
  severity: 'warning',
  summary: 'The disk of db-1 will be full in 20 hours',
} as const;
const errors = {
  name: 'HighErrorRate',
  instance: 'web-1',
  severity: 'critical',
  summary: '12% of requests fail',
} as const;
const down = (n: number) =>
  ({
    name: 'InstanceDown',
    instance: `web-${n + 1}`,
    severity: 'critical',
    summary: `web-${n + 1} is down`,
    service: `service-${(n % 10) + 1}`,
  }) as const;

/** A warning and a critical alert in the same night, and a storm of forty on Wednesday. */
export const onCall: Story = {
  recipe: 'on-call',
  phones: { [PHONES[0]]: 'Anna', [PHONES[1]]: 'Ben', [PHONES[2]]: 'Cleo' },
  posts: [
    at('Mon 11:00', alerts('alertmanager', [full], 'firing')),
    at('Mon 12:30', alerts('alertmanager', [full], 'resolved')),
    at('Tue 02:00', alerts('alertmanager', [full], 'firing')),
    at('Tue 02:30', alerts('alertmanager', [errors], 'firing')),
    at('Tue 03:50', alerts('alertmanager', [errors], 'resolved')),
    at('Tue 06:00', alerts('alertmanager', [full], 'firing', ', still')),
    at('Tue 09:00', alerts('alertmanager', [full], 'resolved')),
    at('Wed 15:00', robot('Down')),
    ...storm('Wed 15:00:05', { count: 40, everyMs: 250 }, (n) => alerts('alertmanager', [down(n)], 'firing')),
    ...storm('Wed 15:30', { count: 40, everyMs: 250 }, (n) => alerts('alertmanager', [down(n)], 'resolved')),
    at('Wed 15:31', robot('Up')),
    at('Thu 10:00', alerts('alertmanager', [errors], 'firing')),
    at('Thu 10:00:03', alerts('alertmanager', [errors], 'firing', ', from the other Alertmanager')),
    at('Thu 10:20', alerts('alertmanager', [errors], 'resolved')),
    at('Fri 16:00', robot('Down')),
    at('Fri 18:30', { ...robot('Up'), what: 'the shop is up, sent 90 minutes late' }),
  ],
};

const tea = { number: 1042, name: 'Ada Lovelace', price: '49.00', phone: '+491713920001' };
const mug = { number: 1043, name: 'Grace Hopper', price: '22.45', phone: '0171 3920002', country: 'GB' };

/** A sale on Thursday, a dispute at night, and a carrier whose news comes two days late. */
export const order: Story = {
  recipe: 'order',
  chosen: 'shopify',
  customers: true,
  phones: { [OWNER]: 'The owner', [ADA]: 'Ada, a customer', [GRACE]: 'Grace, a customer' },
  posts: [
    at('Mon 09:12', paid('orders/create', tea)),
    at('Mon 09:12', paid('orders/paid', tea)),
    at('Mon 14:30', packed(tea)),
    at('Tue 09:05', parcel(tea, 'shipped')),
    at('Tue 13:00', parcel(tea, 'sorted')),
    at('Wed 03:20', paid('orders/paid', mug)),
    at('Wed 10:00', packed(mug)),
    at('Wed 11:40', parcel(tea, 'delivered')),
    ...storm('Thu 10:00', { count: 40, everyMs: 15_000 }, (n) =>
      paid('orders/paid', { number: 1100 + n, name: 'Jean Bartik', price: '22.45' }),
    ),
    at('Fri 02:10', disputed({ ...mug, number: 987, name: 'Kay McNulty' })),
    at('Fri 02:40', disputed({ ...mug, number: 987, name: 'Kay McNulty' })),
    at('Fri 09:00', parcel({ ...mug, phone: '+491713920002' }, 'shipped', { hoursAgo: 41 })),
    at('Sat 11:00', parcel(tea, 'delivered', { isReturn: true })),
    at('Sat 11:30', refunded(tea)),
    ...[1, 2].map((n) => at(`Sun 03:0${n}`, refunded({ number: n, name: 'Jean Bartik', price: '9.50' }))),
  ],
};

const ci = { workflow: 1, name: 'CI', title: 'Round totals once, at the end' };
const nightly = { workflow: 2, name: 'Nightly', title: 'Nightly' };
const search = { workflow: 3, name: 'Search', title: 'Faster search' };
const many = (n: number) => ({ workflow: 100 + n, name: `Package ${n + 1}`, title: 'Update the base image' });

/** Forty workflows break at once on Wednesday, and one fails at random on Friday. */
export const repository: Story = {
  recipe: 'repository',
  phones: { [OWNER]: 'The team' },
  posts: [
    at('Mon 10:00', run({ ...ci, run: 1, is: 'failure' })),
    at('Mon 10:20', run({ ...ci, run: 2, is: 'failure' })),
    at('Mon 11:05', run({ ...ci, run: 3, is: 'success' })),
    at('Tue 02:00', run({ ...nightly, run: 4, is: 'failure' })),
    at('Tue 03:00', run({ ...nightly, run: 5, is: 'success' })),
    at('Tue 04:00', run({ ...search, run: 6, is: 'failure' })),
    at('Tue 09:10', run({ ...search, run: 7, is: 'success' })),
    ...storm('Wed 09:00', { count: 40, everyMs: 1_000 }, (n) =>
      run({ ...many(n), run: 200 + n, is: 'failure' }),
    ),
    ...storm('Wed 09:40', { count: 40, everyMs: 1_000 }, (n) =>
      run({ ...many(n), run: 300 + n, is: 'success' }),
    ),
    at('Thu 15:00', released()),
    at('Thu 17:30', { ...released(), what: 'version 2.4, redelivered by hand' }),
    at('Fri 10:00', run({ ...ci, run: 10, is: 'failure' })),
    at('Fri 10:10', run({ ...ci, run: 11, is: 'success' })),
    at('Fri 10:20', run({ ...ci, run: 12, is: 'failure' })),
    at('Fri 10:30', run({ ...ci, run: 13, is: 'success' })),
    at('Fri 10:40', run({ ...ci, run: 14, is: 'failure' })),
    at('Fri 10:50', run({ ...ci, run: 15, is: 'success' })),
    at('Fri 11:00', run({ ...ci, run: 16, is: 'failure' })),
    at('Fri 11:10', run({ ...ci, run: 17, is: 'success' })),
    at('Sat 09:00', run({ ...ci, run: 16, is: 'failure' }, ', a day late')),
  ],
};

/** A week of each recipe. */
export const STORIES: readonly Story[] = [bookings, freelancer, homeServer, onCall, order, repository];
