import { lineOf } from '../../template/line.ts';
import { eventScope, type WebhookEvent } from '../request/event.ts';

/** The line by which lists show the event, of its source's `subject`. Null: there is none, which holds up nothing. */
export function subjectOf(event: WebhookEvent): string | null {
  const { subject, locale } = event.source;
  return subject === null ? null : lineOf(subject, eventScope(event), locale);
}
