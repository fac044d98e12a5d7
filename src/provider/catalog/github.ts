import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** GitHub webhooks of repositories, organisations and apps. The type is the header's alone; `action` is the payload's. */
export const github: Provider = {
  id: 'github',
  name: 'GitHub',
  category: 'devops',
  verify: hmac({ header: ['X-Hub-Signature-256'], prefix: 'sha256=' }),
  event_type: ['header:X-GitHub-Event'],
  dedupe: ['header:X-GitHub-Delivery'],
  signed_body: {
    window: DAY,
    // Actions that people repeat, undo and redo, in bodies without a number or a time.
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
