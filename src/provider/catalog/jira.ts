import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/**
 * Jira Cloud's webhooks of an administrator. For other senders `X-Hub-Signature` is SHA-1; here its prefix says
 * SHA-256.
 */
export const jira: Provider = {
  id: 'jira',
  name: 'Jira',
  subject: '{{ payload.issue.key }} {{ payload.issue.fields.summary }}',
  category: 'devops',
  verify: hmac({ header: ['X-Hub-Signature'], prefix: 'sha256=' }),
  event_type: ['body:webhookEvent'],
  dedupe: ['header:X-Atlassian-Webhook-Identifier'],
  signed_body: { window: DAY, changing: [[{ at: 'body:timestamp' }]] },
};
