import { SNS_HOST } from '../../signature/certificates/pinned-hosts.ts';
import type { Provider } from '../provider.ts';

/** Amazon SNS without raw message delivery, which is not signed. The source's secret is the topic's ARN. */
export const awsSns: Provider = {
  id: 'aws-sns',
  name: 'AWS SNS HTTP(S) subscription',
  subject:
    '{% assign one = payload.Message %}{{ payload.Subject | default: one.AlarmName | default: one.mail.commonHeaders.subject | default: one.detail-type | default: payload.TopicArn }}',
  category: 'other',
  // 65 minutes: a delivery policy may retry for an hour, and every try has the time of the first.
  verify: { scheme: 'rsa', format: 'sns', tolerance: 65 * 60_000 },
  event_type: ['body:Type'],
  dedupe: ['body:MessageId'],
  body: { json_texts: ['Message'] },
  handshakes: [
    {
      match: { method: 'POST', where: [{ at: 'body:Type', equals: 'SubscriptionConfirmation' }] },
      proof: { by: 'signature' },
      respond: { status: 200 },
      confirm: { url: 'body:SubscribeURL', host: SNS_HOST.source },
    },
    {
      // Calling its SubscribeURL would undo somebody's unsubscription.
      match: { method: 'POST', where: [{ at: 'body:Type', equals: 'UnsubscribeConfirmation' }] },
      proof: { by: 'signature' },
      respond: { status: 200 },
    },
  ],
};
