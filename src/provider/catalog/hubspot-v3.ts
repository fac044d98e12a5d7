import type { Provider } from '../provider.ts';
import { FIVE_MINUTES, hmac } from '../schemes.ts';

/** HubSpot app webhooks: lists of small events. An event's id alone is not unique. */
export const hubspotV3: Provider = {
  id: 'hubspot-v3',
  name: 'HubSpot (v3)',
  subject:
    '{{ payload[0].subscriptionType }} {{ payload[0].objectId }}{% if payload.size > 1 %} +{{ payload.size | minus: 1 }}{% endif %}',
  category: 'crm',
  verify: hmac({
    header: ['X-HubSpot-Signature-v3'],
    encoding: 'base64',
    signed: '{method}{url}{raw_body}{ts}',
    url_form: 'percent_decoded',
    timestamp: { header: ['X-HubSpot-Request-Timestamp'], unit: 'ms', tolerance: FIVE_MINUTES },
  }),
  event_type: ['body:0.subscriptionType'],
  dedupe: [],
  items: { at: '', id: [['body:eventId', 'body:subscriptionId', 'body:occurredAt']] },
};
