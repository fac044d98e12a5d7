import type { Provider } from '../provider.ts';

/** Better Stack: incidents and monitors; errors and subscriptions to status pages look different. */
export const betterStack: Provider = {
  id: 'better-stack',
  name: 'Better Stack (uptime, errors, status pages)',
  subject:
    '{{ payload.data.attributes.name | default: payload.data.attributes.pronounceable_name | default: payload.data.attributes.url }} {{ payload.data.attributes.cause }}',
  category: 'alerts',
  verify: null,
  event_type: [
    ['body:data.type', 'body:event'],
    ['body:data.type', 'body:data.attributes.event'],
    'body:event_type',
  ],
  // Only incidents start; a monitor is paused or changed any number of times.
  dedupe: [['body:data.id', 'body:event', 'body:data.attributes.started_at']],
};
