import type { TraceEntry } from '../simulation.ts';

const HOUR_MS = 3_600_000;

/** One line of a trace: time since the run began, who, what, details. */
export function traceLine({ at, who, what, detail }: TraceEntry, startedAt: number): string {
  const details = Object.entries(detail ?? {}).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? quoted(value) : String(value)}`,
  );
  return [timeOf(at - startedAt), who.padEnd(18), what.padEnd(16), ...details].join(' ').trimEnd();
}

const quoted = (text: string): string => (/^[\w./:@+-]+$/.test(text) ? text : JSON.stringify(text));

const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');

/** `+27:03:12.042` */
export function timeOf(ms: number): string {
  const seconds = (ms % 60_000) / 1_000;
  return `+${two(ms / HOUR_MS)}:${two((ms % HOUR_MS) / 60_000)}:${two(seconds)}.${String(Math.floor(ms % 1_000)).padStart(3, '0')}`;
}
