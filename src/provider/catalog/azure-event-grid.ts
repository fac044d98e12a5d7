import type { Provider } from '../provider.ts';
import { bearerOrQueryToken } from '../schemes.ts';

/** Event Grid's own schema; its CloudEvents come to `cloudevents-abuse-protection`. */
export const azureEventGrid: Provider = {
  id: 'azure-event-grid',
  name: 'Azure Event Grid (Event Grid schema)',
  subject:
    '{{ payload[0].data.ObjectName | default: payload[0].data.operationName | default: payload[0].subject }}{% if payload.size > 1 %} +{{ payload.size | minus: 1 }}{% endif %}',
  category: 'devops',
  verify: bearerOrQueryToken,
  // The first event's type, since a list has none.
  event_type: ['body:0.eventType'],
  dedupe: [],
  items: { at: '', id: [['body:topic', 'body:id']] },
  size_setting: 'lower *Max events per batch* and *Preferred batch size* of its subscription',
  handshakes: [
    {
      // No document says that the check has the headers of a delivery.
      match: {
        method: 'POST',
        where: [
          { at: 'header:aeg-event-type', equals: 'SubscriptionValidation' },
          { at: 'body:0.data.validationCode' },
        ],
      },
      proof: { by: 'nothing' },
      respond: {
        status: 200,
        body: { json: { validationResponse: { echo: 'body:0.data.validationCode' } } },
      },
    },
  ],
};
