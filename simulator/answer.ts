import type { ServerResponse } from 'node:http';
import type { GatewayRefusal } from './check.ts';
import type { AnswerStep } from './script.ts';

/** The number of the simulated sending device: from the range reserved for fiction. */
const SENDER = '15550100000';
const HUGE_CHUNK = 'a'.repeat(64 * 1024);
const LOGIN_PAGE = '<!doctype html><title>Welcome</title><h1>Please log in</h1>';

/** Runs `action` after `ms`; returns a function that cancels it. */
export type After = (ms: number, action: () => void) => () => void;

/** The answers of a gateway to a call. `refused`: an error inside a success. */
export interface Voice {
  readonly success: { readonly status: number; readonly value: object };
  readonly refused: (message: string, code: number) => unknown;
  readonly failure: (message: string, status: number) => unknown;
}

/** The gateway's API v2. `to`: the receiver; null for a status. */
export const v2Voice = (to: string | null): Voice => ({
  success: { status: 200, value: success(to) },
  refused: failure,
  failure,
});

export const v2Login = (fields: ReadonlyMap<string, string>): string =>
  `No login for ${fields.get('email')} with api_key ${fields.get('api_key')} and app_key ${fields.get('app_key') ?? '-'}.`;

/** Only an answer that says "failed" undoes the sending: after any other, the phone has the message. */
const UNDELIVERED: ReadonlySet<AnswerStep['failure']> = new Set(['status', 'refused', 'echo_secret']);

/** The default delivery to the phone, and the HTTP status that the caller sees, if any. */
export const effectOf = (step: AnswerStep) => ({
  delivered: step.delivered ?? !UNDELIVERED.has(step.failure),
  status: statusOf(step),
});

function statusOf(step: AnswerStep): number | null {
  if (step.failure === 'hang' || step.failure === 'reset') return null;
  return step.failure === 'status' || step.failure === 'echo_secret' ? step.status : 200;
}

/**
 * Answers a call as `step` says. A `hang` ends after its `ms`, or when the server closes its connections. `login`: the
 * caller's credentials in a sentence, for a gateway that repeats them; nothing else sees them.
 */
export function answer(
  response: ServerResponse,
  step: AnswerStep,
  voice: Voice,
  login: string,
  after: After,
): void {
  const { status, value } = voice.success;
  switch (step.failure) {
    case 'ok':
      return sendJson(response, status, value);
    case 'slow':
      return wait(response, step.ms, after, () => sendJson(response, status, value));
    case 'status':
      return sendStatus(response, step, voice);
    case 'refused':
      return sendJson(response, 200, voice.refused(step.message, step.status_code));
    case 'html':
      return send(response, 200, 'text/html; charset=utf-8', LOGIN_PAGE);
    case 'empty':
      response.writeHead(200, { 'content-length': 0 }).end();
      return;
    case 'cut':
      return sendCut(response, JSON.stringify(value));
    case 'garbage':
      return send(response, 200, 'application/json', firstHalf(JSON.stringify(value)));
    case 'hang':
      if (step.ms !== undefined) wait(response, step.ms, after, () => response.destroy());
      return;
    case 'reset':
      response.req.socket.resetAndDestroy();
      return;
    case 'echo_secret':
      return sendJson(response, step.status, voice.failure(login, step.status === 200 ? 401 : step.status));
    case 'huge':
      return sendHuge(response, value, step.bytes);
  }
}

export function answerRefusal(response: ServerResponse, refusal: GatewayRefusal): void {
  sendJson(response, refusal.status, failure(refusal.message, refusal.status), refusal.headers);
}

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

function sendStatus(
  response: ServerResponse,
  step: Extract<AnswerStep, { failure: 'status' }>,
  voice: Voice,
): void {
  const { status, headers, body } = step;
  // These two never have a body (RFC 9110 §15.3.5, §15.4.5).
  if (status === 204 || status === 304) response.writeHead(status, headers).end();
  else if (body !== undefined) send(response, status, 'text/plain; charset=utf-8', body, headers);
  else sendJson(response, status, voice.failure(`Scripted failure ${status}.`, status), headers);
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

function sendHuge(response: ServerResponse, value: object, bytes: number): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(`${JSON.stringify({ ...value, message: undefined }).slice(0, -1)},"message":"`);
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
