import type { Provider } from '../provider.ts';
import { bearerToken } from '../schemes.ts';

/** Google Forms has no webhooks. The script in the starter's `setup` sends these. */
export const googleFormsAppsScript: Provider = {
  id: 'google-forms-apps-script',
  name: 'Google Forms (Apps Script)',
  subject: '{{ payload.form }} {{ payload.answers.Name | default: payload.email }}',
  category: 'forms',
  verify: bearerToken,
  event_type: ['body:type'],
  // An edited response keeps its id.
  dedupe: [['body:id', 'body:submitted_at']],
};
