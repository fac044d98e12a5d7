import type { IncomingMessage, ServerResponse } from 'node:http';
import { answer, effectOf, sendJson, type Voice } from './answer.ts';
import { decodeForm } from './check.ts';
import type { CallLog } from './call-log.ts';
import { MAX_BODY_BYTES, type GatewayParts } from './gateway.ts';
import { STAND_INS, type MakerCall, type MakerRequest, type StandIn } from './makers.ts';
import { readBody } from './read-body.ts';
import { decodeUtf8 } from '../src/lib/encoding.ts';
import { parseObject } from '../src/lib/json.ts';

/** Below it, each stand-in for another maker's gateway has its name: `/makers/telegram`. */
export const MAKERS_PREFIX = '/makers';

const MAX_LISTED = 20;

/** Answers one request to another maker's gateway: what the original refuses, then the script, then a success. */
export async function handleMakerCall(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { calls, script, after }: GatewayParts,
): Promise<void> {
  const [, , id = '', ...rest] = url.pathname.split('/');
  const standIn = STAND_INS.get(id);
  if (standIn === undefined)
    return sendJson(response, 404, { message: `There is no stand-in \`${id.slice(0, 40)}\`.` });
  const body = await readBody(request, MAX_BODY_BYTES);
  if (!body.ok) return sendJson(response, 413, standIn.failure(413, 'The body is too large.'));
  const asked = requestOf(request, `/${rest.join('/')}`, body.value);
  const answered = standIn.ask?.(asked, () => calls.list({ limit: MAX_LISTED })) ?? null;
  if (answered !== null) return sendJson(response, answered.status, answered.value);
  const read = standIn.read(asked);
  const endpoint = `${MAKERS_PREFIX}/${id}${standIn.shown?.(asked.path) ?? asked.path}`;
  if (!read.ok) {
    const { status, reason, detail, value } = read.error;
    const outcome = `refused:${reason}`;
    calls.record({ kind: null, endpoint, to: null, params: {}, outcome, status, delivered: false, detail });
    return sendJson(response, status, value);
  }
  const { kind, to, params } = read.value;
  if (script.takeResetBefore(kind)) {
    request.socket.resetAndDestroy();
    return;
  }
  const { step, outcome } = script.takeAnswer(kind, to);
  // Recorded before it is answered: a client that has the answer finds the call in the list.
  const effect = effectOf(step);
  const isNew = !effect.delivered || isFirst(calls, [id, to, standIn.key?.(asked) ?? null]);
  const delivered = effect.delivered && isNew;
  const recorded = calls.record({ kind, endpoint, to, params, outcome, ...effect, delivered });
  answer(response, step, voiceOf(standIn, read.value, recorded.id), loginOf(asked), after);
}

/** The messages that phones have, of makers that take an id. */
const shown = new WeakMap<CallLog, Set<string>>();

/** True if the phone does not have this message yet; one with an id that it has replaces the other. */
function isFirst(calls: CallLog, [maker, to, key]: readonly (string | null)[]): boolean {
  if (key === null) return true;
  const known = shown.get(calls) ?? new Set();
  shown.set(calls, known);
  const name = JSON.stringify([maker, to, key]);
  const isNew = !known.has(name);
  known.add(name);
  return isNew;
}

const voiceOf = (standIn: StandIn, call: MakerCall, id: number): Voice => ({
  success: standIn.success(call, id),
  refused: (message) => standIn.failure(200, message),
  failure: (message, code) => standIn.failure(code, message),
});

/** All that may be a credential in a request: its path and its headers. */
const loginOf = ({ path, headers }: MakerRequest): string =>
  `No login for ${path} with ${JSON.stringify(headers)}.`;

function requestOf(request: IncomingMessage, path: string, body: Uint8Array): MakerRequest {
  const type = request.headers['content-type'] ?? '';
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const form = isForm ? decodeForm(body) : null;
  return {
    method: request.method ?? '',
    path: decoded(path),
    headers: request.headers,
    json: type.startsWith('application/json') ? parseObject(decodeUtf8(body) ?? '') : null,
    form: form?.ok === true ? form.value : null,
    bytes: body.length,
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
