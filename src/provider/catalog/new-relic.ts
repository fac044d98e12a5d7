import type { Provider } from '../provider.ts';

/** New Relic's workflows, with the template of its starter. */
export const newRelic: Provider = {
  id: 'new-relic',
  name: 'New Relic workflows',
  subject: '{{ payload.title }}',
  category: 'alerts',
  size_setting: 'shorten the payload template of its destination',
  verify: null,
  event_type: ['body:state'],
  dedupe: [['body:id', 'body:state', 'body:trigger', 'body:updatedAt']],
};
