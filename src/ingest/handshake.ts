import { log } from '../lib/log.ts';
import type { Problem } from '../lib/problem.ts';
import { err, ok, type Result } from '../lib/result.ts';
import {
  isHandshake,
  mayBeHandshake,
  needsBody,
  signsForAnybody,
  type Handshake,
  type HandshakeFacts,
  type Proof,
  answerHandshake,
  isSignedForAnybody,
  type HandshakeFault,
  headerText,
} from '../provider/handshake.ts';
import { lookupPlace, type LookupFacts, type LookupPlace } from '../provider/lookup.ts';
import { factsOf, type Arrival, type RawRequest, type VerifiedRequest } from './request/event.ts';
import { allowedMethods, EVENT_METHODS, wrongMethod } from './request/receive.ts';
import { atMost, refuse, rejectedBy, type FloodContext, describeSender, senderOf } from './request/reject.ts';
import { UNAUTHORIZED, UNCONFIGURED, type Rejected } from './request/verify.ts';
import { registry } from '../config/load.ts';
import { sourceSecret } from '../config/secrets/named-secrets.ts';
import { MAX_CREDENTIAL, matchToken } from '../signature/basics/request.ts';
import { withTimeout } from '../lib/wait.ts';
import { pinnedUrl } from '../lib/url.ts';

export type GreetContext = FloodContext & Readonly<{ fetch: typeof fetch }>;

/** Challenges are short, and the sender is not verified yet: a larger body is not parsed for one. */
const MAX_UNSIGNED_BODY_BYTES = 16_384;

/** Answers a handshake that its provider does not sign; null if the request has to be verified like any other. */
export async function greet(raw: RawRequest, context: GreetContext): Promise<Response | null> {
  const { provider } = raw.source;
  const { handshakes = [] } = provider;
  if (handshakes.length === 0) return null;
  const bare = factsOf(raw, undefined);
  for (const handshake of handshakes) {
    // The body is parsed only when everything else fits.
    if (handshake.proof.by === 'signature' || !mayBeHandshake(handshake, bare)) continue;
    if (!needsBody(handshake)) return answer(handshake, raw, bare, context);
    const parsed = raw.body.byteLength > MAX_UNSIGNED_BODY_BYTES ? null : await raw.parsed();
    const facts = parsed?.ok ? factsOf(raw, parsed.value.payload) : null;
    if (facts !== null && isHandshake(handshake, facts)) return answer(handshake, raw, facts, context);
  }
  const isSigned = ({ match, proof }: Handshake) => proof.by === 'signature' && match.method === raw.method;
  const wrong = handshakes.some(isSigned) ? null : notAnEvent(raw, context);
  if (wrong !== null) return wrong;
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
  return handshake === undefined ? notAnEvent(request, context) : answer(handshake, request, facts, context);
}

async function answer(
  { proof, respond, confirm: address }: Handshake,
  raw: Arrival | VerifiedRequest,
  facts: HandshakeFacts,
  context: GreetContext,
): Promise<Response> {
  const proven = await prove(proof, raw, facts, context.env);
  if (!proven.ok) return refuse(raw, proven.error, context);
  // The secret that verified the request signs its answer, else the first that is set.
  const by = 'verifiedBy' in raw ? raw.verifiedBy : null;
  const secret = raw.secrets.find(({ name }) => by === null || name === by)?.value ?? null;
  const made = answerHandshake(respond, { ...facts, secret });
  if (!made.ok) return refuse(raw, rejectedFor(made.error), context);
  if (address !== undefined) {
    const url = lookupPlace(address.url, facts);
    const detail = `the handshake has no text at ${address.url}`;
    if (url === null) return refuse(raw, rejectedFor({ code: 'malformed', detail }), context);
    const called = await confirm(url, new RegExp(address.host), context);
    if (!called.ok)
      return refuse(raw, { problem: UNCONFIRMED, code: 'unconfirmed', detail: called.error }, context);
  }
  const { status, headers, body } = made.value;
  log('info', 'handshake.answered', { source: raw.source.id, method: raw.method, status });
  return new Response(raw.method === 'HEAD' ? null : body, { status, headers });
}

const rejectedFor = ({ code, detail }: HandshakeFault): Rejected => ({
  problem: code === 'secret_missing' ? UNCONFIGURED : malformedHandshake(detail),
  code,
  detail,
});

/** `receive` accepts a handshake's own method, with which no event comes. Null if it is an event's. */
function notAnEvent(arrival: Arrival, context: GreetContext): Response | null {
  const { source, method } = arrival;
  if (EVENT_METHODS.includes(method)) return null;
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

type Proven = Result<void, Rejected>;

/** Checks that a handshake has the required proof before it is answered. `signature` was checked before. */
export async function prove(proof: Proof, raw: Arrival, facts: LookupFacts, env: Env): Promise<Proven> {
  switch (proof.by) {
    case 'secret':
      return showsSecret(proof.at, raw, facts, env);
    case 'pairing':
      return mayPair(proof.key, raw, facts, env);
    case 'signature':
    case 'nothing':
      return ok(undefined);
  }
}

const refused = (problem: Problem, code: Rejected['code'], detail: string) => err({ problem, code, detail });

async function showsSecret(at: LookupPlace, raw: Arrival, facts: LookupFacts, env: Env): Promise<Proven> {
  const name = raw.source.handshakeSecret;
  if (name === null)
    return refused(NO_SECRET, 'secret_missing', 'the source names no `handshake: { secret: NAME }`');
  const expected = sourceSecret(env, name);
  if (expected === undefined) return refused(NO_SECRET, 'secret_missing', `not set: ${name}`);
  const given = lookupPlace(at, facts) ?? '';
  if (given === '') return refused(REFUSED, 'missing_field', `the handshake has no text at ${at}`);
  if (given.length > MAX_CREDENTIAL)
    return refused(REFUSED, 'malformed', `the handshake's ${at} is too long`);
  const matched = await matchToken(given, [expected], `the handshake's ${at}`);
  return matched.ok ? ok(undefined) : err({ problem: REFUSED, ...matched.error });
}

/** Each call goes to the one registry, and anybody can cause such calls: a flood must not lock admins out. */
const PAIRINGS_PER_SECOND = 5;
const mayAskRegistry = atMost(PAIRINGS_PER_SECOND, 1_000);

async function mayPair(at: LookupPlace, raw: Arrival, facts: LookupFacts, env: Env): Promise<Proven> {
  const { id: source } = raw.source;
  const key = headerText(at, facts);
  if (!key.ok) return err({ problem: malformedHandshake(key.error.detail), ...key.error });
  const known = raw.secrets.map(({ value }) => value);
  if ((await matchToken(key.value, known, 'the key')).ok) return ok(undefined);
  if (!mayAskRegistry(raw.receivedAt)) {
    const detail = `more than ${PAIRINGS_PER_SECOND} keys that are not secrets of the source arrived within a second`;
    return refused(BUSY, 'pairing_busy', detail);
  }
  const offer = senderOf(raw, known);
  const captured = await registry(env).capturePairing(source, key.value, offer);
  if (captured === 'closed') {
    const detail = `a key that is not a secret of the source was handed over without an open pairing window. If you are setting the webhook up: \`npx hookbell pair ${source}\` opens one; then create the webhook again`;
    return refused(UNAUTHORIZED, 'pairing_closed', detail);
  }
  if (captured === 'kept') log('info', 'pairing.captured', { source });
  if (captured !== 'conflict') return ok(undefined);
  log('warn', 'pairing.void', { source });
  const detail = `two different keys were handed over in one pairing window, so both are void; this one by ${describeSender(offer)}. Set neither. GET /admin/api/v1/sources/${source}/pair shows who offered them`;
  return refused(UNAUTHORIZED, 'pairing_conflict', detail);
}

const malformedHandshake = (detail: string): Problem => ({
  status: 400,
  type: 'malformed-handshake',
  detail: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`,
});

const NO_SECRET: Problem = {
  ...UNCONFIGURED,
  detail:
    'This source cannot confirm its address yet: its document must name a Worker secret that is set, `handshake: { secret: NAME }`.',
};

const REFUSED: Problem = {
  status: 403,
  type: 'handshake-refused',
  detail: 'This request does not contain the secret that this source expects.',
};

const BUSY: Problem = {
  status: 503,
  type: 'pairing-busy',
  title: 'Busy',
  detail: 'Too many keys are being handed over at the moment. Try again.',
  headers: { 'retry-after': '5' },
};

/** SNS waits 15 s for its own answer. */
const TIMEOUT_MS = 8_000;

/** The address contains a token of the provider, so no error quotes it. `host` has to match its whole host. */
export async function confirm(
  url: string,
  host: RegExp,
  { fetch, timeout = TIMEOUT_MS }: Pick<GreetContext, 'fetch'> & { readonly timeout?: number },
): Promise<Result<void, string>> {
  const address = pinnedUrl(url, host);
  if (address === null) return err("the confirmation address is not one of the provider's");
  try {
    const { ok: done, status } = await withTimeout(timeout, async (signal) => {
      const response = await fetch(address, { redirect: 'manual', signal });
      await response.body?.cancel().catch(() => undefined);
      return response;
    });
    return done ? ok(undefined) : err(`the provider answered ${status} to the confirmation`);
  } catch {
    return err('the provider could not be reached in time to confirm');
  }
}
