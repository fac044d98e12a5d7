import type { LogFields, Stage } from './log-stages.ts';
import { redact } from './redact.ts';

/** A line of a log is for finding things, not for reading them. */
const MAX_TEXT = 300;

/** Fields that hold other people's words. */
const FREE_TEXT: ReadonlySet<string> = new Set(['error', 'detail']);

let secrets: () => readonly string[] = () => [];

/** Tells the log which values it must never show. They are asked for when words of others are logged. */
export function hideFromLogs(values: () => readonly string[]): void {
  secrets = values;
}

/** One wide JSON line a stage, e.g. `event.accepted` with its source and counts. */
export function log<S extends Stage>(level: 'info' | 'warn' | 'error', stage: S, fields: LogFields<S>): void {
  // Workers Logs indexes the fields of a line that is one JSON object.
  const line = JSON.stringify({ stage, ...fields }, (name, value: unknown) => shown(name, value));
  // oxlint-disable-next-line no-console -- the one place that writes: the platform's log is the console
  console[level](line);
}

function shown(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'phone') return maskedNumber(value);
  // Redacted first and cut afterwards: half a secret is not recognised.
  return (FREE_TEXT.has(name) ? withoutNumbers(redact(value, secrets())) : value).slice(0, MAX_TEXT);
}

/** A phone number that can be told from another by who knows it: the first four and the last two of its digits. */
const maskedNumber = (text: string): string => {
  const digits = text.replaceAll(/\D/g, '');
  return digits.length < 8 ? '…' : `${digits.slice(0, 4)}…${digits.slice(-2)}`;
};

/** Eight digits and more, as people write numbers too, that are not a part of a word such as an id. */
const NUMBER = /(?<![\w.])\+?\d(?:[ ()/.-]{0,2}\d){7,}(?!\w)/g;

const withoutNumbers = (text: string): string => text.replaceAll(NUMBER, maskedNumber);

/** The name and message of whatever was thrown, for a log line. */
export const describeError = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
