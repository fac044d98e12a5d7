import type { LoadedConfig } from '../../config/compiled/config.ts';
import { log } from '../../lib/log.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { AddressLimit, Receipt } from '../../outbox/state/acceptance.ts';
import type { WebhookEvent } from '../request/event.ts';
import { routeEvent, silencing } from '../routing/match.ts';
import { accept, acceptance } from './accept.ts';
import type { NotAccepted } from './not-accepted.ts';

/** An event to accept. */
interface NewEvent {
  readonly event: WebhookEvent;
  readonly dedupeFailure: string | null;
  /** The size of its body; absent: its source's limit does not count it. */
  readonly bodyBytes?: number;
  /** The limit for the address that a form came from; absent: none. */
  readonly address?: AddressLimit | undefined;
}

/** The last part of handling a request: match → render → accept. The event is on disk when this resolves. */
export async function takeEvent(
  { event, dedupeFailure, bodyBytes, address }: NewEvent,
  env: Env,
  config: LoadedConfig,
  now: number,
): Promise<Result<Receipt, NotAccepted>> {
  const { source } = event;
  const results = routeEvent(event, silencing(config, now));
  const size = bodyBytes === undefined ? {} : { bodyBytes };
  const taken = acceptance(event, results, { config, dedupeFailure, ...size, address });
  const accepted = await accept(env, config, source.account, taken);
  if (!accepted.ok) return err(accepted.error);
  const { event: id, duplicate, messages, waiting, reason } = accepted.value;
  const further = { ...(waiting !== undefined && { waiting }), ...(reason !== undefined && { reason }) };
  const { state } = taken.event;
  log(state === 'routed' || state === 'unmatched' ? 'debug' : 'warn', 'event.accepted', {
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
  return ok({ event: id, duplicate, messages, ...further });
}
