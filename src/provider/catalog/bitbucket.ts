import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Bitbucket Cloud and Data Center. For other senders `X-Hub-Signature` is SHA-1; here its prefix says SHA-256. */
export const bitbucket: Provider = {
  id: 'bitbucket',
  name: 'Bitbucket Cloud / Data Center',
  subject:
    '{{ payload.repository.name | default: payload.pullRequest.toRef.repository.name }} {% assign pull = payload.pullrequest | default: payload.pullRequest %}{% if pull %}#{{ pull.id }} {{ pull.title }}{% elsif payload.commit_status %}{{ payload.commit_status.name }}{% else %}{{ payload.push.changes[0].new.name }} {{ payload.push.changes[0].new.target.message }}{% endif %}',
  category: 'devops',
  verify: hmac({ header: ['X-Hub-Signature'], prefix: 'sha256=' }),
  event_type: ['header:X-Event-Key'],
  // Cloud's name comes first, since proxies add the other header to requests.
  dedupe: ['header:X-Request-UUID', 'header:X-Request-Id'],
  signed_body: {
    window: DAY,
    changing: [
      // All that Data Center posts.
      [{ at: 'body:date' }],
      [{ at: 'body:approval.date' }],
      [{ at: 'body:changes_request.date' }],
      // A pull request itself has the time of its last change, and a thread of comments that is closed twice has not.
      [
        { at: 'body:pullrequest' },
        { at: 'body:approval', absent: true },
        { at: 'body:changes_request', absent: true },
        { at: 'body:comment', absent: true },
      ],
      [{ at: 'body:issue.updated_on' }],
      [{ at: 'body:commit_status.updated_on' }],
    ],
  },
};
