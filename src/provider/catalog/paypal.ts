import type { Provider } from '../provider.ts';

/** PayPal. What a source has as its secret is the webhook's id, which is a part of what is signed. */
export const paypal: Provider = {
  id: 'paypal',
  name: 'PayPal',
  category: 'payments',
  // It goes on trying for three days, and the time of transmission may be the first one's. What it signed makes one
  // event, so that so long a time lets nobody in.
  verify: { scheme: 'rsa', format: 'paypal', tolerance: 3 * 86_400_000 },
  event_type: ['body:event_type'],
  dedupe: ['body:id'],
};
