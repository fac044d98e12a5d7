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

export const countsBetween = (before: Counts, after: Counts): Counts => ({
  requests: after.requests - before.requests,
  outboxCalls: after.outboxCalls - before.outboxCalls,
  registryCalls: after.registryCalls - before.registryCalls,
  kvReads: after.kvReads - before.kvReads,
  alarms: after.alarms - before.alarms,
  statements: after.statements - before.statements,
  rowsRead: after.rowsRead - before.rowsRead,
  rowsWritten: after.rowsWritten - before.rowsWritten,
  alarmsSet: after.alarmsSet - before.alarmsSet,
  syncs: after.syncs - before.syncs,
  gatewayCalls: after.gatewayCalls - before.gatewayCalls,
  logLines: after.logLines - before.logLines,
  logBytes: after.logBytes - before.logBytes,
  awakeMs: after.awakeMs - before.awakeMs,
});

/** A counted number as the tables have it. */
export const counted = (value: number): string =>
  Number.isNaN(value) ? '–' : value < 20 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US');
