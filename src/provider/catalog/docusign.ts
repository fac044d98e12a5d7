import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** A signature by one of the account's keys. Docusign sends one for each key, and any of them may be this source's. */
const by = (key: number) => hmac({ header: [`X-DocuSign-Signature-${key}`], encoding: 'base64' });

/** Docusign Connect, as JSON. Each kind of event comes once for an envelope, or once for each of its recipients. */
export const docusign: Provider = {
  id: 'docusign',
  name: 'Docusign Connect',
  subject: '{{ payload.data.envelopeSummary.emailSubject }}',
  category: 'forms',
  size_setting: 'leave out *Documents* and *Certificate of Completion* in its Connect configuration',
  verify: { scheme: 'any', of: [by(1), by(2), by(3), by(4)] },
  event_type: ['body:event'],
  dedupe: [
    ['body:event', 'body:data.envelopeId', 'body:data.recipientId'],
    ['body:event', 'body:data.envelopeId'],
  ],
  answers: [{ status: 200 }],
};
