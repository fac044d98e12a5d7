import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { Trace } from './canary-search.ts';
import { everyByte, inHex } from './canary-values.ts';

/** A server of the test's own, for what the simulator is too well behaved to do. */
interface OwnServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The server that notifies an account's owner. It fails in turns, and each failure repeats the address of the call. */
export interface NoticeServer extends OwnServer {
  /** The reports, without the address, which has its secret in it. */
  traces(): readonly Trace[];
}

type Fields = URLSearchParams;

const login = (fields: Fields): string =>
  ['email', 'api_key', 'app_key'].map((name) => fields.get(name) ?? '').join(' ');
const failure = (message: string): string => JSON.stringify({ success: false, message });
/** As PHP's `json_encode` writes it. */
const phpJson = (message: string): string =>
  failure(message).replaceAll('/', '\\/').replaceAll('&', '\\u0026').replaceAll('<', '\\u003C');
const htmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/** The answers of a gateway that repeats the caller's login, by name. The message's text chooses one. */
const ECHOES = {
  plain: (response, fields) => response.end(failure(`no login ${login(fields)}`)),
  'within success': (response, fields) =>
    response.end(JSON.stringify({ success: true, message: `sent for ${login(fields)}` })),
  'as status code': (response, fields) =>
    response.end(JSON.stringify({ success: true, data: { status_code: login(fields) } })),
  'the whole form': (response, _fields, body) => response.end(`<h1>Debug</h1><pre>${body}</pre>`),
  "in PHP's JSON": (response, fields) => response.end(phpJson(login(fields))),
  'JSON in JSON': (response, fields) => response.end(failure(failure(login(fields)))),
  html: (response, fields) => response.end(`<p>${htmlText(login(fields))}</p>`),
  percent: (response, fields) => response.end(encodeURIComponent(login(fields))),
  'percent, every byte': (response, fields) =>
    response.end(everyByte(login(fields), (byte) => `%${inHex(byte)}`)),
  'escapes, every character': (response, fields) =>
    response.end(
      `{"success":false,"message":"${everyByte(login(fields), (byte) => `\\u00${inHex(byte)}`)}"}`,
    ),
  'references, every character': (response, fields) =>
    response.end(everyByte(login(fields), (byte) => `&#${byte};`)),
  base64: (response, fields) => response.end(btoa(fields.get('api_key') ?? '')),
  'base64 of all': (response, fields) => response.end(failure(btoa(`x${login(fields)}`))),
  'as Basic': (response, fields) =>
    response.end(`Basic ${btoa(`${fields.get('email')}:${fields.get('api_key')}`)}`),
  hex: (response, fields) => response.end(everyByte(login(fields), inHex)),
  'server error': (response, fields) => response.writeHead(500).end(`PDOException: ${login(fields)}`),
  'in headers': (response, fields) =>
    response
      .writeHead(429, {
        'retry-after': fields.get('api_key') ?? '',
        'x-debug': login(fields),
        'content-type': `text/${login(fields)}`,
      })
      .end('{}'),
  redirect: (response, fields) =>
    response.writeHead(302, { location: `https://login.invalid/?${fields.toString()}` }).end(login(fields)),
  'reason phrase': (response, fields) => response.writeHead(400, login(fields)).end(),
  'cut in the middle': (response, fields) => cut(response, `{"key":"${fields.get('api_key')}"}`, 20),
  'cut, in base64': (response, fields) => cut(response, btoa(fields.get('api_key') ?? ''), 20),
  'cut, form-encoded': (response, _fields, body) =>
    cut(response, body, body.lastIndexOf('api_key=') + 'api_key='.length + 12),
  'across the first KiB': (response, fields) => response.end(`${'.'.repeat(1_024 - 20)}${login(fields)}`),
  'across what is read': (response, fields) => response.end(`${'.'.repeat(65_536 - 20)}${login(fields)}`),
} as const satisfies Readonly<
  Record<string, (response: ServerResponse, fields: Fields, body: string) => unknown>
>;

type Echo = keyof typeof ECHOES;
const isEcho = (name: string): name is Echo => Object.hasOwn(ECHOES, name);
export const ECHO_NAMES: readonly Echo[] = Object.keys(ECHOES).filter(isEcho);

/** A gateway that repeats the login of its caller. It rejects a message with any other text than these names. */
export async function startEchoGateway(): Promise<OwnServer> {
  return listen(
    createServer((request, response) => {
      void (async () => {
        const body = await readText(request);
        const fields = new URLSearchParams(body);
        const name = fields.get('message') ?? '';
        if (isEcho(name)) ECHOES[name](response, fields, body);
        else response.end(failure(`incomplete, ${login(fields)}`));
      })();
    }),
  );
}

/** Announces more than it sends, and breaks off. */
function cut(response: ServerResponse, body: string, at: number): void {
  response.writeHead(200, { 'content-length': body.length });
  response.write(body.slice(0, at), () => response.destroy());
}

export async function startNoticeServer(): Promise<NoticeServer> {
  const traces: Trace[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const { url, host: _, ...rest } = { url: request.url ?? '', ...request.headers };
      traces.push({ place: 'notice', text: `${JSON.stringify(rest)}\n${await readText(request)}` });
      const answers = [brokenOff, serverError, redirected, page] as const;
      answers[count % answers.length]?.(request, response, url);
      count += 1;
    })();
  });
  return { ...(await listen(server)), traces: () => traces };
}

type Answer = (request: IncomingMessage, response: ServerResponse, url: string) => void;

const serverError: Answer = (_request, response, url) => response.writeHead(500).end(`cannot POST ${url}`);
const redirected: Answer = (_request, response, url) =>
  response.writeHead(307, { location: `http://127.0.0.1:9${url}` }).end();
const page: Answer = (_request, response, url) => response.end(`<p>${url}</p>`);
const brokenOff: Answer = (request) => request.socket.resetAndDestroy();

async function listen(server: Server): Promise<OwnServer> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    resolve(typeof address === 'object' && address !== null ? address.port : 0);
  });
  const port = await promise;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
