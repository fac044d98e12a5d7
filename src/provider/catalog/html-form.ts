import type { Provider } from '../provider.ts';

/** A form on anybody's page. The visitor's browser posts it, so nothing proves the sender. */
export const htmlForm: Provider = {
  id: 'html-form',
  name: 'Form on your website',
  subject: '{{ payload.name }} {{ payload.email }}',
  category: 'forms',
  words: ['contact', 'feedback', 'booking', 'request', 'Kontakt', 'Formular', 'Anfrage', 'Buchung'],
  verify: { scheme: 'none' },
  event_type: [],
  dedupe: [],
  // A visitor who picks an hour means the clock on the wall of the shop.
  local_times: true,
  form: true,
};
