import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Call } from '../../simulator/call-log.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import { passRealTime } from './real-time.ts';

/** The simulated gateway of one test. It may go down and come up again; what it saw stays known. */
export interface Gateway {
  /** Ends in `/api`. */
  readonly baseUrl: string;
  /** Replaces the script: how the next calls are answered. */
  script(steps: readonly object[], repeat?: boolean): Promise<void>;
  /** Every call so far, in the order of arrival. */
  calls(): Promise<readonly Call[]>;
  /** Once all calls have ended: how many were open at `time` (ms, not long ago), or still on the wire. */
  openAt(time: number): Promise<number>;
  /** Resolves when one more call has been answered. */
  nextAnswer(): Promise<void>;
  /** From now on connections are refused; hanging ones are ended. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** As many as the simulator keeps. */
const ALL_CALLS = 20_000;

/** Starts a gateway on a free port. */
export async function startGateway(): Promise<Gateway> {
  let simulator: Simulator | null = await startSimulator({ port: 0 });
  const { url, port } = simulator;
  const earlier: Call[] = [];
  const exchanges = watchExchanges(port);

  const keptCalls = async (): Promise<readonly Call[]> => {
    if (simulator === null) return [];
    const response = await control('GET', `calls?limit=${ALL_CALLS}`);
    return (await response.json<{ items: Call[] }>()).items;
  };
  const control = async (method: string, path: string, body?: object): Promise<Response> => {
    const response = await fetch(`${url}/_control/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`simulator: ${response.status} ${await response.text()}`);
    return response;
  };

  return {
    baseUrl: `${url}/api`,
    script: async (steps, repeat = false) => void (await control('PUT', 'script', { steps, repeat })),
    calls: async () => [...earlier, ...(await keptCalls())],
    openAt: exchanges.openAt,
    nextAnswer: exchanges.nextAnswer,
    down: async () => {
      earlier.push(...(await keptCalls()));
      await simulator?.close();
      simulator = null;
    },
    up: async () => {
      simulator ??= await startSimulator({ port });
    },
    close: async () => {
      exchanges.stop();
      await simulator?.close();
    },
  };
}

const REQUEST_START = 'http.server.request.start';

/** Calls that are still on the wire have come by then, and those of a caller that is gone have ended. */
const QUIET_MS = 50;

interface Exchange {
  /** In ms; null while the caller waits. */
  endedAt: number | null;
}

const isRequestStart = (
  message: unknown,
): message is { request: IncomingMessage; response: ServerResponse } =>
  message instanceof Object &&
  Reflect.get(message, 'request') instanceof IncomingMessage &&
  Reflect.get(message, 'response') instanceof ServerResponse;

/** The simulator keeps when calls came; when they ended is seen from outside, by Node's own diagnostics. */
function watchExchanges(port: number) {
  const exchanges = new Set<Exchange>();
  const waiting = new Set<() => void>();
  const onStart = (message: unknown): void => {
    if (!isRequestStart(message)) return;
    const { request, response } = message;
    if (request.socket.localPort !== port || request.url?.startsWith('/api/') !== true) return;
    const exchange: Exchange = { endedAt: null };
    exchanges.add(exchange);
    response.once('close', () => {
      exchange.endedAt = Date.now();
      for (const resume of waiting) resume();
      waiting.clear();
    });
  };
  subscribe(REQUEST_START, onStart);
  return {
    openAt: async (time: number) => {
      do await passRealTime(QUIET_MS);
      while ([...exchanges].some(({ endedAt }) => endedAt === null));
      return [...exchanges].filter(({ endedAt }) => endedAt !== null && endedAt >= time).length;
    },
    nextAnswer: () => new Promise<void>((resolve) => waiting.add(resolve)),
    stop: () => unsubscribe(REQUEST_START, onStart),
  };
}
