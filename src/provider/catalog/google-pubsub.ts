import type { Provider } from '../provider.ts';

/** A push subscription of Pub/Sub. The source's `verify` names the service account that its tokens belong to. */
export const googlePubsub: Provider = {
  id: 'google-pubsub',
  name: 'Google Cloud Pub/Sub',
  subject:
    '{{ payload.message.data.incident.policy_name | default: payload.message.data.budgetDisplayName | default: payload.message.data.substitutions.TRIGGER_NAME | default: payload.message.data.substitutions.REPO_NAME | default: payload.message.attributes.buildId }}',
  category: 'devops',
  verify: null,
  event_type: ['body:message.attributes.eventType', 'body:subscription'],
  dedupe: ['body:message.messageId'],
  body: { base64_texts: ['message.data'] },
};
