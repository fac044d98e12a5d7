import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** An outgoing webhook of a Teams channel. Teams posts the answer as a reply, and shows an error if there is none. */
export const microsoftTeamsOutgoing: Provider = {
  id: 'microsoft-teams-outgoing',
  name: 'Microsoft Teams outgoing webhook',
  subject: '{{ payload.from.name }} {{ payload.text | strip_html }}',
  category: 'messaging',
  verify: hmac({
    header: ['Authorization'],
    prefix: 'HMAC ',
    encoding: 'base64',
    secret_encoding: 'base64',
  }),
  event_type: ['body:type'],
  dedupe: ['body:id'],
  answers: [{ status: 200, body: '{"type":"message","text":"Received."}', content_type: 'application/json' }],
};
