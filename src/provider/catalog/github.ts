import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';
import { changedBy } from '../signed-body.ts';

/**
 * GitHub webhooks of repositories, organisations and apps. The type is only in the header; `action` is in the payload.
 */
export const github: Provider = {
  id: 'github',
  name: 'GitHub',
  subject:
    '{{ payload.repository.name }} {% assign pull = payload.pull_request | default: payload.issue %}{% if pull %}#{{ pull.number }} {{ pull.title }}{% elsif payload.release %}{{ payload.release.tag_name }}{% elsif payload.workflow_run %}{{ payload.workflow_run.name }} {{ payload.workflow_run.head_branch }}{% else %}{{ payload.ref | remove_first: "refs/heads/" }} {{ payload.head_commit.message }}{% endif %}',
  category: 'devops',
  verify: hmac({ header: ['X-Hub-Signature-256'], prefix: 'sha256=' }),
  event_type: ['header:X-GitHub-Event'],
  dedupe: ['header:X-GitHub-Delivery'],
  signed_body: {
    window: DAY,
    changing: [
      [{ at: 'body:after' }, { at: 'body:repository.pushed_at' }],
      // An issue or a pull request is opened once.
      [{ at: 'body:action', equals: 'opened' }],
      ...changedBy(
        ['body:issue.updated_at', 'body:pull_request.updated_at'],
        ['closed', 'reopened', 'labeled', 'unlabeled', 'assigned', 'unassigned'],
      ),
      ...changedBy(['body:comment.created_at', 'body:discussion.created_at'], ['created']),
      ...changedBy(['body:review.submitted_at'], ['submitted']),
      ...changedBy(['body:release.published_at'], ['published']),
      ...changedBy(['body:check_suite.updated_at'], ['completed']),
      [{ at: 'body:workflow_run.run_attempt' }],
      [{ at: 'body:workflow_job.run_attempt' }],
      [{ at: 'body:deployment_status.id' }],
      [{ at: 'body:alert.updated_at' }],
      [{ at: 'body:starred_at' }],
      [{ at: 'body:forkee.id' }],
    ],
  },
};
