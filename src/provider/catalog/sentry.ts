import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

const ISSUE = { at: 'body:data.issue' } as const;

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
    // States that people may set again and again. A regression or an escalation has another count each time.
    repeats: [
      [ISSUE, { at: 'body:action', equals: 'resolved' }],
      [ISSUE, { at: 'body:action', equals: 'assigned' }],
      [ISSUE, { at: 'body:action', equals: 'archived' }],
      [ISSUE, { at: 'body:action', equals: 'ignored' }],
      [
        ISSUE,
        { at: 'body:action', equals: 'unresolved' },
        { at: 'body:data.issue.substatus', equals: 'ongoing' },
      ],
    ],
  },
};
