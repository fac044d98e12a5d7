import { wrap } from '../../cli/text.ts';
import type { Answered, Shown, Week } from './play.ts';
import { clock } from './story.ts';

/** All in pixels. */
const WIDTH = 760;
const PHONE_LEFT = 330;
const PHONE_WIDTH = 400;
const LINE = 17;
const TOP = 64;
/** Between two rows. */
const GAP = 8;
const PADDING = 10;
/** Characters in a line of a bubble, and of a webhook. */
const BUBBLE_COLUMNS = 54;
const WEBHOOK_COLUMNS = 40;

/** A message that follows a webhook within this time stands beside it (ms). */
const BESIDE_MS = 2 * 60_000;

/** Webhooks of a source within this time are one line (ms). */
const TOGETHER_MS = 15 * 60_000;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 15px }
  .faint { fill: #57606a; font-size: 12px }
  .source { font-weight: 600; font-size: 12px }
  .bold { font-weight: 600 }
  .day { font-weight: 600; font-size: 12px; fill: #57606a }
  .card { fill: #ffffff; stroke: #d0d7de }
  .phone { fill: #f0ece4; stroke: #d0d7de }
  .bubble { fill: #ffffff }
  .line { stroke: #8c959f; stroke-opacity: .4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .faint, .day { fill: #9ea7b3 }
    .card { fill: #0d1117; stroke: #30363d }
    .phone { fill: #16202a; stroke: #30363d }
    .bubble { fill: #233138 }
  }`;

/** Webhooks that came at about the same time. */
interface Arrival {
  readonly kind: 'arrival';
  readonly at: number;
  readonly first: Answered;
  readonly count: number;
}

interface Message extends Shown {
  readonly kind: 'message';
}

type Row = Arrival | Message;

/** A phone's week: what was posted at the left, what it showed at the right, day by day. */
export function draw(week: Week, phone: string): string {
  const { story } = week;
  const rows: readonly Row[] = [
    ...arrivals(week.posts),
    ...week.shown
      .filter((one) => [phone, 'ntfy'].includes(one.phone))
      .map((one) => ({ kind: 'message' as const, ...one })),
  ].toSorted((one, other) => one.at - other.at);
  const parts: string[] = [];
  /** The height at which the next webhook and the next message may begin. */
  const free = { left: TOP + 8, right: TOP + 8 };
  let before: { readonly row: Row; readonly y: number } | null = null;
  for (const row of rows) {
    const [today = '', time = ''] = clock(row.at).split(' ');
    const below = Math.max(free.left, free.right);
    if (before === null || clock(before.row.at).split(' ')[0] !== today) {
      const line = below + (before === null ? 12 : 16);
      parts.push(
        `<line class="line" x1="16" y1="${line}" x2="${WIDTH - 16}" y2="${line}"/>`,
        label(16, line + 17, DAY_NAMES[today] ?? today, 'day'),
      );
      free.left = free.right = line + 28;
      before = null;
    }
    // A message stands beside the webhook that it is about.
    const isAfterArrival = before !== null && before.row.kind === 'arrival';
    let y = Math.max(free.left, free.right);
    if (before !== null && isAfterArrival && row.kind === 'arrival') y = free.left;
    else if (before !== null && isAfterArrival && row.at - before.row.at < BESIDE_MS)
      y = Math.max(free.right, before.y);
    const { svg, height } = row.kind === 'message' ? bubble(row, time, y) : arrival(row, time, y);
    parts.push(...svg);
    free[row.kind === 'message' ? 'right' : 'left'] = y + height + GAP;
    before = { row, y };
  }
  const height = Math.max(free.left, free.right) + 12;
  const who = story.phones[phone] ?? phone;
  const said = rows.flatMap((row) =>
    row.kind === 'message' ? [`${clock(row.at)} ${row.text.replaceAll('\n', ', ')}`] : [],
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title what">`,
    `<title id="title">${escaped(story.title)}</title>`,
    `<desc id="what">${escaped(said.join('. '))}</desc>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="card" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    label(16, 28, story.title, 'title'),
    label(16, 54, 'What is posted', 'faint'),
    `<rect class="phone" x="${PHONE_LEFT}" y="${TOP}" width="${PHONE_WIDTH + 14}" height="${height - TOP - 10}" rx="14"/>`,
    label(PHONE_LEFT + 12, 54, `The phone: ${who}`, 'faint'),
    ...parts,
    '</svg>\n',
  ].join('\n');
}

const DAY_NAMES: Readonly<Record<string, string>> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
};

/** Webhooks in the order in which they came; many of one source in a short time are one. */
function arrivals(posts: readonly Answered[]): readonly Arrival[] {
  const made: (Arrival & { readonly kindOf: string })[] = [];
  for (const first of posts) {
    const kindOf = `${first.post.source} ${first.post.what.replaceAll(/\d+/g, '')}`.slice(0, 20);
    const last = made.findIndex((one) => one.kindOf === kindOf && first.at - one.at < TOGETHER_MS);
    const before = made[last];
    if (before === undefined || !isMany(posts, before))
      made.push({ kind: 'arrival', at: first.at, first, count: 1, kindOf });
    else made[last] = { ...before, count: before.count + 1 };
  }
  return made;
}

/** True if it is the first of a storm. */
const isMany = (posts: readonly Answered[], { at, first }: Arrival): boolean =>
  posts.filter((one) => one.post.source === first.post.source && one.at >= at && one.at - at < TOGETHER_MS)
    .length > 10;

function arrival({ first: { post, status, isDuplicate }, count }: Arrival, time: string, y: number) {
  const outcome = isDuplicate ? ' (duplicate)' : status === 202 ? '' : ` (refused: ${status})`;
  const text = count > 1 ? `${count} webhooks, first: ${post.what}` : `${post.what}${outcome}`;
  const lines = wrap(text, WEBHOOK_COLUMNS);
  return {
    height: LINE * (lines.length + 1),
    svg: [
      label(16, y + 12, time, 'faint'),
      label(62, y + 12, post.source, 'source'),
      ...lines.map((line, nth) => label(62, y + 12 + LINE * (nth + 1), line, 'faint')),
    ],
  };
}

function bubble({ text, phone }: Message, time: string, y: number) {
  const lines = text.split('\n').flatMap((line) => wrap(line, BUBBLE_COLUMNS));
  // The time stands at the right, below a long last line.
  const rows = lines.length + ((lines.at(-1)?.length ?? 0) > BUBBLE_COLUMNS - 10 ? 1 : 0);
  const height = rows * LINE + 2 * PADDING;
  const when = phone === 'ntfy' ? `by ntfy, ${time}` : time;
  const x = PHONE_LEFT + 8;
  return {
    height,
    svg: [
      `<rect class="bubble" x="${x}" y="${y}" width="${PHONE_WIDTH - 2}" height="${height}" rx="10"/>`,
      ...lines.map(
        (line, nth) =>
          `<text x="${x + PADDING}" y="${y + PADDING + 12 + nth * LINE}">${formatted(line)}</text>`,
      ),
      label(x + PHONE_WIDTH - 12, y + height - 8, when, 'faint', 'end'),
    ],
  };
}

/** `*bold*` as a chat shows it. */
const formatted = (line: string): string =>
  escaped(line).replaceAll(/\*([^*]+)\*/g, '<tspan class="bold">$1</tspan>');

const label = (x: number, y: number, text: string, style: string, anchor = ''): string =>
  `<text x="${x}" y="${y}" class="${style}"${anchor && ` text-anchor="${anchor}"`}>${escaped(text)}</text>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
