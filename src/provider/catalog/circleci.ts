import type { Provider } from '../provider.ts';
import { hmac } from '../schemes.ts';

/** CircleCI. It sends a list of versioned signatures, but only `v1` exists. */
export const circleci: Provider = {
  id: 'circleci',
  name: 'CircleCI',
  subject:
    '{{ payload.project.name | default: payload.webhook.name }} {{ payload.workflow.name }} {{ payload.pipeline.vcs.branch }}',
  category: 'devops',
  verify: hmac({
    header: ['circleci-signature'],
    list_separator: ',',
    key_value_separator: '=',
    keys: ['v1'],
  }),
  event_type: ['body:type'],
  dedupe: ['body:id'],
};
