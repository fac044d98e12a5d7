import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Gitea. Of a form it signs the JSON in it, not the form: only the content type JSON can be verified. */
export const gitea: Provider = {
  id: 'gitea',
  name: 'Gitea',
  category: 'devops',
  verify: hmac({ header: ['X-Gitea-Signature'] }),
  event_type: ['header:X-Gitea-Event'],
  dedupe: ['header:X-Gitea-Delivery'],
  // An edit of a page of the wiki says neither what changed nor when.
  signed_body: { window: DAY, repeats: [[{ at: 'body:page' }]] },
};
