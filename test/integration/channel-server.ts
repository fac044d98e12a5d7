import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseOwnJson } from '../../src/lib/json.ts';

/** The body of a request as text. */
async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return text;
}

/**
 * An escape channel on a real socket. `POST /escape` is recorded and answered; `PUT /_answers` sets how the next ones are (a status, or
 * `"hang"`; then 200), `GET /_calls` lists them, `DELETE /_calls` forgets both and cuts those that hang.
 */
export async function startChannel(): Promise<{ readonly url: string; close(): Promise<void> }> {
  let calls: unknown[] = [];
  let answers: (number | 'hang')[] = [];
  let hanging: ServerResponse[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    if (request.method === 'GET') return void response.end(JSON.stringify(calls));
    if (request.method === 'PUT') answers = parseOwnJson(text);
    if (request.method === 'DELETE') {
      for (const one of hanging) one.destroy();
      [calls, answers, hanging] = [[], [], []];
    }
    if (request.method !== 'POST') return void response.end();
    calls.push(parseOwnJson(text));
    const status = answers.shift() ?? 200;
    if (status === 'hang') hanging.push(response);
    else response.writeHead(status).end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
