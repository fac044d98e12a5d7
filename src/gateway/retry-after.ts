/** The longest delay. With a wrong clock or unit, a gateway could otherwise delay a message for years. */
const MAX_MS = 24 * 3_600_000;

const SECONDS = /^[+-]?\d{1,15}(?:\.\d+)?$/;
/**
 * The three date formats that RFC 9110 §5.6.7 requires every recipient to read. Date.parse alone would read `2` as a
 * date.
 */
const IMF_FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC_850 = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Returns the wait that a `Retry-After` header (RFC 9110 §10.2.3: seconds or an HTTP date) asks for, counted from `now`
 * (ms since the epoch), in whole milliseconds up to 24 hours. A time in the past is 0. Null if the header is missing or
 * invalid.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  const wait = SECONDS.test(text) ? Number(text) * 1_000 : parseHttpDate(text) - now;
  return Number.isNaN(wait) ? null : Math.ceil(Math.min(Math.max(wait, 0), MAX_MS));
}

/** Ms since the epoch; NaN for anything that is not an HTTP date. */
function parseHttpDate(text: string): number {
  if (IMF_FIXDATE.test(text) || RFC_850.test(text)) return Date.parse(text);
  // asctime has no zone; by RFC 9110 every HTTP date is UTC.
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : NaN;
}
