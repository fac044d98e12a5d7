/** Cloudflare's list prices for what the relay uses, in dollars, beyond what the paid plan includes. */
export const PRICE_LIST = {
  date: '2026-11-22',
  /** The paid plan, each month. */
  planPerMonth: 5,
  perMillion: {
    workerRequests: 0.3,
    workerCpuMs: 0.02,
    objectRequests: 0.15,
    rowsWritten: 1,
    rowsRead: 0.001,
    kvReads: 0.5,
    /** Until 2026-11-30. */
    logLines: 0.6,
  },
  perMillionGbSeconds: 12.5,
  /** From 2026-12-01, as others quote it. */
  perGbOfLogs: 0.25,
  /** What an object stores, each month. */
  perGbMonth: 0.2,
  /** An object is billed for so much memory, whatever it uses. */
  objectGb: 0.128,
} as const;

/** The usage that the paid plan includes, each month. */
export const INCLUDED = {
  workerRequests: 10_000_000,
  workerCpuMs: 30_000_000,
  objectRequests: 1_000_000,
  rowsWritten: 50_000_000,
  rowsRead: 25_000_000_000,
  kvReads: 10_000_000,
  logLines: 20_000_000,
  gbSeconds: 400_000,
  storedGb: 5,
} as const;

/** The free plan's limits a day. */
export const FREE_PLAN = {
  workerRequests: 100_000,
  objectRequests: 100_000,
  gbSeconds: 13_000,
  rowsWritten: 100_000,
  rowsRead: 5_000_000,
  kvReads: 100_000,
} as const;

/**
 * The list prices of the same platform's other products, for a million events of one message. No hosted relay of
 * webhooks publishes a price by event that could stand here.
 */
export const ALTERNATIVES: readonly (readonly [what: string, dollars: string, lacks: string])[] = [
  [
    'Cloudflare Queues: Worker, queue, consumer; three operations a message at $0.40 a million, 0.40 more for each retry',
    'about 1.60',
    'no dedupe, no order, no pace, no list of messages',
  ],
  [
    'Cloudflare Workflows: a step at $0.80 per 100,000',
    '8.00 a step',
    'no dedupe beyond the id of an instance, no order',
  ],
];
