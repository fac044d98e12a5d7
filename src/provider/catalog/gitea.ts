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
};
