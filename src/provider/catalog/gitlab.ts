import type { Provider } from '../provider.ts';
import { headerToken } from '../schemes.ts';

/** GitLab webhooks with a secret token, which proves the sender, not the body. */
export const gitlab: Provider = {
  id: 'gitlab',
  name: 'GitLab (secret token)',
  category: 'devops',
  verify: headerToken('X-Gitlab-Token'),
  // The header distinguishes confidential issues, `object_kind` does not.
  event_type: ['header:X-Gitlab-Event', 'body:object_kind'],
  // Not X-Gitlab-Event-UUID: different events of one action share it.
  dedupe: ['header:Idempotency-Key', 'header:webhook-id'],
};
