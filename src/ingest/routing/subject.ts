import { truncateTo } from '../../lib/graphemes.ts';
import { renderText } from '../../template/text.ts';
import { eventScope, type WebhookEvent } from '../request/event.ts';

/** As much as a line of a list shows. UTF-16 units. */
const MAX_SUBJECT = 120;

/** Enough for a line of that length behind a lot of white space; the rest is not looked at. UTF-16 units. */
const MAX_RENDERED = 1_024;

/** Line breaks, white space, and what has no width or changes the direction of what follows. */
const GAPS = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** The joiner, without which some emoji and some scripts fall apart. */
const JOINER = '\u200d';

/**
 * The line by which lists show the event, of its source's `subject`: on one line, short, without control characters.
 * Null: the source has none, it is empty, or it cannot be rendered, which holds up nothing.
 */
export function subjectOf(event: WebhookEvent): string | null {
  const { subject, locale } = event.source;
  if (subject === null) return null;
  const rendered = renderText(subject, eventScope(event), locale);
  if (!rendered.ok) return null;
  const line = rendered.value
    .slice(0, MAX_RENDERED)
    .toWellFormed()
    .replaceAll(GAPS, (gap) => (gap === JOINER ? gap : ' '))
    .trim();
  return line === '' ? null : truncateTo(line, MAX_SUBJECT);
}
