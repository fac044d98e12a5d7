import { DAY } from '../../lib/duration.ts';
import type { Provider } from '../provider.ts';
import { FIVE_MINUTES } from '../schemes.ts';

/** Netlify's form submissions and deploys. The type is only in the header, which the signature does not cover. */
export const netlify: Provider = {
  id: 'netlify',
  name: 'Netlify forms / deploy notifications',
  subject:
    '{% if payload.state %}{{ payload.name }} {{ payload.branch }} {{ payload.title }}{% else %}{{ payload.form_name }} {{ payload.name | default: payload.email }}{% endif %}',
  category: 'forms',
  verify: {
    scheme: 'jwt',
    header: ['X-Webhook-Signature'],
    algorithm: 'HS256',
    issuer: 'netlify',
    body_hash_claim: 'sha256',
    tolerance: FIVE_MINUTES,
  },
  event_type: ['header:X-Netlify-Event'],
  // A deploy keeps its id in all its states. A submission has no `updated_at`.
  dedupe: [
    ['body:id', 'header:X-Netlify-Event', 'body:updated_at'],
    ['body:id', 'header:X-Netlify-Event'],
  ],
  // A submission comes once.
  signed_body: { window: DAY, changing: [[{ at: 'body:updated_at' }], [{ at: 'body:form_id' }]] },
};
