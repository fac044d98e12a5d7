import type { Provider } from '../provider.ts';

/** Better Stack's incidents and monitors. Errors, and subscriptions to status pages, have another form. */
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
  // Only incidents have a start. A monitor can be paused or changed any number of times.
  dedupe: [['body:data.id', 'body:event', 'body:data.attributes.started_at']],
};
