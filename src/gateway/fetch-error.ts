import type { Verdict } from './outcome.ts';

/**
 * Errors that workerd's fetch() throws, tried against real sockets (workerd of 2026-11):
 *
 * | what happened                                     | name         | message                         |
 * |---------------------------------------------------|--------------|---------------------------------|
 * | connection refused; reset or closed on accept     | Error        | `Network connection lost.`      |
 * | reset or closed after the request was read        | Error        | `Network connection lost.`      |
 * | an answer that is not HTTP, or cut off in its head | Error        | `Network connection lost.`      |
 * | name not found; TLS handshake failed              | Error        | `internal error; reference = …` |
 * | timed out, connected or not                       | TimeoutError | `The operation was aborted …`   |
 * | no address; a protocol that is not HTTP           | TypeError    | `Invalid URL: …`, `Fetch API cannot load: …` |
 *
 * A refused connection and a reset after the request was read look the same, whether the body is text or a stream:
 * workerd reads the body before it connects. So only a failure before any I/O proves that nothing was sent, and where
 * that matters, `reach.ts` checks first. On Cloudflare the first and third row mostly arrive as statuses, see
 * `outcome.ts`.
 */
const BEFORE_ANY_IO: readonly (readonly [RegExp, string])[] = [
  [/^Invalid URL/, 'the base URL is not an address'],
  [/^Fetch API cannot load/, 'the base URL is neither http nor https'],
  [/^You have exceeded the number of active timeouts/, 'the platform has no free timer for this call'],
];

/** True if the platform made no call because this run has used up its calls. That says nothing about the gateway. */
export const isCallLimit = (error: unknown): boolean =>
  error instanceof Error && /too many subrequests/i.test(error.message);

/**
 * Returns the outcome of a call whose fetch() failed without an answer. It is `unreachable` only if that is certain.
 */
export function classifyFetchError(error: unknown): Verdict {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  const known = BEFORE_ANY_IO.find(([pattern]) => pattern.test(message));
  if (known !== undefined) return { outcome: 'unreachable', detail: known[1] };
  if (name === 'TimeoutError' || name === 'AbortError') {
    return { outcome: 'uncertain', detail: 'no answer in time; the gateway may have received the call' };
  }
  return { outcome: 'uncertain', detail: 'the connection was lost; the gateway may have received the call' };
}
