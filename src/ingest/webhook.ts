import type { LoadedConfig, Source } from '../config/compiled/config.ts';
import { loadConfig } from '../config/load.ts';
import { secureRandomBytes } from '../lib/id.ts';
import { problemResponse, type Problem } from '../lib/problem.ts';
import { takeEvent, refuseKnown, refuseLimited } from './accept/accept.ts';
import { confirm, greet, greetVerified, type GreetContext } from './handshake.ts';
import { BODY_TOO_LARGE, BodyMemory } from './request/body.ts';
import { type RawRequest, identify } from './request/event.ts';
import { handleForm } from './form/form.ts';
import { receive, type Address } from './request/receive.ts';
import { recordRejection, rejectedBy, type Waiter, recordStray } from './request/reject.ts';
import { checkSender, verifiedRequest, type Rejected } from './request/verify.ts';
import { holds, type LookupFacts } from '../provider/lookup.ts';
import type { Provider } from '../provider/provider.ts';

/** Handles a webhook: receive → verify → parse → match → render → accept. The outbox sends. */
export async function handleWebhook(
  request: Request,
  address: Address,
  env: Env,
  ctx: Waiter,
): Promise<Response> {
  const now = Date.now();
  const config = await loadConfig(env, now);

  const source = config.sources.get(address.sourceId);
  if (source?.form) return handleForm(request, address, { source, form: source.form, config, env, ctx, now });

  const memory = new BodyMemory(now);
  try {
    const received = await receive(request, address, { config, env, memory, now });
    if (received.ok) return await handleReceived(received.value, config, env, ctx);
    const { problem, arrival } = received.error;
    if (arrival !== null) recordRejection(env, ctx, arrival, rejectedBy(problem, arrival.source));
    else recordStray(request.method, address.sourceId, config, { env, ctx }, now);
    return problemResponse(problem);
  } finally {
    memory.release();
  }
}

async function handleReceived(raw: RawRequest, config: LoadedConfig, env: Env, ctx: Waiter) {
  const { source, receivedAt: now } = raw;
  const context: GreetContext = { env, ctx, confirm: (url, pattern) => confirm(url, pattern, { fetch }) };
  const greeted = await greet(raw, context);
  if (greeted !== null) return greeted;

  const reject = (rejected: Rejected): Response => {
    recordRejection(env, ctx, raw, rejected);
    return answerRefusal(source.provider, rejected.problem);
  };
  const sender = await checkSender(raw, now);
  if (!sender.ok) return reject(sender.error);

  // A handshake is never limited, so a signed one has to be recognised first.
  const bytes = raw.body.byteLength;
  const mayGreet = source.provider.handshakes?.some(({ proof }) => proof.by === 'signature') === true;
  const known = mayGreet ? null : refuseKnown(source, bytes, { env, ctx }, now);
  if (known !== null) return known;

  const verified = await verifiedRequest(sender.value);
  if (!verified.ok) return reject(verified.error);

  const signedGreeting = await greetVerified(verified.value, context);
  if (signedGreeting !== null) return signedGreeting;
  const knownLater = mayGreet ? refuseKnown(source, bytes, { env, ctx }, now) : null;
  if (knownLater !== null) return knownLater;

  const identified = identify(verified.value, secureRandomBytes);
  const taken = await takeEvent({ ...identified, bodyBytes: bytes }, env, config, now);
  if (taken.ok) return answerEvent(source, verified.value.facts, taken.value);
  const { problem, refusal } = taken.error;
  if (problem.status === 413)
    recordRejection(env, ctx, raw, rejectedBy({ ...problem, ...BODY_TOO_LARGE }, source));
  return refusal === null || refusal.by === 'storage'
    ? problemResponse(problem)
    : refuseLimited(source, bytes, refusal, { env, ctx }, now);
}

interface ReceiptBody {
  readonly event: string;
  readonly duplicate: boolean;
  readonly messages: readonly string[];
  /** The number of items that wait for a notification, counted per receiver; absent: none. */
  readonly waiting?: number;
  /** The reason why it is a duplicate, if its id does not show that. */
  readonly reason?: string;
}

/** Statuses without a body (RFC 9110 §15.3.5): `Response` throws when it gets one. */
const BODILESS: ReadonlySet<number> = new Set([204, 205]);

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
/** In the platform's own form: converting an object takes as long as the rest of an answer. */
const JSON_HEADERS = new Headers({ ...HEADERS, 'content-type': 'application/json' });

/** The answer to a request that is not accepted as coming from its sender. */
export function answerRefusal({ bare_refusals: isBare }: Provider, problem: Problem): Response {
  if (isBare !== true) return problemResponse(problem);
  const { status, headers } = problem;
  return new Response(null, { status, headers: { ...HEADERS, ...headers } });
}

/** Some providers keep sending until they get exactly the answer that they expect. */
export function answerEvent(
  { provider }: Pick<Source, 'provider'>,
  facts: LookupFacts,
  receipt: ReceiptBody,
): Response {
  const fits = ({ when = [] }: NonNullable<Provider['answers']>[number]) =>
    when.every((one) => holds(one, facts));
  const answer = provider.answers?.find(fits);
  const status = answer?.status ?? 202;
  if (BODILESS.has(status)) return new Response(null, { status, headers: HEADERS });
  if (answer?.body === undefined)
    return new Response(JSON.stringify(receipt), { status, headers: JSON_HEADERS });
  const type = answer.content_type ?? 'text/plain; charset=utf-8';
  return new Response(answer.body, { status, headers: { ...HEADERS, 'content-type': type } });
}
