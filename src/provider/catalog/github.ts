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
};
