import type { Provider } from '../provider.ts';

/** New Relic's workflows, with the template of its starter. */
export const newRelic: Provider = {
  id: 'new-relic',
  name: 'New Relic workflows',
  subject: '{{ payload.title }}',
  category: 'alerts',
  verify: null,
  event_type: ['body:state'],
  dedupe: [['body:id', 'body:state', 'body:trigger', 'body:updatedAt']],
};
