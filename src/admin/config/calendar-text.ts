import type { OnCallPeriod } from '../../config/compiled/rotation.ts';
import { DAY } from '../../lib/duration.ts';

/** The octets of a line without its line break (RFC 5545 §3.1). */
const MAX_LINE = 75;

/** Writes a calendar (RFC 5545) of who is on call. `range` (ms) bounds the periods that have no known end. */
export function calendarText(
  list: string,
  spans: readonly OnCallPeriod[],
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const today = Math.floor(from / DAY) * DAY;
  const events = spans.flatMap(({ person, since, until }) => {
    const begin = utc(since ?? today);
    return [
      'BEGIN:VEVENT',
      // A turn keeps its id as long as it begins at the same time, even if somebody else gets it.
      `UID:${since === null ? 'always' : begin}-${list}@hookbell`,
      `DTSTAMP:${utc(from)}`,
      `DTSTART:${begin}`,
      `DTEND:${utc(until ?? to)}`,
      `SUMMARY:${escaped(`${person} (${list})`)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ];
  });
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:hookbell',
    `X-WR-CALNAME:${escaped(list)}`,
    ...events,
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n');
}

const utc = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');

const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (mark) => `\\${mark}`).replaceAll(/\r?\n/g, '\\n');

const encoder = new TextEncoder();

/** Continues a long line in the next one, after a space. Cuts no character in two. */
function folded(line: string): string {
  let text = '';
  let octets = 0;
  for (const character of line) {
    const { length } = encoder.encode(character);
    if (octets + length > MAX_LINE) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += length;
  }
  return text;
}
