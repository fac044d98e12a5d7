import type { Provider } from '../provider.ts';
import { bearerToken } from '../schemes.ts';

/** A log stream of Auth0 in its format "JSON Array". */
export const auth0: Provider = {
  id: 'auth0',
  name: 'Auth0 custom webhook log stream',
  subject:
    '{{ payload[0].data.user_name | default: payload[0].data.user_id }}{% if payload.size > 1 %} +{{ payload.size | minus: 1 }}{% endif %}',
  category: 'other',
  verify: bearerToken,
  event_type: ['body:0.data.type'],
  dedupe: [],
  items: { at: '', id: ['body:log_id'] },
};
