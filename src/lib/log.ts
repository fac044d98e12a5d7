/** What a log line may carry: names, numbers and states; never a payload, a phone number or a secret. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** One wide JSON line a stage, e.g. `event.accepted` with its source and counts. */
export function log(level: 'info' | 'warn' | 'error', stage: string, fields: LogFields): void {
  // Workers Logs indexes the fields of a line that is one JSON object.
  // oxlint-disable-next-line no-console -- the one place that writes: the platform's log is the console
  console[level](JSON.stringify({ stage, ...fields }));
}

/** The name and message of whatever was thrown, for a log line. */
export const describeError = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
