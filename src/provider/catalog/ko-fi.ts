import type { Provider } from '../provider.ts';

/** Ko-fi: JSON in the field `data` of a form. The JSON contains the token that proves it. */
export const koFi: Provider = {
  id: 'ko-fi',
  name: 'Ko-fi',
  subject: '{{ payload.from_name }} {{ payload.amount }} {{ payload.currency }}',
  category: 'payments',
  verify: { scheme: 'token', in: 'body', name: 'verification_token' },
  event_type: ['body:type'],
  dedupe: ['body:message_id'],
  answers: [{ status: 200 }],
  body: { json_field: 'data' },
};
