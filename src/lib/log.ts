import type { LogFields, Stage } from './log-stages.ts';
import { maskNumber, maskReceiver, numberOf } from './mask-numbers.ts';
import { redact } from './redact.ts';

/** Longer texts are cut: a line of the log is for searching, not for reading. */
const MAX_TEXT = 300;

/** The longest part of a text that is read for that: redaction shortens, and takes its time for each character. */
const MAX_READ = 2_048;

/** Fields with texts that others wrote. */
const FREE_TEXT: ReadonlySet<string> = new Set(['error', 'detail']);

let secrets: () => readonly string[] = () => [];

/** Sets which values the log must never show. `values` is called when such a field is logged. */
export function hideFromLogs(values: () => readonly string[]): void {
  secrets = values;
}

/** Writes one JSON line for a stage, e.g. `event.accepted` with its source and counts. */
export function log<S extends Stage>(level: 'info' | 'warn' | 'error', stage: S, fields: LogFields<S>): void {
  const line: Record<string, unknown> = { stage };
  for (const [name, value] of Object.entries<unknown>(fields)) line[name] = shown(name, value);
  // Workers Logs indexes the fields of a line that is one JSON object.
  // oxlint-disable-next-line no-console -- the one place that writes: the platform's log is the console
  console[level](JSON.stringify(line));
}

function shown(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'phone') return maskReceiver(value);
  return FREE_TEXT.has(name) ? glimpseOf(value) : value.slice(0, MAX_TEXT);
}

/** A text that others wrote, for the log and the tail: without secrets and numbers, 300 characters at most. */
export function glimpseOf(text: string): string {
  const begin = text.slice(0, MAX_READ);
  // Redacted first and cut then: half a secret would not be recognised.
  return withoutNumbers(redact(begin, secrets(), begin.length < text.length)).slice(0, MAX_TEXT);
}

/** Eight digits or more, also with the separators that people write, that are not part of a word such as an id. */
const NUMBER = new RegExp(String.raw`(?<![\w.])${numberOf(8)}(?!\w)`, 'gu');

const withoutNumbers = (text: string): string => text.replaceAll(NUMBER, maskNumber);

/** The name and message of what was thrown, for a log line. */
export const describeError = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
