import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';
import { changedBy } from '../signed-body.ts';

/** Gitea. It signs the JSON inside a form, not the form. So only the content type JSON can be verified. */
export const gitea: Provider = {
  id: 'gitea',
  name: 'Gitea',
  subject:
    '{{ payload.repository.name }} {% assign pull = payload.pull_request | default: payload.issue %}{% if pull %}#{{ pull.number }} {{ pull.title }}{% elsif payload.release %}{{ payload.release.tag_name }}{% elsif payload.head_commit %}{{ payload.ref | remove_first: "refs/heads/" }} {{ payload.head_commit.message }}{% else %}{{ payload.workflow_run.display_title | default: payload.run.title }}{% endif %}',
  category: 'devops',
  left_out: { list: 'commits', total: 'total_commits' },
  verify: hmac({ header: ['X-Gitea-Signature'] }),
  event_type: ['header:X-Gitea-Event'],
  dedupe: ['header:X-Gitea-Delivery'],
  signed_body: {
    window: DAY,
    changing: [
      [{ at: 'body:after' }, { at: 'body:repository.updated_at' }],
      // An issue or a pull request is opened once.
      [{ at: 'body:action', equals: 'opened' }],
      ...changedBy(
        ['body:issue.updated_at', 'body:pull_request.updated_at'],
        ['closed', 'reopened', 'edited', 'label_updated', 'assigned', 'unassigned'],
      ),
      ...changedBy(['body:comment.created_at'], ['created']),
    ],
  },
};
