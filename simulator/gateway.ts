import type { IncomingMessage, ServerResponse } from 'node:http';
import { answer, answerRefusal, effectOf, v2Login, v2Voice, type After } from './answer.ts';
import type { CallLog } from './call-log.ts';
import {
  checkCredentials,
  checkParameters,
  withoutCredentials,
  type Credentials,
  checkRequest,
  decodeForm,
  type GatewayRefusal,
} from './check.ts';
import { findEndpoint, type Endpoint } from './endpoints.ts';
import { readBody } from './read-body.ts';
import type { Script, AnswerStep } from './script.ts';

/** The API's prefix: what a `GATEWAY_BASE_URL` ends in. */
export const API_PREFIX = '/api';
export const MAX_BODY_BYTES = 1024 * 1024;
const MAX_SHOWN_PATH = 200;

export interface GatewayParts {
  readonly calls: CallLog;
  readonly script: Script;
  readonly credentials: Credentials | undefined;
  readonly after: After;
}

/** Answers one request below `/api`: strict checks, then the script, then the documented success. */
export async function handleGatewayCall(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  parts: GatewayParts,
): Promise<void> {
  const path = url.pathname.slice(API_PREFIX.length);
  const { method = '', headers } = request;
  const endpoint = checkRequest({ method, path, query: url.searchParams, headers });
  if (!endpoint.ok) return refuse(response, parts.calls, path, endpoint.error);
  if (parts.script.takeResetBefore(endpoint.value.kind)) {
    request.socket.resetAndDestroy();
    return;
  }
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body.ok) return handleBody(response, endpoint.value, body.value, parts);
  if (body.error === 'too_large') refuse(response, parts.calls, path, TOO_LARGE);
}

function handleBody(response: ServerResponse, endpoint: Endpoint, body: Uint8Array, parts: GatewayParts) {
  const { calls, script, credentials, after } = parts;
  const { path } = endpoint;
  const form = decodeForm(body);
  if (!form.ok) return refuse(response, calls, path, form.error);
  const fields = form.value;
  const refusal =
    checkParameters(endpoint, fields) ?? (credentials ? checkCredentials(credentials, fields) : null);
  if (refusal) {
    // A gateway that fails fails for a call without content as well. The step is left for a message.
    const next = isEmpty(endpoint, fields) ? script.next(endpoint.kind) : null;
    if (next === null || WELL.has(next.failure)) return refuse(response, calls, path, refusal, fields);
    const step = { ...next, delivered: false };
    const empty = { kind: endpoint.kind, endpoint: path, to: null, params: {}, outcome: step.failure };
    calls.record({ ...empty, ...effectOf(step) });
    return answer(response, step, v2Voice(null), v2Login(fields), after);
  }

  const to = fields.get('phone') ?? null;
  const params = withoutCredentials(endpoint, fields);
  const { step, outcome } = script.takeAnswer(endpoint.kind, to);
  // Recorded before it is answered: a client that has the answer finds the call in the list.
  calls.record({ kind: endpoint.kind, endpoint: path, to, params, outcome, ...effectOf(step) });
  answer(response, step, v2Voice(to), v2Login(fields), after);
}

/** Steps of a gateway that does its work. */
const WELL: ReadonlySet<AnswerStep['failure']> = new Set(['ok', 'slow']);

/** A call with a login and nothing else: it asks whether the gateway is there. */
const isEmpty = (endpoint: Endpoint, fields: ReadonlyMap<string, string>): boolean =>
  Object.keys(withoutCredentials(endpoint, fields)).length === 0 && fields.has('email');

function refuse(
  response: ServerResponse,
  calls: CallLog,
  path: string,
  refusal: GatewayRefusal,
  fields?: ReadonlyMap<string, string>,
): void {
  const endpoint = findEndpoint(path);
  calls.record({
    kind: endpoint?.kind ?? null,
    endpoint: path.slice(0, MAX_SHOWN_PATH),
    to: fields?.get('phone') ?? null,
    params: endpoint && fields ? withoutCredentials(endpoint, fields) : {},
    outcome: `refused:${refusal.reason}`,
    status: refusal.status,
    delivered: false,
    detail: refusal.message,
  });
  answerRefusal(response, refusal);
}

const TOO_LARGE: GatewayRefusal = {
  status: 413,
  reason: 'body_too_large',
  message: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
};
