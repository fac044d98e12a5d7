import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Sentry's integration platform. Its timestamp header is not signed, so it proves nothing. */
export const sentry: Provider = {
  id: 'sentry',
  name: 'Sentry integration platform',
  category: 'devops',
  verify: hmac({ header: ['Sentry-Hook-Signature'] }),
  event_type: [['header:Sentry-Hook-Resource', 'body:action'], 'header:Sentry-Hook-Resource'],
  dedupe: ['header:Request-ID'],
};
