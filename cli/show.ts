import type { Output } from './output.ts';
import type { ListColumn } from './table.ts';
import type { Version } from './relay/shapes.ts';
import { safe } from './text.ts';

/** A short local time: today the time, this year day and time, else the date. */
export function shortTime(iso: string, now = new Date()): string {
  if (Number.isNaN(Date.parse(iso))) return iso;
  const [time, today] = [fullTime(iso), fullTime(now.toISOString())];
  if (time.slice(0, 10) === today.slice(0, 10)) return time.slice(11);
  return time.slice(0, 4) === today.slice(0, 4) ? time.slice(5, 16) : time.slice(0, 10);
}

const two = (n: number): string => String(n).padStart(2, '0');

/** A time in full, in local time: `2026-01-05 09:30:00`. */
export function fullTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** Seconds as people say them: `45 s`, `3 min`, `2 h`. */
export function about(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return seconds < 129_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}

const STATES_BY_COLOUR = [
  ['green', ['sent', 'routed', 'matched', 'resolved']],
  ['red', ['dead', 'failed', 'open']],
  ['yellow', ['partly_failed', 'retrying', 'uncertain', 'unmatched', 'expired', 'paused', 'acknowledged']],
] as const;

export function stateColour(out: Output, state: string, text = state): string {
  const [colour] = STATES_BY_COLOUR.find(([, states]) => states.some((one) => one === state)) ?? [];
  return colour === undefined ? text : out.style(colour, text);
}

export const stateColumn = (out: Output): ListColumn<{ readonly state: string }> => [
  'STATE',
  ({ state }) => state,
  { style: (cell, state) => stateColour(out, state, cell) },
];

/** A message's parameters as one text, without the receiver. */
export function textOf(params: Readonly<Record<string, string>>): string {
  const { phone: _, ...shown } = params;
  return Object.values(shown).join(' · ');
}

export const receiver = (phone: string | null): string => (phone === null ? 'all contacts' : phone);

/** A version in a sentence: `version 3, published 2026-01-05 09:30:00 by token (prices for the fair)`. */
export const publishedBy = ({ version, published_at, by, note }: Version): string =>
  `version ${version}, published ${fullTime(published_at)} by ${safe(by)} (${safe(note)})`;
