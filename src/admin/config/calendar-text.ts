import type { OnCallPeriod } from '../../config/rotation.ts';
import { DAY } from '../../lib/duration.ts';

/** RFC 5545 §3.1: octets of a line, without its end. */
const MAX_LINE = 75;

/** A calendar by RFC 5545 of who is on call. `range`: in ms, for spans whose ends are not in sight. */
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
      // A turn keeps its id while it begins at the same time, whoever has it.
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

/** A long line goes on in the next one, after a space. No character is cut. */
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
