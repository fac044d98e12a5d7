import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** Typeform. An answer of 404 or 410 would make it switch the webhook off, so it never gets one. */
export const typeform: Provider = {
  id: 'typeform',
  name: 'Typeform',
  subject:
    '{{ payload.form_response.definition.title }} {{ payload.form_response.answers[0].text | default: payload.form_response.answers[0].email }}',
  category: 'forms',
  verify: hmac({ header: ['Typeform-Signature'], encoding: 'base64', prefix: 'sha256=' }),
  event_type: ['body:event_type'],
  dedupe: ['body:event_id', 'body:form_response.token'],
};
