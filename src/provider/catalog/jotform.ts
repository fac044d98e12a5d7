import type { Provider } from '../provider.ts';

/** Jotform: an unsigned multipart form, with the answers as JSON in one of its fields. */
export const jotform: Provider = {
  id: 'jotform',
  name: 'Jotform',
  subject: '{{ payload.formTitle }}',
  category: 'forms',
  verify: null,
  event_type: [],
  dedupe: ['body:submissionID'],
  answers: [{ status: 200 }],
  body: { json_texts: ['rawRequest'] },
};
