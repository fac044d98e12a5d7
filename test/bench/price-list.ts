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
  },
  perMillionGbSeconds: 12.5,
  /** Of an object's storage, each month. */
  perGbMonth: 0.2,
  /** An object is billed for so much memory, whatever it uses. */
  objectGb: 0.128,
} as const;

const { perMillion, perMillionGbSeconds, perGbMonth } = PRICE_LIST;

/** The usage that the paid plan includes, each month, and what it would cost: amount and dollars each. */
export const INCLUDED: readonly (readonly [what: string, amount: number, dollars: number])[] = [
  ['million requests to the Worker', 10, perMillion.workerRequests],
  ['million ms of its CPU', 30, perMillion.workerCpuMs],
  ['million requests to objects', 1, perMillion.objectRequests],
  ['million GB-seconds awake', 0.4, perMillionGbSeconds],
  ['million rows written', 50, perMillion.rowsWritten],
  ['million rows read', 25_000, perMillion.rowsRead],
  ['million reads of KV', 10, perMillion.kvReads],
  ['GB stored', 5, perGbMonth],
];

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
