import type { Acceptance } from './acceptance.ts';
import { packedSize, type Packed } from './packed.ts';

/**
 * The maximum size of an event's row, in bytes of UTF-8. The platform's rows end at 2 MB; duplicates may add 60 KB to
 * one.
 */
export const MAX_EVENT_BYTES = 1_900_000;

/** Returns the number of bytes in UTF-8. */
export function bytesOf(texts: readonly Packed[]): number {
  const encoder = new TextEncoder();
  return texts.reduce(
    (sum, text) => sum + (typeof text === 'string' ? encoder.encode(text) : text).byteLength,
    0,
  );
}

/** True if the texts together fit into an event's row. */
export function fitsIntoRow(texts: readonly Packed[]): boolean {
  // A UTF-16 unit has at most three bytes, so hardly any event needs measuring.
  const atMost = texts.reduce((sum, text) => sum + 3 * packedSize(text), 0);
  return atMost <= MAX_EVENT_BYTES || bytesOf(texts) <= MAX_EVENT_BYTES;
}

/** The approximate number of bytes of a row, with its index and its message's parameters, without the payload. */
const ROW_BYTES = 1_024;

/** Returns roughly how many bytes an event, its messages and its items take on disk. */
export const storedBytes = ({ event, messages, items = [] }: Acceptance): number =>
  items.reduce(
    (sum, { value, phones }) => sum + value.length + ROW_BYTES * phones.length,
    packedSize(event.payload) + event.headers.length + ROW_BYTES * (1 + messages.length),
  );

/** Returns roughly how many bytes they take in memory: two for each UTF-16 unit. */
export const heldBytes = ({ event, messages, items = [] }: Acceptance): number =>
  2 * (packedSize(event.payload) + event.headers.length + event.query.length) +
  messages.reduce(
    (sum, { params, fallback = [] }) =>
      [params, ...fallback.map((one) => one.params)]
        .flatMap((one) => Object.values(one))
        .reduce((bytes, text) => bytes + 2 * text.length, sum + ROW_BYTES),
    ROW_BYTES,
  ) +
  items.reduce((sum, { value, phones }) => sum + 2 * value.length + ROW_BYTES * phones.length, 0);
