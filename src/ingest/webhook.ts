import { loadConfig } from '../config/load.ts';
import type { Env } from '../env.ts';
import { secureRandomBytes } from '../lib/id.ts';
import { log } from '../lib/log.ts';
import { problemResponse, type Problem } from '../lib/problem.ts';
import { redact } from '../lib/redact.ts';
import { accept, acceptance } from './accept.ts';
import { answerEvent } from './answer.ts';
import { confirm } from './confirm.ts';
import type { RawRequest } from './event.ts';
import { greet, greetVerified, type Host } from './greet.ts';
import { identify } from './identify.ts';
import { routeEvent } from './match.ts';
import { receive, type Address } from './receive.ts';
import { recordRejection, type Waiter } from './reject.ts';
import { secretsSet, verify } from './verify.ts';

/** The trip of a webhook: receive → verify → parse → match → render → accept. Sending is the outbox's. */
export async function handleWebhook(
  request: Request,
  address: Address,
  env: Env,
  ctx: Waiter,
): Promise<Response> {
  const now = Date.now();
  const config = await loadConfig(env.CONFIG, now);

  const received = await receive(request, address, config, now);
  if (!received.ok) return problemResponse(received.error);
  const raw = received.value;
  const { source } = raw;

  const host: Host = { env, ctx, confirm: (url, pattern) => confirm(url, pattern, { fetch }) };

  const greeted = await greet(raw, host);
  if (greeted !== null) return greeted;

  const verified = await verify(raw, env, now);
  if (!verified.ok) {
    recordRejection(env, ctx, source.id, verified.error, now);
    return problemResponse(verified.error.problem);
  }

  const secrets = secretsSet(source.secrets, env).map(({ value }) => value);
  const parsed = await raw.payload();
  if (!parsed.ok) {
    // The sender is who it says, so its admin should hear of it; the detail shows nothing of the body.
    const problem = unparsable(parsed.error.status, redact(parsed.error.detail, secrets));
    recordRejection(env, ctx, source.id, { problem, reason: problem.type, detail: problem.detail }, now);
    return problemResponse(problem);
  }

  const signedGreeting = await greetVerified(verified.value, parsed.value, host);
  if (signedGreeting !== null) return signedGreeting;

  const { event, dedupeFailure } = identify(verified.value, parsed.value, secureRandomBytes, secrets);
  const results = routeEvent(event);
  const taken = acceptance(event, results, { configVersion: config.version, dedupeFailure });

  const accepted = await accept(env, config, source.account, taken);
  if (!accepted.ok) return problemResponse(accepted.error);

  const { state } = taken.event;
  const { event: id, duplicate, messages } = accepted.value;
  log('info', 'event.accepted', {
    event: id,
    source: source.id,
    account: source.account,
    state,
    duplicate,
    messages: messages.length,
    version: config.version,
    duration_ms: Date.now() - now,
  });
  return answerEvent(source.provider, factsOf(raw, parsed.value), { event: id, duplicate, messages });
}

const factsOf = ({ headers, url }: RawRequest, payload: unknown) => ({
  payload,
  headers,
  query: url.searchParams,
});

const unparsable = (status: 400 | 415, detail: string): Problem => ({
  status,
  type: status === 400 ? 'malformed-body' : 'unsupported-type',
  title: status === 400 ? 'Malformed body' : 'Unsupported media type',
  detail,
});
