import type { Provider } from '../provider.ts';
import { bearerOrQueryToken } from '../schemes.ts';

/** CloudEvents over HTTP, in structured or binary mode, as Azure Event Grid sends them. */
export const cloudeventsAbuseProtection: Provider = {
  id: 'cloudevents-abuse-protection',
  name: 'CloudEvents webhook / Azure Event Grid style',
  category: 'other',
  verify: bearerOrQueryToken,
  event_type: ['header:ce-type', 'body:type'],
  dedupe: [
    ['header:ce-source', 'header:ce-id'],
    ['body:source', 'body:id'],
  ],
  handshakes: [
    {
      match: { method: 'OPTIONS', where: [{ at: 'header:WebHook-Request-Origin' }] },
      proof: { by: 'nothing' },
      respond: {
        status: 200,
        headers: {
          'WebHook-Allowed-Origin': { echo: 'header:WebHook-Request-Origin' },
          'WebHook-Allowed-Rate': '*',
          Allow: 'POST',
        },
      },
    },
  ],
};
