import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { relayUrl } from './support.ts';

/** A relay's address in between, which shows each request and holds it back until it is released. */
export interface Proxy {
  readonly url: string;
  /** Resolves when the next request of this kind has come in; it goes on when `release` is called. */
  hold(method: string, path: string): Promise<Held>;
  /** Lets nothing through until `restore` is called. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/** A request that is held back. */
interface Held {
  readonly release: () => void;
  readonly drop: () => void;
}

export async function startProxy(): Promise<Proxy> {
  const waiting: { method: string; path: string; report: (held: Held) => void }[] = [];
  let isCut = false;
  const server = createServer((request, response) => {
    if (isCut) request.socket.destroy();
    else void pass(request, response);
  });
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const at = waiting.findIndex((one) => one.method === request.method && path.endsWith(one.path));
    const [held] = at < 0 ? [] : waiting.splice(at, 1);
    if (held !== undefined) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      held.report({ release: () => resolve(true), drop: () => resolve(false) });
      if (!(await promise)) {
        request.socket.destroy();
        return;
      }
    }
    const { host: _, connection: __, 'content-length': ___, ...rest } = request.headers;
    const headers = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]);
    const { method = 'GET', url = '' } = request;
    const answer = await fetch(`${relayUrl()}${url}`, { method, headers, ...(body !== '' && { body }) });
    const text = await answer.text();
    const kept = ['content-type', 'hookbell-config-version'];
    const own = Object.fromEntries(kept.map((name) => [name, answer.headers.get(name) ?? '']));
    response.writeHead(answer.status, own).end(text);
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    hold: (method, path) => {
      const { promise, resolve } = Promise.withResolvers<Held>();
      waiting.push({ method, path, report: resolve });
      return promise;
    },
    cut: () => {
      isCut = true;
    },
    restore: () => {
      isCut = false;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
