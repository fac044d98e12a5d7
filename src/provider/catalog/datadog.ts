import type { Provider } from '../provider.ts';

/** Datadog's webhooks integration, with the payload of its starter: Datadog has none that says what ends a problem. */
export const datadog: Provider = {
  id: 'datadog',
  name: 'Datadog',
  subject: '{{ payload.title }}',
  category: 'alerts',
  verify: null,
  event_type: ['body:transition'],
  dedupe: ['body:id'],
};
