import { withTimeout } from '../lib/wait.ts';
import type { Cause } from '../lib/reason.ts';
import { failed, NEVER_CONNECTED, type Failure } from './outcome.ts';

/** Opens a TCP (and for https a TLS) connection; `connect` of `cloudflare:sockets`. */
export type Connect = (
  address: { hostname: string; port: number },
  options: { secureTransport: 'on' | 'off'; allowHalfOpen: boolean },
) => Pick<Socket, 'opened' | 'closed' | 'close'>;

/** The input of the check. `timeoutMs` is the limit of each of its two steps. */
interface ReachOptions {
  readonly connect: Connect;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
}

/** The maximum number of calls in one check. */
export const REACH_CALLS = 2;

/**
 * Checks that a connection to the gateway's server is possible now, without sending anything that it could act on.
 *
 * fetch() does not distinguish a refused connection from one that was lost after the request was read (see
 * below). A message that must not be sent twice may be retried after the former, and waits for a person
 * after the latter. So such a call checks first. A socket that opens is enough. If it does not open, the platform may
 * just not allow sockets there (on Cloudflare: to addresses of Cloudflare itself), so a HEAD request decides. Throws
 * only the platform's error that no more calls are allowed.
 */
export async function canReach(url: URL, options: ReachOptions): Promise<boolean> {
  return (await opens(url, options)) || (await answers(url, options));
}

async function opens(url: URL, { connect, timeoutMs }: ReachOptions): Promise<boolean> {
  const secure = url.protocol === 'https:';
  try {
    const socket = connect(
      { hostname: url.hostname, port: Number(url.port || (secure ? 443 : 80)) },
      { secureTransport: secure ? 'on' : 'off', allowHalfOpen: false },
    );
    // `closed` rejects together with `opened`, and nothing else handles it.
    socket.closed.catch(() => undefined);
    const opened = await withTimeout(timeoutMs, (signal) =>
      Promise.race([socket.opened.then(() => true), isAborted(signal)]),
    );
    socket.close().catch(() => undefined);
    return opened;
  } catch (error) {
    return unreachable(error);
  }
}

/** Resolves to false as soon as the signal aborts. */
const isAborted = (signal: AbortSignal): Promise<false> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));

async function answers(url: URL, { fetch, timeoutMs }: ReachOptions): Promise<boolean> {
  try {
    const response = await withTimeout(timeoutMs, (signal) =>
      fetch(url, { method: 'HEAD', redirect: 'manual', signal }),
    );
    await response.body?.cancel();
    return !NEVER_CONNECTED.has(response.status);
  } catch (error) {
    return unreachable(error);
  }
}

/** Throws the error again if it is the platform's limit, which says nothing about the gateway. */
function unreachable(error: unknown): false {
  if (isCallLimit(error)) throw error;
  return false;
}

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
 * that matters, {@link canReach} checks first. On Cloudflare the first and third row mostly arrive as statuses, see
 * `outcome.ts`.
 */
const BEFORE_ANY_IO: readonly (readonly [RegExp, Cause])[] = [
  [/^Invalid URL/, 'bad-address'],
  [/^Fetch API cannot load/, 'not-http'],
  [/^You have exceeded the number of active timeouts/, 'no-timer'],
];

/** True if the platform made no call because this run has used up its calls. That says nothing about the gateway. */
export const isCallLimit = (error: unknown): boolean =>
  error instanceof Error && /too many subrequests/i.test(error.message);

/**
 * Returns the outcome of a call whose fetch() failed without an answer. It is `unreachable` only if that is certain.
 */
export function classifyFetchError(error: unknown): Failure {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  const known = BEFORE_ANY_IO.find(([pattern]) => pattern.test(message));
  if (known !== undefined) return failed('unreachable', { cause: known[1] });
  const isLate = name === 'TimeoutError' || name === 'AbortError';
  return { outcome: 'uncertain', code: 'no-answer', ...(isLate && { params: { cause: 'timed-out' } }) };
}
