import { subjectOf as subjectOfSource } from '../../config/compiled/config.ts';
import { lineOf } from '../../template/line.ts';
import { eventScope, type WebhookEvent } from '../request/event.ts';

/** Returns the line by which lists show the event. Null if there is none; the event is accepted all the same. */
export function subjectOf(event: WebhookEvent): string | null {
  const subject = subjectOfSource(event.source);
  return subject === null ? null : lineOf(subject, eventScope(event), event.source.locale);
}
