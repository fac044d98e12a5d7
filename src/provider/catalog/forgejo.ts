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
};
