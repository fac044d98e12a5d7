import { log } from '../../lib/log.ts';
import { problemResponse, type Problem } from '../../lib/problem.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import {
  isHandshake,
  mayBeHandshake,
  needsBody,
  signsForAnybody,
  type Handshake,
  type HandshakeFacts,
} from '../../provider/handshake.ts';
import { answerHandshake, isSignedForAnybody, type HandshakeFault } from '../../provider/handshake-answer.ts';
import { lookupPlace } from '../../provider/lookup.ts';
import { factsOf, type Arrival, type RawRequest, type VerifiedRequest } from '../request/event.ts';
import { malformedHandshake, prove } from './prove.ts';
import { allowedMethods, EVENT_METHODS, wrongMethod } from '../request/receive.ts';
import { recordRejection, rejectedBy, type Waiter } from '../request/reject.ts';
import { UNAUTHORIZED, UNCONFIGURED, type Rejected } from '../request/verify.ts';

/** The environment of a greeting, and the call that a handshake may ask for. */
export interface GreetContext {
  readonly env: Env;
  readonly ctx: Waiter;
  /** Calls an address that a handshake names, if its host matches; otherwise gives the reason, without the address. */
  readonly confirm: (url: string, host: RegExp) => Promise<Result<void, string>>;
}

/** Challenges are short, and the sender is not verified yet: a larger body is not parsed for one. */
const MAX_UNSIGNED_BODY_BYTES = 16_384;

/** Answers a handshake that its provider does not sign; null if the request has to be verified like any other. */
export async function greet(raw: RawRequest, context: GreetContext): Promise<Response | null> {
  const { provider } = raw.source;
  const { handshakes = [] } = provider;
  if (handshakes.length === 0) return null;
  const found = await findUnsigned(raw, handshakes);
  if (found !== null) return answer(found.handshake, raw, found.facts, context);
  const isSigned = ({ match, proof }: Handshake) => proof.by === 'signature' && match.method === raw.method;
  if (!handshakes.some(isSigned) && !isEventMethod(raw)) return notAnEvent(raw, context);
  const forms = [raw.body, ...(raw.compressed === undefined ? [] : [raw.compressed])];
  if (!signsForAnybody(provider) || !forms.some(isSignedForAnybody)) return null;
  const detail = 'a handshake of this source signs this body for anybody';
  return refuse(raw, { problem: UNAUTHORIZED, code: 'mismatch', detail }, context);
}

/** Answers a handshake that is signed like any other request; null if the request is an event. */
export async function greetVerified(
  request: VerifiedRequest,
  context: GreetContext,
): Promise<Response | null> {
  const { facts } = request;
  const handshake = request.source.provider.handshakes?.find(
    (one) => one.proof.by === 'signature' && isHandshake(one, facts),
  );
  if (handshake !== undefined) return answer(handshake, request, facts, context);
  return isEventMethod(request) ? null : notAnEvent(request, context);
}

/** Returns the first handshake that the request fits. The body is parsed only when everything else fits. */
async function findUnsigned(
  raw: RawRequest,
  handshakes: readonly Handshake[],
): Promise<{ handshake: Handshake; facts: HandshakeFacts } | null> {
  const bare = factsOf(raw, undefined);
  for (const handshake of handshakes) {
    if (handshake.proof.by === 'signature' || !mayBeHandshake(handshake, bare)) continue;
    if (!needsBody(handshake)) return { handshake, facts: bare };
    if (raw.body.byteLength > MAX_UNSIGNED_BODY_BYTES) continue;
    const parsed = await raw.parsed();
    if (!parsed.ok) continue;
    const facts = factsOf(raw, parsed.value.payload);
    if (isHandshake(handshake, facts)) return { handshake, facts };
  }
  return null;
}

async function answer(
  { proof, respond, confirm }: Handshake,
  raw: Arrival | VerifiedRequest,
  facts: HandshakeFacts,
  context: GreetContext,
): Promise<Response> {
  const proven = await prove(proof, raw, facts, context.env);
  if (!proven.ok) return refuse(raw, proven.error, context);
  const made = answerHandshake(respond, { ...facts, secret: secretOf(raw) });
  if (!made.ok) return refuse(raw, rejectedFor(made.error), context);
  const confirmed = confirm === undefined ? ok(undefined) : await callBack(confirm, facts, context);
  if (!confirmed.ok) return refuse(raw, confirmed.error, context);
  const { status, headers, body } = made.value;
  log('info', 'handshake.answered', { source: raw.source.id, method: raw.method, status });
  return new Response(raw.method === 'HEAD' ? null : body, { status, headers });
}

async function callBack(
  { url: place, host: pattern }: NonNullable<Handshake['confirm']>,
  facts: HandshakeFacts,
  context: GreetContext,
): Promise<Result<void, Rejected>> {
  const url = lookupPlace(place, facts);
  if (url === null)
    return err(rejectedFor({ code: 'malformed', detail: `the handshake has no text at ${place}` }));
  const called = await context.confirm(url, new RegExp(pattern));
  return called.ok ? called : err({ problem: UNCONFIRMED, code: 'unconfirmed', detail: called.error });
}

/** Returns the secret that signs an answer: the one that verified the request, else the first that is set. */
function secretOf(raw: Arrival | VerifiedRequest): string | null {
  const by = 'verifiedBy' in raw ? raw.verifiedBy : null;
  return raw.secrets.find(({ name }) => by === null || name === by)?.value ?? null;
}

const rejectedFor = ({ code, detail }: HandshakeFault): Rejected => ({
  problem: code === 'secret_missing' ? UNCONFIGURED : malformedHandshake(detail),
  code,
  detail,
});

function refuse(arrival: Arrival, rejected: Rejected, { env, ctx }: GreetContext): Response {
  recordRejection(env, ctx, arrival, rejected);
  return problemResponse(rejected.problem);
}

const isEventMethod = ({ method }: Arrival): boolean => EVENT_METHODS.includes(method);

/**
 * `receive` accepts a handshake's own method. A request with that method that is not a handshake is not an event
 * either.
 */
function notAnEvent(arrival: Arrival, context: GreetContext): Response {
  const { source, method } = arrival;
  const others = allowedMethods(source).filter((allowed) => allowed !== method);
  return refuse(arrival, rejectedBy(wrongMethod(method, others), source), context);
}

const UNCONFIRMED: Problem = {
  status: 503,
  type: 'handshake-unconfirmed',
  title: 'Not confirmed',
  detail: 'The address that confirms this handshake could not be called just now. Send it again later.',
  headers: { 'retry-after': '30' },
};
