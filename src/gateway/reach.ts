import { withTimeout } from '../lib/timeout.ts';
import { isCallLimit } from './fetch-error.ts';
import { NEVER_CONNECTED } from './outcome.ts';

/** Opens a TCP (and for https a TLS) connection; `connect` of `cloudflare:sockets`. */
export type Connect = (
  address: { hostname: string; port: number },
  options: { secureTransport: 'on' | 'off'; allowHalfOpen: boolean },
) => Pick<Socket, 'opened' | 'closed' | 'close'>;

/** The input of the check; `timeoutMs` is for each of its two steps. */
interface ReachOptions {
  readonly connect: Connect;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
}

/** The most calls of one check. */
export const REACH_CALLS = 2;

/**
 * Checks whether the gateway's server can be connected to now, without sending it anything that it could act on.
 *
 * fetch() does not distinguish a refused connection from one that was lost after the request was read (see
 * `fetch-error.ts`). A message that must not be sent twice may be retried after the first, and waits for a person after
 * the second, so such a call checks first. A socket that opens is enough. One that does not may only mean that the
 * platform allows no socket there (on Cloudflare: addresses of Cloudflare itself); then a HEAD request decides. Throws
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
    // `closed` rejects together with `opened`, and nobody else handles it.
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

/** False as soon as the signal aborts. */
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

/** The platform's limit says nothing about the gateway, so it is thrown on. */
function unreachable(error: unknown): false {
  if (isCallLimit(error)) throw error;
  return false;
}
