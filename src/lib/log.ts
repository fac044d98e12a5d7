import type { LogFields, Stage } from './log-stages.ts';
import { maskNumber, maskReceiver, numberOf } from './mask-numbers.ts';
import { problemResponse, UNAVAILABLE } from './problem.ts';
import { redact } from './redact.ts';
import { secretValues, variable } from './secret.ts';

/** Longer texts are cut. A log line is meant for searching, not for reading. */
const MAX_TEXT = 300;

/**
 * The longest part of a text that is read for a log line. Redaction shortens a text, and takes time for each character.
 */
const MAX_READ = 2_048;

/** Fields with text from outside. */
const FREE_TEXT: ReadonlySet<string> = new Set(['error', 'detail']);

let env: object = {};

/** The environment whose secrets the log never shows, and whose `LOG_LEVEL` decides what it has. */
export function logFor(of: object): void {
  env = of;
}

/**
 * Writes one JSON line for a stage, such as `event.accepted` with its source and counts. The level `debug` is for what each
 * event does as it should: two such lines would be a tenth of its CPU, so only `LOG_LEVEL=debug` has them.
 */
export function log<S extends Stage>(
  level: 'debug' | 'info' | 'warn' | 'error',
  stage: S,
  fields: LogFields<S>,
): void {
  if (level === 'debug' && variable(env, 'LOG_LEVEL') !== 'debug') return;
  const line: Record<string, unknown> = { stage };
  for (const [name, value] of Object.entries<unknown>(fields)) line[name] = shown(name, value);
  // Workers Logs indexes the fields of a line that is a single JSON object.
  // oxlint-disable-next-line no-console -- the one place that writes: the platform's log is the console
  console[level](JSON.stringify(line));
}

function shown(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'phone') return maskReceiver(value);
  return FREE_TEXT.has(name) ? glimpseOf(value) : value.slice(0, MAX_TEXT);
}

/** A text from outside, for the log and the tail: without secrets and numbers, at most 300 characters. */
export function glimpseOf(text: string): string {
  const begin = text.slice(0, MAX_READ);
  // Redacts before cutting: half a secret would not be recognised.
  return withoutNumbers(redact(begin, secretValues(env), begin.length < text.length)).slice(0, MAX_TEXT);
}

/**
 * Matches eight digits or more, also with the separators that people write. Ignores digits inside a word such as an id.
 */
const NUMBER = new RegExp(String.raw`(?<![\w.])${numberOf(8)}(?!\w)`, 'gu');

const withoutNumbers = (text: string): string => text.replaceAll(NUMBER, maskNumber);

/** The name and message of a thrown value, for a log line. */
export const describeError = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);

/**
 * Answers an exception, which is a bug or a fault of the platform. A 503 makes the sender try again, so nothing is
 * lost.
 */
export function fault(thrown: unknown, path: string): Response {
  log('error', 'request.failed', {
    path: path.split('/').slice(0, 3).join('/'),
    error: describeError(thrown),
  });
  return problemResponse(UNAVAILABLE);
}
