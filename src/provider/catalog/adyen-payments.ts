import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

const item = (name: string) => `NotificationRequestItem.${name}` as const;

/** Adyen's standard webhooks. Each notification has a signature over eight of its own fields. */
export const adyenPayments: Provider = {
  id: 'adyen-payments',
  name: 'Adyen (standard payment notifications)',
  subject:
    '{% assign one = payload.notificationItems[0].NotificationRequestItem %}{{ one.merchantReference }} {{ one.amount.value | money: one.amount.currency }} {{ one.additionalData.cardHolderName }}{% if payload.notificationItems.size > 1 %} +{{ payload.notificationItems.size | minus: 1 }}{% endif %}',
  category: 'payments',
  verify: hmac({
    field: item('additionalData.hmacSignature'),
    encoding: 'base64',
    items: 'notificationItems',
    signed: ['pspReference', 'originalReference', 'merchantAccountCode', 'merchantReference']
      .concat('amount.value', 'amount.currency', 'eventCode', 'success')
      // The shop's own text, which may contain anything.
      .map((name) => `{${name === 'merchantReference' ? 'free ' : ''}item:${item(name)}}`)
      .join(':'),
    // The signature leaves out fields such as reason, date and payment method.
    unsigned_body: true,
    signed_once: true,
    secret_encoding: 'hex',
  }),
  event_type: [`body:notificationItems.0.${item('eventCode')}`],
  dedupe: [],
  items: {
    at: 'notificationItems',
    id: [[`body:${item('pspReference')}`, `body:${item('eventCode')}`, `body:${item('success')}`]],
  },
  // The answer that Adyen documents for old and new integrations.
  answers: [{ status: 200, body: '[accepted]', content_type: 'text/plain' }],
  exponents: { CLP: 2, CVE: 0, IDR: 0, ISK: 2 },
};
