import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { maybeJson } from '../src/lib/json.ts';
import { sendJson } from './answer.ts';
import type { CallLog, Call } from './call-log.ts';
import { readBody } from './read-body.ts';
import { type Script, scriptSchema } from './script.ts';
import { isShown, toBubble } from './bubble.ts';

/** The prefix of the API by which tests and the page control the simulator and read its log. */
export const CONTROL_PREFIX = '/_control';
const MAX_SCRIPT_BYTES = 4 * 1024 * 1024;

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly calls: CallLog;
  readonly script: Script;
}

type Handler = (asked: Asked) => void | Promise<void>;

/** By path below the prefix, then by method. */
const ROUTES: ReadonlyMap<string, Readonly<Partial<Record<string, Handler>>>> = new Map([
  ['/calls', { GET: listCalls, DELETE: reset }],
  ['/script', { GET: ({ response, script }) => sendJson(response, 200, script.remaining()), PUT: putScript }],
  ['/events', { GET: streamEvents }],
  ['/health', { GET: ({ response, calls }) => sendJson(response, 200, { ok: true, ...calls.totals() }) }],
] satisfies [string, Record<string, Handler>][]);

/** Answers one request below {@link CONTROL_PREFIX}. Bad input is a 400 that names the field. */
export async function handleControl(asked: Asked): Promise<void> {
  const { request, response, url } = asked;
  const route = ROUTES.get(url.pathname.slice(CONTROL_PREFIX.length));
  if (!route) {
    const known = [...ROUTES.keys()].map((path) => CONTROL_PREFIX + path).join(', ');
    return sendProblem(response, 404, 'Not found', `The control API has ${known}.`);
  }
  const handler = Object.hasOwn(route, request.method ?? '') ? route[request.method ?? ''] : undefined;
  if (handler) return handler(asked);
  const allow = Object.keys(route).join(', ');
  sendProblem(response, 405, 'Method not allowed', `${url.pathname} takes ${allow}.`, {}, { allow });
}

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);

const callQuery = z.strictObject({
  since: wholeNumber.optional(),
  outcome: z.string().optional(),
  phone: z.string().optional(),
  limit: wholeNumber.default(1000),
});

function listCalls({ response, url, calls }: Asked): void {
  const filter = callQuery.safeParse(Object.fromEntries(url.searchParams));
  if (!filter.success) return sendInvalid(response, filter.error);
  sendJson(response, 200, { items: calls.list(filter.data), ...calls.totals() });
}

function reset({ response, calls, script }: Asked): void {
  calls.reset();
  script.replace({ steps: [], repeat: false });
  response.writeHead(204).end();
}

async function putScript({ request, response, script }: Asked): Promise<void> {
  const body = await readBody(request, MAX_SCRIPT_BYTES);
  if (!body.ok) {
    if (body.error === 'too_large')
      sendProblem(response, 413, 'Too large', `A script has at most ${MAX_SCRIPT_BYTES} bytes.`);
    return;
  }
  const document = maybeJson(new TextDecoder().decode(body.value));
  if (document === undefined) {
    const detail = 'The body must be JSON: {"steps": [{"failure": "status", "status": 503}]}.';
    return sendProblem(response, 400, 'Not JSON', detail);
  }
  const checked = scriptSchema.safeParse(document);
  if (!checked.success) return sendInvalid(response, checked.error);
  script.replace(checked.data);
  sendJson(response, 200, script.remaining());
}

function sendInvalid(response: ServerResponse, { issues }: z.ZodError): void {
  const errors = issues.map(({ path, message }) => ({
    path: z.core.toDotPath(path),
    code: 'malformed',
    message,
  }));
  const texts = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  sendProblem(response, 400, 'Invalid input', texts.join('; '), { errors });
}

function sendProblem(
  response: ServerResponse,
  status: number,
  title: string,
  detail: string,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
): void {
  const problem = { type: 'about:blank', title, status, detail, ...more };
  sendJson(response, status, problem, { 'content-type': 'application/problem+json', ...headers });
}

/** The number of calls that a newly opened page shows. The page itself does not keep more. */
const BACKLOG = 500;
/** A page that is this far behind is disconnected (bytes); when it connects again it gets the newest calls only. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;

/**
 * The page's stream (server-sent events): `reset` (forget everything), then `bubble` for each of the newest calls and
 * for every one that comes. Each connection starts from the beginning, so that a page survives a restarted simulator.
 */
function streamEvents({ response, calls }: Asked): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const send = (event: string, data: unknown): void => {
    if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
    else response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const sendCall = (call: Call): void => {
    if (isShown(call)) send('bubble', { bubble: toBubble(call), totals: calls.totals() });
  };

  response.write('retry: 1000\n\n');
  send('reset', { totals: calls.totals() });
  for (const call of calls.list({ limit: BACKLOG })) sendCall(call);
  const unsubscribe = calls.subscribe((call) =>
    call ? sendCall(call) : send('reset', { totals: calls.totals() }),
  );
  response.once('close', unsubscribe);
}
