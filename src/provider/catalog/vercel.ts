import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Vercel webhooks of teams and integrations. */
export const vercel: Provider = {
  id: 'vercel',
  name: 'Vercel',
  subject:
    '{{ payload.payload.deployment.name | default: payload.payload.project.id }} {{ payload.payload.deployment.meta.githubCommitRef }} {{ payload.payload.deployment.meta.githubCommitMessage }}',
  category: 'devops',
  verify: hmac({ header: ['x-vercel-signature'], algorithm: 'sha1' }),
  event_type: ['body:type'],
  dedupe: ['body:id'],
};
