import type { Provider } from '../provider.ts';
import { standardWebhooksHmac } from '../schemes.ts';

/** Supabase's Auth hooks over HTTP. The sign-in waits for the answer, but not for the message. */
export const supabaseAuthHooks: Provider = {
  id: 'supabase-auth-hooks',
  name: 'Supabase Auth Hooks (HTTP)',
  subject: '{{ payload.user.email | default: payload.user.id }}',
  category: 'other',
  verify: {
    ...standardWebhooksHmac,
    strip_secret_prefixes: ['v1,whsec_', 'whsec_'],
    // While a secret is rotated, one text contains both.
    secret_separator: '|',
  },
  event_type: ['body:metadata.name'],
  dedupe: ['header:webhook-id', 'header:svix-id'],
  // Supabase continues the sign-in if the answer has no `error`.
  answers: [{ status: 200, body: '{}', content_type: 'application/json' }],
};
