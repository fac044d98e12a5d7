import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';
import { changedBy } from '../signed-body.ts';

/** Sentry's integration platform. Its timestamp header is not signed, so it proves nothing. */
export const sentry: Provider = {
  id: 'sentry',
  name: 'Sentry integration platform',
  subject:
    '{{ payload.data.issue.shortId }} {{ payload.data.issue.title | default: payload.data.event.title | default: payload.data.metric_alert.title | default: payload.data.error.title }}',
  category: 'devops',
  verify: hmac({ header: ['Sentry-Hook-Signature'] }),
  event_type: [['header:Sentry-Hook-Resource', 'body:action'], 'header:Sentry-Hook-Resource'],
  dedupe: ['header:Request-ID'],
  signed_body: {
    window: DAY,
    changing: [
      ...changedBy(['body:data.issue', 'body:data.comment_id'], ['created']),
      // These have another count each time. People may set any other state again and again.
      ...['regressed', 'escalating'].map((equals) => [
        { at: 'body:data.issue.substatus', equals } as const,
        { at: 'body:action', equals: 'unresolved' } as const,
      ]),
      [{ at: 'body:data.event.event_id' }],
      [{ at: 'body:data.error.event_id' }],
    ],
  },
};
