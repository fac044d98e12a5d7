import { DEFAULT_ACCOUNT } from '../../config/account-policy.ts';
import { placementOf } from '../../config/placement.ts';
import { describeError, log } from '../../lib/log.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import type { Acceptance, AcceptedEvent, Quota, Receipt } from '../../outbox/state/acceptance.ts';
import { heldBytes } from '../../outbox/state/bytes.ts';
import { keysOf } from '../../outbox/state/claim-key.ts';
import { acceptSharded, type Objects } from './accept-sharded.ts';
import { NOT_ACCEPTED, notAccepted, tooLarge, type NotAccepted } from './not-accepted.ts';
import type { WebhookEvent } from '../request/event.ts';
import { messagesOf } from '../routing/allowance.ts';
import type { RouteResult } from '../routing/route-result.ts';
import { underWay } from './under-way.ts';
import type { AccountPolicy, LoadedConfig, Route, Source } from '../../config/config.ts';
import type { EventState } from '../../outbox/state/states.ts';

interface AcceptanceExtra {
  readonly configVersion: number;
  readonly dedupeFailure: string | null;
  readonly replay?: { readonly of: string; readonly by: string };
  /** How large the webhook was: what its source's limit counts. Absent for a replay, which has none. */
  readonly bodyBytes?: number;
}

/** What the outbox gets: the event as it will be kept, its messages, and the items that wait to be told. */
export function acceptance(
  event: WebhookEvent,
  results: readonly RouteResult[],
  extra: AcceptanceExtra,
): Acceptance {
  const { source } = event;
  const stored = source.store === 'full';
  const kept = (value: unknown): string => (stored ? JSON.stringify(value) : 'null');
  const policies = new Map<string, Route['delivery']>(
    source.routes.map(({ name, delivery }) => [name, delivery]),
  );
  const failures = results.flatMap(({ failures: own, notes = [] }) =>
    [...own, ...notes].map(({ reason }) => reason),
  );
  const silenced = results.flatMap(({ route, silenced: own = [] }) => own.map((one) => ({ route, ...one })));
  const items = results.flatMap((result) => result.items ?? []);
  const reasons = extra.dedupeFailure === null ? failures : [extra.dedupeFailure, ...failures];
  return {
    event: {
      id: event.id,
      source: source.id,
      type: event.type,
      state: eventState(results),
      reason: reasons.length === 0 ? null : summary(reasons),
      receivedAt: event.receivedAt,
      dedupe: event.dedupeKey === null ? null : { key: event.dedupeKey, windowMs: source.dedupe.windowMs },
      itemWindowMs: source.dedupe.windowMs,
      signed: signedKeys(event),
      payload: kept(event.payload),
      headers: kept(event.headers),
      query: kept(event.query),
      configVersion: extra.configVersion,
      stored,
      replay: extra.replay ?? null,
      shards: [],
      isHome: true,
      ...(silenced.length > 0 && { silenced }),
    },
    messages: results.flatMap(({ route, messages }) => {
      const delivery = policies.get(route);
      return delivery === undefined
        ? []
        : messages.map((message) => ({ ...message, ...delivery, forget: !stored }));
    }),
    ...(items.length > 0 && { items }),
    ...quotaOf(source, results, extra.bodyBytes),
  };
}

function quotaOf(
  { limit }: Source,
  results: readonly RouteResult[],
  bytes: number | undefined,
): { quota?: Quota } {
  if (limit === null || bytes === undefined) return {};
  const messages = results.reduce((sum, result) => sum + messagesOf(result), 0);
  return { quota: { limit, bytes, messages } };
}

const signedKeys = ({ signed }: WebhookEvent): AcceptedEvent['signed'] =>
  signed === null
    ? null
    : { keys: signed.digests.map((digest) => `signed:${digest}`), windowMs: signed.windowMs };

function eventState(results: readonly RouteResult[]): EventState {
  if (results.some(({ result }) => result === 'failed')) return 'failed';
  return results.some(({ result }) => result === 'matched') ? 'routed' : 'unmatched';
}

/** Enough reasons for a person to see the pattern; a list of a thousand alerts may fail a thousand times. */
const MAX_REASONS = 10;

function summary(reasons: readonly string[]): string {
  const shown = reasons.slice(0, MAX_REASONS).join('\n');
  return reasons.length > MAX_REASONS ? `${shown}\n… and ${reasons.length - MAX_REASONS} more` : shown;
}

/**
 * What an event's row may hold of payload, headers, query, reasons and what it claims, in bytes of UTF-8. The
 * platform's rows end at 2 MB, and a body under its cap can be several times as long as JSON: `1e20` is written with
 * all its zeros.
 */
const MAX_EVENT_BYTES = 1_900_000;

/** Hands the event to its account, and returns once it is on disk. */
export async function accept(
  env: Env,
  config: LoadedConfig,
  account: string,
  taken: Acceptance,
): Promise<Result<Receipt, NotAccepted>> {
  if (!fitsIntoRow(taken)) return err({ problem: tooLarge(MAX_EVENT_BYTES), refusal: null });
  const done = underWay.take(heldBytes(taken), taken.event.receivedAt);
  if (done === null) return err({ problem: NOT_ACCEPTED, refusal: null });
  try {
    return await handOver(env, config, account, taken);
  } finally {
    done();
  }
}

function handOver(
  env: Env,
  config: LoadedConfig,
  account: string,
  taken: Acceptance,
): Promise<Result<Receipt, NotAccepted>> {
  const policy = config.accounts.get(account) ?? DEFAULT_ACCOUNT;
  const { spread, former } = placementOf(policy);
  const now = Date.now();
  const asked = former.filter(({ until }) => until > now).map((one) => one.spread);
  const objects: Objects = {
    accept: (name, part) => acceptIn(env, name, part, policy),
    admit: (name, source, quota) => admitIn(env, name, source, quota),
  };
  return acceptSharded(objects, account, { spread, former: asked }, everywhere(config, spread, taken));
}

/** Where incidents keep others from being told, each object of the account has to know which are open. */
function everywhere({ alerting }: LoadedConfig, spread: number, taken: Acceptance): Acceptance {
  const { items } = taken;
  if (items === undefined || spread < 2 || !alerting.includes('"inhibited_by":')) return taken;
  return { ...taken, items: items.map((item) => ({ ...item, isEverywhere: item.key !== null })) };
}

function fitsIntoRow({ event, messages, items = [] }: Acceptance): boolean {
  const { payload, headers, query, reason, silenced } = event;
  const keys = new Set([...messages, ...items].flatMap(keysOf));
  const texts = [
    payload,
    headers,
    query,
    reason ?? '',
    silenced === undefined ? '' : JSON.stringify(silenced),
    JSON.stringify([...keys]),
  ];
  // A UTF-16 unit has three bytes at most, so hardly any event needs measuring.
  const atMost = texts.reduce((sum, text) => sum + 3 * text.length, 0);
  if (atMost <= MAX_EVENT_BYTES) return true;
  const encoder = new TextEncoder();
  return texts.reduce((sum, text) => sum + encoder.encode(text).byteLength, 0) <= MAX_EVENT_BYTES;
}

/** Hands an event, or a part of it, to one object. Repeating the call is safe: the event's id makes it one event. */
async function acceptIn(
  env: Env,
  objectName: string,
  taken: Acceptance,
  policy: AccountPolicy,
): Promise<Result<Receipt, NotAccepted>> {
  const answer = await callOutbox(
    objectName,
    () => env.OUTBOX.getByName(objectName).accept(taken, policy),
    taken.event.id,
  );
  if (!answer.ok) return answer;
  const { refused } = answer.value;
  return refused === undefined ? answer : err(notAccepted(refused));
}

/** Asks the object that counts for a source whether it accepts one more webhook. */
async function admitIn(
  env: Env,
  objectName: string,
  source: string,
  quota: Quota,
): Promise<Result<null, NotAccepted>> {
  const answer = await callOutbox(objectName, () => env.OUTBOX.getByName(objectName).admit(source, quota));
  if (!answer.ok) return answer;
  return answer.value === null ? ok(null) : err(notAccepted(answer.value));
}

async function callOutbox<Answer>(
  outbox: string,
  call: () => Promise<Answer>,
  event?: string,
): Promise<Result<Answer, NotAccepted>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return ok(await call());
    } catch (thrown) {
      const about = event === undefined ? {} : { event };
      log('error', 'event.accept.failed', { ...about, outbox, attempt, error: describeError(thrown) });
      if (attempt >= 2 || isOverloaded(thrown)) return err({ problem: NOT_ACCEPTED, refusal: null });
    }
  }
}

/** A second call is safe, and most faults pass, but an overloaded object must not be called again. */
const isOverloaded = (thrown: unknown): boolean =>
  thrown instanceof Error && Reflect.get(thrown, 'overloaded') === true;
