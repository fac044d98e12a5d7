import type { Provider } from '../provider.ts';
import { FIVE_MINUTES, headerToken, hmac } from '../schemes.ts';

/** Buildkite. One token either signs the body and the time, or is sent unchanged, as a setting of the webhook says. */
export const buildkite: Provider = {
  id: 'buildkite',
  name: 'Buildkite',
  subject:
    '{{ payload.pipeline.name | default: payload.pipeline.slug | default: payload.organization.name }} {% if payload.build %}#{{ payload.build.number }}{% endif %} {{ payload.build.branch }}',
  category: 'devops',
  verify: {
    scheme: 'any',
    of: [
      hmac({
        header: ['X-Buildkite-Signature'],
        list_separator: ',',
        key_value_separator: '=',
        keys: ['signature'],
        signed: '{ts}.{raw_body}',
        timestamp: { signature_param: 'timestamp', unit: 's', tolerance: FIVE_MINUTES },
      }),
      headerToken('X-Buildkite-Token'),
    ],
  },
  event_type: ['header:X-Buildkite-Event', 'body:event'],
  // A build that is tried again also ends again, at another time.
  dedupe: [
    ['body:event', 'body:build.id', 'body:build.finished_at'],
    ['body:event', 'body:job.id', 'body:job.state'],
    ['body:event', 'body:build.id', 'body:build.state'],
  ],
};
