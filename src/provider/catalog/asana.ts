import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Asana: lists of events without ids, and an empty list as a heartbeat. Each webhook has its own key. */
export const asana: Provider = {
  id: 'asana',
  name: 'Asana',
  category: 'crm',
  verify: hmac({ header: ['X-Hook-Signature'] }),
  event_type: [['body:events.0.resource.resource_type', 'body:events.0.action']],
  dedupe: [],
  items: {
    at: 'events',
    // A task enters a project and a section at the same instant. Only the parent distinguishes the two.
    id: [
      ['body:created_at', 'body:resource.gid', 'body:action', 'body:parent.gid'],
      ['body:created_at', 'body:resource.gid', 'body:action', 'body:change.field'],
      ['body:created_at', 'body:resource.gid', 'body:action'],
    ],
  },
  handshakes: [
    {
      match: { method: 'POST', where: [{ at: 'header:X-Hook-Secret' }] },
      proof: { by: 'pairing', key: 'header:X-Hook-Secret' },
      respond: { status: 200, headers: { 'X-Hook-Secret': { echo: 'header:X-Hook-Secret' } } },
    },
  ],
};
