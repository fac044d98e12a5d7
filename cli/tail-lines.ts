import { aboutText } from './incident.ts';
import type { Output } from './output.ts';
import type { Change } from './relay/follow.ts';
import { shortTime, stateColour } from './show.ts';
import { count, oneLine, widthOf, wrap } from './text.ts';
import { waitText } from './waits.ts';

/** A change in words: the state decides the colour, the word is shown for it. */
interface ChangeInWords {
  readonly id: string;
  readonly state: string;
  readonly word: string;
  readonly text: string;
}

/** The indentation of a text that does not fit into its line: it continues below the word. */
const INDENT = 10;

/** Prints a change: one line, or where the terminal has no room, the text whole below it. */
export function showChange(out: Output, change: Change, mark = ''): void {
  const { id, state, word, text } = said(change);
  const head = `${shortTime(change.at)}  ${word.padEnd(9)}`;
  const name = oneLine(id);
  const rest = oneLine(text + mark);
  const line = `${head}  ${name.padEnd(20)}  ${rest}`.trimEnd();
  const colour = (whole: string): string => stateColour(out, state, head) + whole.slice(head.length);
  if (widthOf(line) <= out.columns) return out.line(colour(line));
  out.line(colour(`${head}  ${name}`));
  for (const more of wrap(rest, out.columns - INDENT)) out.line(' '.repeat(INDENT) + more);
}

function said(change: Change): ChangeInWords {
  switch (change.type) {
    case 'event': {
      const { event: id, state, duplicate, source, event_type: type, subject, waiting } = change;
      const later = waiting === undefined ? '' : `, ${count(waiting, 'item')} waiting for a notification`;
      const why = change.reason ?? (state === 'unmatched' ? 'no route matched' : undefined);
      const what = [source, type, subject && `“${subject}”`].filter(Boolean).join(' ');
      return { id, state, word: duplicate ? 'again' : state, text: what + later + because(why) };
    }
    case 'message': {
      const { message: id, state, source, route } = change;
      const from = source === null ? 'by hand' : `${source}/${route ?? ''}`;
      return { id, state, word: state, text: from + attemptText(change) };
    }
    case 'rejection': {
      const { n, source, status, code, detail } = change;
      return {
        id: `rejection ${n}`,
        state: 'failed',
        word: 'refused',
        text: `${source} ${status} ${code}${because(detail)}`,
      };
    }
  }
}

const because = (why: string | undefined): string => (why === undefined ? '' : `: ${why}`);

/** The last attempt of a message, why it failed, and when there is another. */
function attemptText(change: Extract<Change, { readonly type: 'message' }>): string {
  const { state, outcome, http_status: status, duration_ms: took, n, reason, about } = change;
  const hasFailed = outcome !== undefined && outcome !== 'sent';
  const parts = [
    n !== undefined && (hasFailed || n > 1) ? `attempt ${n}` : undefined,
    outcome === state ? undefined : outcome,
    hasFailed && status !== undefined ? `HTTP ${status}` : undefined,
    took === undefined ? undefined : `${took} ms`,
    about && aboutText(about),
  ].filter((part) => part !== undefined);
  const tried = parts.length === 0 ? '' : ` ${parts.join(', ')}`;
  const waits = waitText({ ...change, attempts: [] });
  if (waits !== undefined) return `${tried}${tried === '' ? ' waits' : '; waits'}: ${waits}`;
  const next = change.next_attempt_at;
  // A login that is refused pauses the account: nobody knows until when.
  const isOpen = next === undefined || state === 'sending' || outcome === 'unauthorized';
  return tried + because(reason) + (isOpen ? '' : `; again at ${shortTime(next)}`);
}
