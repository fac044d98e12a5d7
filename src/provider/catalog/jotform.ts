import type { Provider } from '../provider.ts';

/** Jotform: a multipart form that nobody signs, with the answers as JSON in one of its fields. */
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
