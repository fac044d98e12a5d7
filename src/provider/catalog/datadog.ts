import type { Provider } from '../provider.ts';

/**
 * Datadog's webhooks integration, with the payload of its starter. Datadog's own payloads do not say when a problem
 * ends.
 */
export const datadog: Provider = {
  id: 'datadog',
  name: 'Datadog',
  subject: '{{ payload.title }}',
  category: 'alerts',
  verify: null,
  event_type: ['body:transition'],
  dedupe: ['body:id'],
  size_setting: 'shorten the payload of its webhook',
};
