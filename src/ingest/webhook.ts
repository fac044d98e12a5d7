import type { LoadedConfig } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { secureRandomBytes } from '../lib/id.ts';
import { log } from '../lib/log.ts';
import { problemResponse } from '../lib/problem.ts';
import { accept, acceptance } from './accept/accept.ts';
import { NOT_ACCEPTED } from './accept/not-accepted.ts';
import { answerEvent, answerRefusal } from './answer.ts';
import { confirm } from './handshake/confirm.ts';
import type { RawRequest } from './request/event.ts';
import { greet, greetVerified, type Host } from './handshake/greet.ts';
import { identify } from './request/identify.ts';
import { refuseKnown, refuseLimited } from './accept/limited.ts';
import { routeEvent, silencing } from './routing/match.ts';
import { receive, type Address } from './request/receive.ts';
import { recordRejection, type Waiter } from './request/reject.ts';
import { MEMORY_PER_BODY_BYTE, underWay } from './accept/under-way.ts';
import { checkSender, verifiedRequest, type Rejected } from './request/verify.ts';

/** The trip of a webhook: receive → verify → parse → match → render → accept. The outbox sends. */
export async function handleWebhook(
  request: Request,
  address: Address,
  env: Env,
  ctx: Waiter,
): Promise<Response> {
  const now = Date.now();
  const config = await loadConfig(env, now);

  const received = await receive(request, address, config, env, now);
  if (!received.ok) return problemResponse(received.error);
  const done = underWay.take(MEMORY_PER_BODY_BYTE * received.value.body.byteLength, now);
  if (done === null) return problemResponse(NOT_ACCEPTED);
  try {
    return await handleReceived(received.value, config, env, ctx);
  } finally {
    done();
  }
}

async function handleReceived(
  raw: RawRequest,
  config: LoadedConfig,
  env: Env,
  ctx: Waiter,
): Promise<Response> {
  const { source, receivedAt: now } = raw;

  const host: Host = { env, ctx, confirm: (url, pattern) => confirm(url, pattern, { fetch }) };

  const greeted = await greet(raw, host);
  if (greeted !== null) return greeted;

  const reject = (rejected: Rejected): Response => {
    recordRejection(env, ctx, raw, rejected);
    return answerRefusal(source.provider, rejected.problem);
  };
  const sender = await checkSender(raw, now);
  if (!sender.ok) return reject(sender.error);

  // A handshake is never limited: if one is signed, it has to be recognised first.
  const bytes = raw.body.byteLength;
  const mayGreet = source.provider.handshakes?.some(({ proof }) => proof.by === 'signature') === true;
  const known = mayGreet ? null : refuseKnown(source, bytes, { env, ctx }, now);
  if (known !== null) return known;

  const verified = await verifiedRequest(sender.value);
  if (!verified.ok) return reject(verified.error);

  const signedGreeting = await greetVerified(verified.value, host);
  if (signedGreeting !== null) return signedGreeting;
  const knownLater = mayGreet ? refuseKnown(source, bytes, { env, ctx }, now) : null;
  if (knownLater !== null) return knownLater;

  const { event, dedupeFailure } = identify(verified.value, secureRandomBytes);
  const results = routeEvent(event, silencing(config, now));
  const { version: configVersion } = config;
  const taken = acceptance(event, results, { configVersion, dedupeFailure, bodyBytes: bytes });

  const accepted = await accept(env, config, source.account, taken);
  if (!accepted.ok) {
    const { problem, refusal } = accepted.error;
    return refusal === null || refusal.by === 'storage'
      ? problemResponse(problem)
      : refuseLimited(source, bytes, refusal, { env, ctx }, now);
  }

  const { state } = taken.event;
  const { event: id, duplicate, messages, waiting, reason } = accepted.value;
  const further = { ...(waiting !== undefined && { waiting }), ...(reason !== undefined && { reason }) };
  log('info', 'event.accepted', {
    event: id,
    source: source.id,
    account: source.account,
    state,
    duplicate,
    messages: messages.length,
    ...further,
    version: config.version,
    duration_ms: Date.now() - now,
  });
  return answerEvent(source.provider, verified.value.facts, { event: id, duplicate, messages, ...further });
}
