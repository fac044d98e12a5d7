import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

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
    // Actions that people repeat, undo and redo. Their bodies have neither a number nor a time.
    repeats: [
      [{ at: 'body:workflow' }, { at: 'body:action', absent: true }],
      [{ at: 'body:client_payload' }],
      [{ at: 'body:member' }],
      [{ at: 'body:membership' }],
      [{ at: 'body:team' }],
      [{ at: 'body:requested_action' }],
      [{ at: 'body:action', equals: 'rerequested' }],
      [{ at: 'body:action', equals: 'revoked' }],
      [{ at: 'body:action', equals: 'started' }],
    ],
  },
};
