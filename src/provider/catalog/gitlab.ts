import type { Provider } from '../provider.ts';
import { headerToken } from '../schemes.ts';

/** GitLab webhooks with a secret token, which proves the sender, not the body. */
export const gitlab: Provider = {
  id: 'gitlab',
  name: 'GitLab (secret token)',
  subject:
    '{{ payload.project.name }} {% if payload.object_kind == "push" %}{{ payload.ref | remove_first: "refs/heads/" }} {{ payload.commits[0].title }}{% elsif payload.object_kind == "pipeline" %}{{ payload.object_attributes.ref }} {{ payload.commit.title }}{% else %}#{{ payload.object_attributes.iid }} {{ payload.object_attributes.title }}{% endif %}',
  category: 'devops',
  left_out: { list: 'commits', total: 'total_commits_count' },
  verify: headerToken('X-Gitlab-Token'),
  // The header distinguishes confidential issues; `object_kind` does not.
  event_type: ['header:X-Gitlab-Event', 'body:object_kind'],
  // Not X-Gitlab-Event-UUID: different events of one action have the same.
  dedupe: ['header:Idempotency-Key', 'header:webhook-id'],
};
