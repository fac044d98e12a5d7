import type { Provider } from '../provider.ts';
import { headerToken } from '../schemes.ts';

/** Cloudflare's notifications, as it posts them to a generic webhook. */
export const cloudflareNotifications: Provider = {
  id: 'cloudflare-notifications',
  name: 'Cloudflare Notifications',
  subject:
    '{{ payload.name }} {{ payload.data.health_check_name | default: payload.data.target_hostname | default: payload.data.zone_name }}',
  category: 'alerts',
  verify: headerToken('cf-webhook-auth'),
  event_type: ['body:alert_type'],
  dedupe: [['body:policy_id', 'body:alert_correlation_id', 'body:alert_event', 'body:ts']],
};
