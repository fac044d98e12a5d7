import type { ServerResponse } from 'node:http';
import type { Refusal } from './refusal.ts';
import type { AnswerStep } from './step.ts';

/** The number of the simulated sending device: from the range reserved for fiction. */
const SENDER = '15550100000';
const HUGE_CHUNK = 'a'.repeat(64 * 1024);

/** Runs `action` after `ms`; returns how to cancel it. */
export type After = (ms: number, action: () => void) => () => void;

/** A call that was read and is well formed, while it is being answered: the only place that sees its credentials. */
interface AnsweredCall {
  /** The receiver; null for a status. */
  readonly to: string | null;
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * A failure after the gateway accepted the call does not undo the sending: only an answer that says "failed" means that
 * the phone gets nothing.
 */
const DELIVERED: Readonly<Record<AnswerStep['failure'], boolean>> = {
  ok: true,
  slow: true,
  html: true,
  empty: true,
  cut: true,
  garbage: true,
  huge: true,
  hang: true,
  reset: true,
  status: false,
  refused: false,
  echo_secret: false,
};

/** The default delivery to the phone, and the HTTP status that the caller sees, if any. */
export function effectOf(step: AnswerStep): { delivered: boolean; status: number | null } {
  return { delivered: step.delivered ?? DELIVERED[step.failure], status: statusOf(step) };
}

function statusOf(step: AnswerStep): number | null {
  if (step.failure === 'hang' || step.failure === 'reset') return null;
  return step.failure === 'status' || step.failure === 'echo_secret' ? step.status : 200;
}

/** Answers `call` as `step` says. A `hang` ends after its `ms`, or when the server closes its connections. */
export function answer(response: ServerResponse, step: AnswerStep, call: AnsweredCall, after: After): void {
  switch (step.failure) {
    case 'ok':
      return sendJson(response, 200, success(call.to));
    case 'slow':
      return wait(response, step.ms, after, () => sendJson(response, 200, success(call.to)));
    case 'status':
      return sendStatus(response, step);
    case 'refused':
      return sendJson(response, 200, failure(step.message, step.status_code));
    case 'html':
      return send(
        response,
        200,
        'text/html; charset=utf-8',
        '<!doctype html><title>Welcome</title><h1>Please log in</h1>',
      );
    case 'empty':
      response.writeHead(200, { 'content-length': 0 }).end();
      return;
    case 'cut':
      return sendCut(response, JSON.stringify(success(call.to)));
    case 'garbage':
      return send(response, 200, 'application/json', firstHalf(JSON.stringify(success(call.to))));
    case 'hang':
      if (step.ms !== undefined) wait(response, step.ms, after, () => response.destroy());
      return;
    case 'reset':
      response.req.socket.resetAndDestroy();
      return;
    case 'echo_secret':
      return sendJson(
        response,
        step.status,
        failure(echo(call.fields), step.status === 200 ? 401 : step.status),
      );
    case 'huge':
      return sendHuge(response, call.to, step.bytes);
  }
}

/** Answers a call that a strict check refused. */
export function answerRefusal(response: ServerResponse, refusal: Refusal): void {
  sendJson(response, refusal.status, failure(refusal.message, refusal.status), refusal.headers);
}

/** Sends `value` as JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(response, status, 'application/json', JSON.stringify(value), headers);
}

/** The documented answer. A status has no receiver, and its answer is not documented: no `to`. */
const success = (to: string | null) => ({
  success: true,
  message: 'The message was sent.',
  data: { from: SENDER, ...(to !== null && { to }), status_code: 200 },
});

const failure = (message: string, statusCode: number) => ({
  success: false,
  message,
  data: { status_code: statusCode },
});

function sendStatus(response: ServerResponse, step: Extract<AnswerStep, { failure: 'status' }>): void {
  const { status, headers, body } = step;
  // These two never have a body (RFC 9110 §15.3.5, §15.4.5).
  if (status === 204 || status === 304) response.writeHead(status, headers).end();
  else if (body !== undefined) send(response, status, 'text/plain; charset=utf-8', body, headers);
  else sendJson(response, status, failure(`Scripted failure ${status}.`, status), headers);
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.setHeader('content-type', type);
  // setHeader and not writeHead, so that a scripted Content-Type replaces the default in any capitalisation.
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.writeHead(status, { 'content-length': byteLength(body) }).end(body);
}

function sendCut(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': byteLength(body) });
  response.write(firstHalf(body), () => response.destroy());
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

const firstHalf = (text: string): string => text.slice(0, Math.floor(text.length / 2));

const echo = (fields: ReadonlyMap<string, string>): string =>
  `No login for ${fields.get('email')} with api_key ${fields.get('api_key')} and app_key ${fields.get('app_key') ?? '-'}.`;

function sendHuge(response: ServerResponse, to: string | null, bytes: number): void {
  const { message, ...rest } = success(to);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(`${JSON.stringify(rest).slice(0, -1)},"message":"${message}`);
  let left = bytes;
  // At the client's pace: a client that stops reading must not fill the memory.
  const pump = (): void => {
    while (left > 0 && !response.destroyed) {
      const chunk = HUGE_CHUNK.slice(0, left);
      left -= chunk.length;
      if (!response.write(chunk)) {
        response.once('drain', pump);
        return;
      }
    }
    response.end('"}');
  };
  pump();
}

function wait(response: ServerResponse, ms: number, after: After, action: () => void): void {
  const cancel = after(ms, action);
  response.once('close', cancel);
}
