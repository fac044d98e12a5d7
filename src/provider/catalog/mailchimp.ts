import type { Provider } from '../provider.ts';

/** Mailchimp's audiences: unsigned forms. It tests an address by an empty GET. */
export const mailchimp: Provider = {
  id: 'mailchimp',
  name: 'Mailchimp',
  subject:
    '{{ payload["data[email]"] | default: payload["data[new_email]"] | default: payload["data[subject]"] }}',
  category: 'email',
  verify: null,
  event_type: ['body:type'],
  dedupe: [
    ['body:type', 'body:fired_at', 'body:data[email]'],
    ['body:type', 'body:fired_at', 'body:data[new_email]'],
    ['body:type', 'body:fired_at', 'body:data[id]'],
  ],
  handshakes: [{ match: { method: 'GET', where: [] }, proof: { by: 'nothing' }, respond: { status: 200 } }],
  answers: [{ status: 200 }],
};
