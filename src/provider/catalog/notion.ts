import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Notion. Its first request hands over the key for all later requests. */
export const notion: Provider = {
  id: 'notion',
  name: 'Notion',
  subject: '{{ payload.workspace_name }}',
  category: 'crm',
  verify: hmac({ header: ['X-Notion-Signature'], prefix: 'sha256=' }),
  event_type: ['body:type'],
  dedupe: ['body:id'],
  handshakes: [
    {
      match: {
        method: 'POST',
        where: [{ at: 'body:verification_token' }, { at: 'body:type', absent: true }],
      },
      proof: { by: 'pairing', key: 'body:verification_token' },
      respond: { status: 200 },
    },
  ],
};
