import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isLoopback } from '../src/lib/url.ts';
import { sendJson, type After } from './answer.ts';
import { createCallLog, type Call } from './call-log.ts';
import type { Credentials } from './check.ts';
import { CONTROL_PREFIX, handleControl } from './control.ts';
import { API_PREFIX, handleGatewayCall, type GatewayParts } from './gateway.ts';
import { handleMakerCall, MAKERS_PREFIX } from './maker-call.ts';
import { renderPage, servePage, type ServedPage } from './page.ts';
import { createScript } from './script.ts';

/** Longer than clients keep idle connections, so that a call never meets one that is just being closed. */
const KEEP_ALIVE_MS = 120_000;

export interface SimulatorOptions {
  /** 0: any free port. */
  readonly port: number;
  /** The address to listen on; by default this machine only. */
  readonly host?: string;
  /** The only login that is accepted; without it, any is. */
  readonly credentials?: Credentials;
  /** Further pages by their paths, such as one with a form; they may be added later. */
  readonly pages?: ReadonlyMap<string, ServedPage>;
  readonly onCall?: (call: Call) => void;
  readonly now?: () => number;
  /** The timer behind `slow` and `hang`. */
  readonly after?: After;
}

export interface Simulator {
  /** The address at which it listens, e.g. `http://127.0.0.1:8788`; the gateway's base URL is this and `/api`. */
  readonly url: string;
  readonly port: number;
  /** Ends every connection, hanging ones too. */
  close(): Promise<void>;
}

/** On real sockets, so that it can hang, reset and truncate answers. Throws when it cannot listen. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { port, host = '127.0.0.1', now = Date.now, after = startTimer } = options;
  const parts: SimulatorParts = {
    calls: createCallLog(now),
    script: createScript(),
    credentials: options.credentials,
    after,
    page: await renderPage(),
    pages: options.pages ?? new Map(),
    isLocal: isLoopback(host),
  };
  const { onCall } = options;
  if (onCall !== undefined) parts.calls.subscribe((call) => call !== null && onCall(call));
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    handle(request, response, parts).catch((bug: unknown) =>
      response.destroy(bug instanceof Error ? bug : undefined),
    );
  });
  const boundPort = await listen(server, port, host);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    port: boundPort,
    close: () => close(server),
  };
}

type SimulatorParts = GatewayParts & {
  readonly page: ServedPage;
  readonly pages: ReadonlyMap<string, ServedPage>;
  /** True if it is for this machine: then its messages are shown under no other name. */
  readonly isLocal: boolean;
};

async function handle(request: IncomingMessage, response: ServerResponse, parts: SimulatorParts) {
  const base = 'http://simulator';
  const target = request.url ?? '/';
  if (!URL.canParse(target, base))
    return sendJson(response, 400, { message: 'The request target is not a URL.' });
  const url = new URL(target, base);
  if (isBelow(url, API_PREFIX)) return handleGatewayCall(request, response, url, parts);
  if (isBelow(url, MAKERS_PREFIX)) return handleMakerCall(request, response, url, parts);
  const { hostname = '' } = URL.parse(`http://${request.headers.host}`) ?? {};
  if (parts.isLocal && !isLoopback(hostname) && !hostname.endsWith('.localhost'))
    return sendJson(response, 421, { message: `Open it as http://localhost:${request.socket.localPort}.` });
  if (isBelow(url, CONTROL_PREFIX)) return handleControl({ request, response, url, ...parts });
  const page = url.pathname === '/' ? parts.page : parts.pages.get(url.pathname);
  if (page !== undefined) return servePage(request, response, page);
  const message = `There is nothing at this address. The gateway's endpoints begin with ${API_PREFIX}/, the control API with ${CONTROL_PREFIX}/, the page is at /.`;
  sendJson(response, 404, { message });
}

const isBelow = ({ pathname }: URL, prefix: string): boolean => pathname.startsWith(`${prefix}/`);

function listen(server: Server, port: number, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    const taken = `Port ${port} on ${host} is in use: stop the other process, or set SIMULATOR_PORT to another port.`;
    reject(error.code === 'EADDRINUSE' ? new Error(taken, { cause: error }) : error);
  });
  server.listen(port, host, () => {
    const address = server.address();
    resolve(typeof address === 'object' && address ? address.port : port);
  });
  return promise;
}

function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  return promise;
}

const startTimer: After = (ms, action) => {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
};
