import type { Acceptance } from './acceptance.ts';

/** About how many bytes a row takes with its index and its message's parameters, without the payload. */
const ROW_BYTES = 1_024;

/** About how many bytes an event, its messages and its items take on disk. */
export const storedBytes = ({ event, messages, items = [] }: Acceptance): number =>
  items.reduce(
    (sum, { value, phones }) => sum + value.length + ROW_BYTES * phones.length,
    event.payload.length + event.headers.length + ROW_BYTES * (1 + messages.length),
  );

/** About how many bytes it takes in memory: two for each UTF-16 unit. */
export const heldBytes = ({ event, messages, items = [] }: Acceptance): number =>
  2 * (event.payload.length + event.headers.length + event.query.length) +
  messages.reduce(
    (sum, { params, fallback = [] }) =>
      [params, ...fallback.map((one) => one.params)]
        .flatMap((one) => Object.values(one))
        .reduce((bytes, text) => bytes + 2 * text.length, sum + ROW_BYTES),
    ROW_BYTES,
  ) +
  items.reduce((sum, { value, phones }) => sum + 2 * value.length + ROW_BYTES * phones.length, 0);
