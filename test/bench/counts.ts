const NONE = {
  /** Webhooks. */
  requests: 0,
  outboxCalls: 0,
  registryCalls: 0,
  kvReads: 0,
  /** Runs of an outbox's alarm. */
  alarms: 0,
  /** Of an outbox. */
  statements: 0,
  rowsRead: 0,
  /** Without those of `setAlarm`. */
  rowsWritten: 0,
  /** Each is a row written. */
  alarmsSet: 0,
  syncs: 0,
  gatewayCalls: 0,
  /** The time in which calls, alarms or timers kept the outbox awake. */
  awakeMs: 0,
};

/** The operations that the platform bills, and others that are the same on every machine. */
export type Counts = typeof NONE;

/** One statement of an object, since the start. */
export interface StatementCounts {
  readonly query: string;
  times: number;
  rowsRead: number;
  rowsWritten: number;
}

/** Each count as `read` gives it. */
export function countsBy(read: (name: keyof Counts) => number): Counts {
  const counts = { ...NONE };
  for (const name of Object.keys(NONE).filter(isCount)) counts[name] = read(name);
  return counts;
}

const isCount = (name: string): name is keyof Counts => Object.hasOwn(NONE, name);

/** A counted number as the tables have it. */
export const counted = (value: number): string =>
  Number.isNaN(value) ? '–' : value < 20 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US');
