import type { Provider } from '../provider.ts';

/**
 * Mollie's `webhookUrl` of a payment. It posts an unsigned id. The same id comes again with every change, so no event
 * is a duplicate.
 */
export const mollieLegacy: Provider = {
  id: 'mollie-legacy',
  name: 'Mollie (classic webhookUrl)',
  subject: '{{ payload.id }}',
  category: 'payments',
  verify: null,
  event_type: [],
  dedupe: [],
  answers: [{ status: 200 }],
};
