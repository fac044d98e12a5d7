import { at, storm, type Story } from '../story.ts';
import { disputed, packed, paid, parcel, refunded } from '../webhooks.ts';

export const OWNER = '4915112345678';
export const ADA = '491713920001';
export const GRACE = '491713920002';

const ada = { number: 1042, name: 'Ada Lovelace', price: '49.00', phone: '+491713920001' };
const grace = { number: 1043, name: 'Grace Hopper', price: '22.45', phone: '0171 3920002' };

/** A sale on Thursday, a dispute at night, and a carrier whose news comes two days late. */
export const order: Story = {
  recipe: 'order',
  title: 'A week of a shop: orders, parcels, money that goes back',
  chosen: 'shopify',
  customers: true,
  phones: { [OWNER]: 'The owner', [ADA]: 'Ada, a customer', [GRACE]: 'Grace, a customer' },
  posts: [
    at('Mon 09:12', paid('orders/create', ada)),
    at('Mon 09:12', paid('orders/paid', ada)),
    at('Mon 14:30', packed(ada)),
    at('Tue 09:05', parcel(ada, 'shipped')),
    at('Tue 13:00', parcel(ada, 'sorted')),
    at('Wed 03:20', paid('orders/paid', grace)),
    at('Wed 10:00', packed(grace)),
    at('Wed 11:40', parcel(ada, 'delivered')),
    ...storm('Thu 10:00', { count: 40, everyMs: 15_000 }, (n) =>
      paid('orders/paid', { number: 1100 + n, name: 'Jean Bartik', price: '22.45' }),
    ),
    at('Fri 02:10', disputed({ ...grace, number: 987, name: 'Kay McNulty' })),
    at('Fri 02:40', disputed({ ...grace, number: 987, name: 'Kay McNulty' })),
    at('Fri 09:00', parcel({ ...grace, phone: '+491713920002' }, 'shipped', { hoursAgo: 41 })),
    at('Sat 11:00', parcel(ada, 'delivered', { isReturn: true })),
    at('Sat 11:30', refunded(ada)),
  ],
};
