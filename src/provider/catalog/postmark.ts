import type { Provider } from '../provider.ts';

/** Postmark. Requests are not signed; the user and password are in the address that it posts to. */
export const postmark: Provider = {
  id: 'postmark',
  name: 'Postmark',
  subject:
    '{{ payload.Email | default: payload.FromName | default: payload.Recipient }} {{ payload.Subject }}',
  category: 'email',
  size_setting:
    'switch off *Include raw email content in JSON payload* of its inbound stream; attachments count, too',
  verify: { scheme: 'basic' },
  // Incoming mail has no record type. Its stream is called `inbound`.
  event_type: ['body:RecordType', 'body:MessageStream'],
  // Bounces and complaints have ids. One message may be opened and clicked many times, each at its own time.
  dedupe: [
    ['body:RecordType', 'body:ID'],
    ['body:RecordType', 'body:MessageID', 'body:ReceivedAt'],
    ['body:RecordType', 'body:MessageID', 'body:DeliveredAt'],
    ['body:RecordType', 'body:MessageID', 'body:ChangedAt'],
    ['body:MessageID', 'body:Date'],
  ],
  answers: [{ status: 200 }],
};
