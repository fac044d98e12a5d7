import { jsonSample, type Provider } from './provider.ts';

/** Typeform. Never answered with 404 or 410, at which it switches the webhook off. */
export const typeform: Provider = {
  id: 'typeform',
  name: 'Typeform',
  category: 'forms',
  docs_url: 'https://www.typeform.com/developers/webhooks/',
  verify: {
    scheme: 'hmac',
    header: ['Typeform-Signature'],
    algorithm: 'sha256',
    encoding: 'base64',
    prefix: 'sha256=',
    signed: '{raw_body}',
    secret_encoding: 'utf8',
  },
  event_type: ['body:event_type'],
  dedupe: ['body:event_id', 'body:form_response.token'],
  samples: [
    jsonSample('form_response', {
      event_id: '01KE7D3V0M8J5ZC2X4W6T9QYRB',
      event_type: 'form_response',
      form_response: {
        form_id: 'lT4Z3j',
        token: 'a3a12ec67a1365927098a606107fac15',
        landed_at: '2026-01-05T08:28:11Z',
        submitted_at: '2026-01-05T08:30:00Z',
        definition: {
          id: 'lT4Z3j',
          title: 'Book a table',
          fields: [
            { id: 'DlXFaesGBpoF', ref: 'name', type: 'short_text', title: 'Your name?', properties: {} },
            { id: 'SMEUb7VJz92Q', ref: 'phone', type: 'phone_number', title: 'Your number?', properties: {} },
            { id: 'JwWggjAKtOkA', ref: 'guests', type: 'number', title: 'How many guests?', properties: {} },
          ],
        },
        answers: [
          {
            type: 'text',
            text: 'Ada Lovelace',
            field: { id: 'DlXFaesGBpoF', ref: 'name', type: 'short_text' },
          },
          {
            type: 'phone_number',
            phone_number: '+491713920001',
            field: { id: 'SMEUb7VJz92Q', ref: 'phone', type: 'phone_number' },
          },
          { type: 'number', number: 4, field: { id: 'JwWggjAKtOkA', ref: 'guests', type: 'number' } },
        ],
      },
    }),
  ],
  routes: [
    {
      name: 'thank-you',
      when: 'event.type == "form_response"',
      to: '{{ payload.form_response.answers | where: "type", "phone_number" | map: "phone_number" | first }}',
      send: {
        kind: 'text',
        message: 'Thanks, we got your answers to {{ payload.form_response.definition.title | bold }}.',
      },
    },
  ],
};
