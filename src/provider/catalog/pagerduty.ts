import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** PagerDuty webhooks of version 3. While a secret is rotated, a request has a signature for each secret. */
export const pagerduty: Provider = {
  id: 'pagerduty',
  name: 'PagerDuty V3 webhooks',
  subject:
    '{% if payload.event.data.message %}{{ payload.event.data.message }}{% else %}#{{ payload.event.data.number | default: payload.event.data.incident.number }} {{ payload.event.data.title | default: payload.event.data.incident.summary }}{% endif %}',
  category: 'alerts',
  verify: hmac({
    header: ['X-PagerDuty-Signature'],
    list_separator: ',',
    key_value_separator: '=',
    keys: ['v1'],
  }),
  event_type: ['body:event.event_type'],
  dedupe: ['body:event.id'],
};
