import type { Heard } from './play.ts';
import { ms, type Post, type Story } from './story.ts';

/** All in pixels. */
const WIDTH = 760;
const LEFT = 92;
const RIGHT = WIDTH - 40;
const TOP = 62;
const LANE = 24;
const LINE = 17;

/** The possible steps of the axis. The first that makes few enough ticks is used. */
const STEPS = ['10s', '30s', '1m', '2m', '5m', '10m', '30m', '1h', '2h'].map(ms);
const MAX_TICKS = 13;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 14px }
  .rule { font-family: ui-monospace, monospace; fill: #57606a }
  .faint { fill: #57606a; font-size: 11px }
  .card { fill: #ffffff; stroke: #d0d7de }
  .span { fill: #ddf4ff }
  .grid { stroke: #8c959f; stroke-opacity: .35 }
  .firing { stroke: #cf222e; stroke-width: 6; stroke-linecap: round }
  .again { fill: #ffffff }
  .notified { stroke: #0969da; stroke-dasharray: 3 3 }
  .message { fill: #0969da }
  .number { fill: #ffffff; font-weight: 600; font-size: 11px }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .rule, .faint { fill: #9ea7b3 }
    .card { fill: #0d1117; stroke: #30363d }
    .span { fill: #12263f }
    .firing { stroke: #f85149 }
    .again { fill: #0d1117 }
    .notified { stroke: #58a6ff }
    .message { fill: #1f6feb }
  }`;

/** The story as a picture: a lane for each problem, and the notifications of them. */
export function draw(story: Story, heard: readonly Heard[]): string {
  const names = [...new Set(story.posts.map(({ name }) => name))];
  const phone = TOP + names.length * LANE + 14;
  const lines = heard.flatMap(({ at, text }, index) =>
    text.split('\n').map((line, nth) => ({ line, at: nth === 0 ? at : null, number: index + 1 })),
  );
  const height = phone + 62 + lines.length * LINE;
  const x = (at: number): number => round(LEFT + ((RIGHT - LEFT) * at) / story.lasts);
  const description = heard.map(({ at, text }) => `${clock(story, at)} ${text.replaceAll('\n', ', ')}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title what">`,
    `<title id="title">${escaped(story.title)}</title>`,
    `<desc id="what">${escaped(description.join('. '))}</desc>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="card" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>`,
    label(16, 24, story.title, 'title'),
    label(16, 43, story.rule, 'rule'),
    ...(story.spans ?? []).flatMap(({ label: word, from, to }) => [
      `<rect class="span" x="${x(from)}" y="${TOP - 10}" width="${round(x(to) - x(from))}" height="${phone - TOP + 24}"/>`,
      label(round((x(from) + x(to)) / 2), TOP - 1, word, 'faint', 'middle'),
    ]),
    ...axis(story, x, phone),
    ...names.flatMap((name, at) => lane(story, name, { x, y: TOP + at * LANE + 14 })),
    label(16, phone + 4, 'phone'),
    ...messages(heard, x, phone),
    ...lines.flatMap(({ line, at, number }, nth) => {
      const y = phone + 58 + nth * LINE;
      const first =
        at === null ? [] : [label(16, y, String(number)), label(36, y, clock(story, at), 'faint')];
      return [...first, label(LEFT + 4, y, line)];
    }),
    '</svg>\n',
  ].join('\n');
}

function axis(story: Story, x: (at: number) => number, phone: number): readonly string[] {
  const step = STEPS.find((one) => story.lasts / one < MAX_TICKS) ?? story.lasts;
  const ticks = Array.from({ length: Math.floor(story.lasts / step) + 1 }, (_, n) => n * step);
  return ticks.flatMap((at) => [
    `<line class="grid" x1="${x(at)}" y1="${TOP}" x2="${x(at)}" y2="${phone + 14}"/>`,
    label(x(at), phone + 29, clock(story, at), 'faint', 'middle'),
  ]);
}

/** The times when the problem was there, and the posts about it. */
function lane(
  story: Story,
  name: string,
  { x, y }: { readonly x: (at: number) => number; readonly y: number },
): readonly string[] {
  const own = story.posts.filter((post) => post.name === name);
  return [
    label(16, y + 4, name),
    ...timesOf(own, story.lasts).map(
      ([from, to]) => `<line class="firing" x1="${x(from)}" y1="${y}" x2="${x(to)}" y2="${y}"/>`,
    ),
    ...own
      .filter(({ is }) => is === 'firing')
      .map(({ at }) => `<circle class="again" cx="${x(at)}" cy="${y}" r="1.8"/>`),
  ];
}

/** The beginning and the end of each time in which it was firing (ms). */
function timesOf(own: readonly Post[], lasts: number): readonly (readonly [number, number])[] {
  const times: (readonly [number, number])[] = [];
  let since: number | null = null;
  for (const { at, is } of own) {
    if (is === 'firing') since ??= at;
    else if (since !== null) {
      times.push([since, at]);
      since = null;
    }
  }
  return since === null ? times : [...times, [since, lasts]];
}

function messages(heard: readonly Heard[], x: (at: number) => number, phone: number): readonly string[] {
  let right = 0;
  return heard.flatMap(({ at }, index) => {
    // Messages at the same time stand side by side.
    const place = Math.max(x(at), right);
    right = place + 19;
    return [
      `<line class="notified" x1="${x(at)}" y1="${TOP}" x2="${x(at)}" y2="${phone}"/>`,
      `<circle class="message" cx="${place}" cy="${phone}" r="9"/>`,
      label(place, phone + 4, String(index + 1), 'number', 'middle'),
    ];
  });
}

/** The time of day, with seconds if the story is short. */
function clock({ begins, lasts }: Story, at: number): string {
  const time = new Date(Date.parse(`2026-03-02T${begins}:00Z`) + at).toISOString();
  return time.slice(11, lasts < ms('10m') ? 19 : 16);
}

const label = (x: number, y: number, text: string, style = '', anchor = ''): string =>
  `<text x="${x}" y="${y}"${style && ` class="${style}"`}${anchor && ` text-anchor="${anchor}"`}>${escaped(text)}</text>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const round = (pixels: number): number => Math.round(pixels * 10) / 10;
