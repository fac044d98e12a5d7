import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Forgejo and Codeberg. It sends Gitea's headers as well; its own names are those that it keeps. */
export const forgejo: Provider = {
  id: 'forgejo',
  name: 'Forgejo',
  category: 'devops',
  verify: hmac({ header: ['X-Forgejo-Signature'] }),
  event_type: ['header:X-Forgejo-Event'],
  dedupe: ['header:X-Forgejo-Delivery'],
  // An edit of a page of the wiki says neither what changed nor when.
  signed_body: { window: DAY, repeats: [[{ at: 'body:page' }]] },
};
