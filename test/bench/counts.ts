/** The operations that the platform bills, and others that are the same on every machine. */
export interface Counts {
  /** Webhooks. */
  requests: number;
  outboxCalls: number;
  registryCalls: number;
  kvReads: number;
  /** Runs of an outbox's alarm. */
  alarms: number;
  /** Of an outbox. */
  statements: number;
  rowsRead: number;
  /** Without those of `setAlarm`. */
  rowsWritten: number;
  /** Each is a row written. */
  alarmsSet: number;
  syncs: number;
  gatewayCalls: number;
  logLines: number;
  /** Of the lines as they are written. The platform adds what it knows of the request. */
  logBytes: number;
  /** The time in which calls, alarms or timers kept the outbox awake. */
  awakeMs: number;
}

/** One statement of an object, since the start. */
export interface StatementCounts {
  readonly query: string;
  times: number;
  rowsRead: number;
  rowsWritten: number;
}

/** Each count as `read` gives it. */
export const countsBy = (read: (name: keyof Counts) => number): Counts => ({
  requests: read('requests'),
  outboxCalls: read('outboxCalls'),
  registryCalls: read('registryCalls'),
  kvReads: read('kvReads'),
  alarms: read('alarms'),
  statements: read('statements'),
  rowsRead: read('rowsRead'),
  rowsWritten: read('rowsWritten'),
  alarmsSet: read('alarmsSet'),
  syncs: read('syncs'),
  gatewayCalls: read('gatewayCalls'),
  logLines: read('logLines'),
  logBytes: read('logBytes'),
  awakeMs: read('awakeMs'),
});

/** A counted number as the tables have it. */
export const counted = (value: number): string =>
  Number.isNaN(value) ? '–' : value < 20 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US');
