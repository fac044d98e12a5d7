import { answerHandshake, type HandshakeAnswer } from '../provider/handshake.ts';
import { problemResponse } from '../lib/problem.ts';
import type { Result } from '../lib/result.ts';
import type { RawRequest, VerifiedRequest } from './event.ts';
import { parseBody } from './parse.ts';
import { EVENT_METHODS, wrongMethod } from './receive.ts';

/** Answers a handshake that its provider does not sign; null when the request is none. */
export async function greet(raw: RawRequest): Promise<Response | null> {
  const { handshake } = raw.source.provider;
  if (handshake === undefined || handshake.verify_first) return null;
  const parsed = await parseBody(raw.headers.get('content-type'), raw.body);
  return answer(answerHandshake(handshake, facts(raw, parsed.ok ? parsed.value : null))) ?? noHandshake(raw);
}

/** Answers a handshake that is signed like any other request; null when the request is none. */
export function greetVerified(request: VerifiedRequest, payload: unknown): Response | null {
  const { handshake } = request.source.provider;
  if (handshake === undefined || !handshake.verify_first) return null;
  return answer(answerHandshake(handshake, facts(request, payload))) ?? noHandshake(request);
}

const facts = ({ method, headers, url }: RawRequest, payload: unknown) => ({
  method,
  headers,
  query: url.searchParams,
  payload,
});

function answer(result: Result<HandshakeAnswer, string> | null): Response | null {
  if (result === null) return null;
  if (result.ok)
    return new Response(result.value.body, { status: result.value.status, headers: result.value.headers });
  return problemResponse({
    status: 400,
    type: 'malformed-handshake',
    title: 'Malformed handshake',
    detail: result.error,
  });
}

/** `receive` lets a handshake's own method in; a request by it that is no handshake is no event either. */
const noHandshake = ({ method }: RawRequest): Response | null =>
  EVENT_METHODS.includes(method) ? null : problemResponse(wrongMethod(method, EVENT_METHODS));
