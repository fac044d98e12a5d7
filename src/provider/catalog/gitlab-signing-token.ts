import type { Provider } from '../provider.ts';
import { standardWebhooksHmac } from '../schemes.ts';

/** GitLab webhooks with a signing token, which follow Standard Webhooks. The older secret token may also be sent. */
export const gitlabSigningToken: Provider = {
  id: 'gitlab-signing-token',
  name: 'GitLab (signing token)',
  subject:
    '{{ payload.project.name }} {% if payload.object_kind == "push" %}{{ payload.ref | remove_first: "refs/heads/" }} {{ payload.commits[0].title }}{% elsif payload.object_kind == "pipeline" %}{{ payload.object_attributes.ref }} {{ payload.commit.title }}{% else %}#{{ payload.object_attributes.iid }} {{ payload.object_attributes.title }}{% endif %}',
  category: 'devops',
  left_out: { list: 'commits', total: 'total_commits_count' },
  verify: standardWebhooksHmac,
  event_type: ['header:X-Gitlab-Event', 'body:object_kind'],
  // Both names that the scheme accepts. Otherwise a repeated request could hide its id under the other name.
  dedupe: ['header:webhook-id', 'header:svix-id'],
};
