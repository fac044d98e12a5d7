import { brokenRoutes, keysOf } from '../../outbox/state/event.ts';
import {
  type EventReason,
  type Acceptance,
  type AcceptedEvent,
  type AddressLimit,
  type Receipt,
  type Refusal,
  bytesOf,
  fitsIntoRow,
  heldBytes,
  MAX_EVENT_BYTES,
  MAX_PACKED_LENGTH,
  pack,
} from '../../outbox/state/acceptance.ts';
import { DEFAULT_ACCOUNT } from '../../config/compiled/account-policy.ts';
import { describeError, log } from '../../lib/log.ts';
import { type Problem, problemResponse } from '../../lib/problem.ts';
import { isOverloaded } from '../../lib/wait.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { type WebhookEvent, subjectOf } from '../request/event.ts';
import { MAX_ROWS } from '../routing/allowance.ts';
import { messagesOf, type RouteResult } from '../routing/result.ts';
import { underWay, BODY_TOO_LARGE } from '../request/receive.ts';
import type { LoadedConfig, Source } from '../../config/compiled/config.ts';
import type { EventState } from '../../schema/states.ts';
import { beginningOf, type RouteFailure } from '../../render/failure.ts';
import { routeEvent, silencing } from '../routing/match.ts';
import { iso } from '../../lib/time.ts';
import { countFlood, type FloodContext } from '../request/reject.ts';

interface AcceptanceExtra {
  readonly config: Pick<LoadedConfig, 'version' | 'activation' | 'publicUrl'>;
  readonly dedupeFailure: EventReason | null;
  readonly replay?: NonNullable<AcceptedEvent['replay']>;
  /** The size of the webhook, which its source's limit counts. Absent for a replay. */
  readonly bodyBytes?: number;
  /** The limit for the address that a form came from; absent: none. */
  readonly address?: AddressLimit | undefined;
}

/** What the outbox gets: the event as it is stored, its messages, and items that wait for a notification. */
export function acceptance(
  event: WebhookEvent,
  results: readonly RouteResult[],
  extra: AcceptanceExtra,
): Acceptance {
  const { source } = event;
  const { limit } = source;
  const { bodyBytes: bytes } = extra;
  const { publicUrl } = extra.config;
  const made = results.reduce((sum, result) => sum + messagesOf(result), 0);
  const stored = source.store === 'full';
  const kept = (value: unknown): string => (stored ? JSON.stringify(value) : 'null');
  const subject = stored ? subjectOf(event) : null;
  const failures = results.flatMap(({ failures: own, notes = [] }) => [...own, ...notes]);
  const silenced = results.flatMap(({ route, silenced: own = [] }) => own.map((one) => ({ route, ...one })));
  const items = results.flatMap((result) => result.items ?? []);
  const limits = failures.filter(({ parameter }) => parameter === 'limit');
  const others = failures.filter(({ parameter }) => parameter !== 'limit');
  const state = eventState(results);
  const reasons = [
    extra.dedupeFailure ?? [],
    event.languageNote ?? [],
    // Before the others: hundreds of failing elements must not hide what was left out.
    limits.map(reasonOf),
    others.map(reasonOf),
    state === 'unmatched' ? madeNothing(results) : [],
  ].flat();
  return {
    event: {
      id: event.id,
      source: source.id,
      type: event.type,
      state,
      reasons: firstOf(reasons),
      receivedAt: event.receivedAt,
      dedupe: event.dedupeKey === null ? null : { key: event.dedupeKey, windowMs: source.dedupe.windowMs },
      itemWindowMs: source.dedupe.windowMs,
      signed: event.signed && {
        keys: event.signed.digests.map((digest) => `signed:${digest}`),
        windowMs: event.signed.windowMs,
      },
      payload: kept(event.payload),
      headers: kept(event.headers),
      query: kept(event.query),
      ...(subject !== null && { subject }),
      ...(source.language !== null && { locale: source.locale.locale }),
      configVersion: extra.config.version,
      activation: extra.config.activation,
      stored,
      replay: extra.replay ?? null,
      ...(source.isOpen && { isOpen: true }),
      ...(silenced.length > 0 && { silenced: silenced.slice(0, MAX_ROWS) }),
    },
    messages: results.flatMap(({ route, messages }) => {
      const by = messages.length === 0 ? undefined : source.routes.find(({ name }) => name === route);
      if (by === undefined) return [];
      const delivery = { ...by.delivery, ...(by.visitor !== null && { toVisitor: true }), forget: !stored };
      return messages.map((message) => ({ ...message, ...delivery }));
    }),
    ...(items.length > 0 && { items }),
    ...(bytes !== undefined && { routes: source.routesMark }),
    ...(bytes !== undefined && limit !== null && { quota: { limit, bytes, messages: made } }),
    ...(extra.address !== undefined && { address: extra.address }),
    ...(publicUrl !== null &&
      results.some(({ messages }) => messages.some(({ links }) => links)) && { publicUrl }),
    ...(limits[0] && { leftOut: limits[0].reason }),
  };
}

function eventState(results: readonly RouteResult[]): EventState {
  const hasMade = results.some(({ messages, items = [] }) => messages.length + items.length > 0);
  if (results.some(({ result }) => result === 'failed')) return hasMade ? 'partly_failed' : 'failed';
  // Whatever its routes looked at: an event that made nothing must not read like a success.
  return hasMade || results.some(({ silenced = [] }) => silenced.length > 0) ? 'routed' : 'unmatched';
}

/** What only left something out has no place, by which people would look for an error. */
const reasonOf = ({ message, reason, ...of }: RouteFailure): EventReason =>
  message === undefined
    ? { code: of.code, route: of.route, message: reason }
    : { ...of, expression: beginningOf(of.expression), message };

function madeNothing(results: readonly RouteResult[]): readonly EventReason[] {
  const names = results.flatMap(({ route, result }) => (result === 'matched' ? [`\`${route}\``] : []));
  const matched = names.slice(0, MAX_REASONS).join(', ');
  const message = `matched, but had no element or no receiver: ${matched}`;
  return names.length === 0 ? [] : [{ code: 'nothing-made', message, params: { matched } }];
}

/** Enough reasons for a person to see the pattern; a list of a thousand alerts may fail a thousand times. */
const MAX_REASONS = 10;

/** Returns the first reasons, and the routes of the others: a replay of failed routes needs each of them. */
function firstOf(reasons: readonly EventReason[]): readonly EventReason[] {
  if (reasons.length <= MAX_REASONS) return reasons;
  const shown = reasons.slice(0, MAX_REASONS);
  const known = brokenRoutes(shown);
  const routes = [...new Set(brokenRoutes(reasons))].filter((route) => !known.includes(route));
  const left = reasons.length - MAX_REASONS;
  const where = routes.length === 0 ? '' : `, in ${routes.map((route) => `route \`${route}\``).join(', ')}`;
  const params = { left: String(left), ...(routes.length > 0 && { routes: routes.join(', ') }) };
  return [...shown, { code: 'more', message: `… and ${left} more${where}`, params }];
}

/** Hands an event to the account's outbox, and again after a fault: most pass, and its id makes it one event. */
export async function accept(
  env: Env,
  config: LoadedConfig,
  account: string,
  taken: Acceptance,
): Promise<Result<Receipt, NotAccepted>> {
  const stored = fitted(taken);
  if (!stored.ok) return err({ problem: stored.error, refusal: null });
  const { id, receivedAt, isOpen } = taken.event;
  const done = underWay.take(heldBytes(stored.value), receivedAt, isOpen ? 'open' : 'small');
  if (done === null) return UNSTORED;
  // As a text, since an object would take as long to copy as the event. It does not include the people who opted out:
  // the outbox reads them itself before it sends.
  const isWhole = config.suppressions === '';
  const policy = isWhole ? JSON.stringify(config.accounts.get(account) ?? DEFAULT_ACCOUNT) : undefined;
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const receipt = await env.OUTBOX.getByName(account).accept(stored.value, policy);
        return receipt.refused === undefined ? ok(receipt) : notAccepted(receipt.refused);
      } catch (thrown) {
        log('error', 'event.accept.failed', { event: id, account, attempt, error: describeError(thrown) });
        if (attempt >= 2 || isOverloaded(thrown)) return UNSTORED;
      }
    }
  } finally {
    done();
  }
}

/** The event as it fits into its row: as JSON, a body can be several times as long (`1e20`), and is then compressed. */
function fitted(taken: Acceptance): Result<Acceptance, Problem> {
  const { event, messages, items = [] } = taken;
  const { payload, headers, query, reasons } = event;
  const keys = new Set([...messages, ...items].flatMap(keysOf));
  const others = [headers, query, JSON.stringify(reasons), JSON.stringify([...keys])];
  if (fitsIntoRow([payload, ...others])) return ok(taken);
  if (typeof payload === 'string' && payload.length <= MAX_PACKED_LENGTH && fitsIntoRow(others)) {
    const packed = pack(payload);
    if (fitsIntoRow([packed, ...others])) return ok({ ...taken, event: { ...event, payload: packed } });
  }
  return err(tooLarge(bytesOf([payload, ...others])));
}

/** The last part of handling a request: match → render → accept. The event is on disk when this resolves. */
export async function takeEvent(
  { event, ...extra }: Omit<AcceptanceExtra, 'config'> & { readonly event: WebhookEvent },
  env: Env,
  config: LoadedConfig,
  now: number,
): Promise<Result<Receipt, NotAccepted>> {
  const { source } = event;
  const results = routeEvent(event, silencing(config, now));
  const taken = acceptance(event, results, { ...extra, config });
  const accepted = await accept(env, config, source.account, taken);
  if (!accepted.ok) return accepted;
  const { event: id, messages, ...further } = accepted.value;
  const { state } = taken.event;
  log(state === 'routed' || state === 'unmatched' ? 'debug' : 'warn', 'event.accepted', {
    event: id,
    source: source.id,
    account: source.account,
    state,
    messages: messages.length,
    ...further,
    version: config.version,
    duration_ms: Date.now() - now,
  });
  return accepted;
}

export type NotAccepted = Readonly<{ problem: Problem; refusal: Refusal | null }>;

/** Nothing is lost, because the sender sends it again. */
export const NOT_ACCEPTED = {
  status: 503,
  type: 'not-accepted',
  title: 'Not accepted',
  detail: 'The webhook could not be stored, so it was not accepted. Send it again.',
  headers: { 'retry-after': '5' },
} as const satisfies Problem;

const UNSTORED = err({ problem: NOT_ACCEPTED, refusal: null });

function notAccepted(refusal: Refusal): Result<never, NotAccepted> {
  const { by, waitMs } = refusal;
  if (by === 'load') return UNSTORED;
  return err({ problem: by === 'storage' ? storageFull(waitMs) : tooManyWebhooks(waitMs), refusal });
}

/** The account's object has hardly any space left: a clear answer is better than a commit that fails half-way. */
export const STORAGE_FULL = {
  status: 503,
  type: 'storage-full',
  title: 'Storage full',
  detail: 'There is no space to store this, so it was not accepted. Send it again later.',
} as const satisfies Problem;

export const storageFull = (waitMs: number): Problem => ({
  ...STORAGE_FULL,
  headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
});

/** The source is over its limit. Only its admin learns which limit. */
const tooManyWebhooks = (waitMs: number): Problem => ({
  status: 429,
  type: 'too-many-webhooks',
  detail: 'This source has sent as much as it may for now. Send it again after `Retry-After` seconds.',
  headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
});

/** Sending it again would not help. `bytes`: the size of the event's row, without compression. */
export const tooLarge = (bytes: number): Problem & typeof BODY_TOO_LARGE => ({
  ...BODY_TOO_LARGE,
  detail: `The event has ${bytes} bytes as JSON, too many to be stored, even compressed: an event has at most ${MAX_EVENT_BYTES}. Send a smaller body.`,
});

interface Remembered {
  /** Its KV: two deployments in one process (tests) share nothing. */
  readonly deployment: KVNamespace;
  /** Webhooks of fewer bytes may still be accepted. Messages are not counted here: that is nearly all the work. */
  readonly fromBytes: number;
  /** Somewhat later than the outbox meant, by the time that its answer took to arrive (ms). */
  readonly until: number;
}

/** What this isolate knows, so that a flood is refused before parsing and without the outbox. */
const overLimit = new Map<string, Remembered>();

/** Another limit, and the outbox of another account, may take what was refused. */
const keyOf = ({ id, account, limit }: Source): string => JSON.stringify([id, account, limit]);

/** Null if the source is not known to be over its limit, by the outbox's last refusal. */
export function refuseKnown(
  source: Source,
  bytes: number,
  context: FloodContext,
  now: number,
): Response | null {
  const known = overLimit.get(keyOf(source));
  if (known?.deployment !== context.env.CONFIG || bytes < known.fromBytes || now >= known.until) return null;
  return refuse(source, known.until - now, context, now);
}

/** Refuses a webhook that the outbox refused, and remembers that. `now`: when it came in. */
export function refuseLimited(
  source: Source,
  bytes: number,
  { by, waitMs }: Refusal,
  context: FloodContext,
  now: number,
): Response {
  const fromBytes = by === 'requests' ? 0 : bytes;
  const until = Date.now() + waitMs;
  // A publish may have changed the limit under which another one was kept.
  for (const [key, kept] of overLimit) if (kept.until <= now) overLimit.delete(key);
  overLimit.set(keyOf(source), { deployment: context.env.CONFIG, fromBytes, until });
  return refuse(source, waitMs, context, now);
}

function refuse({ id, limit }: Source, waitMs: number, context: FloodContext, now: number): Response {
  const detail = limit === null ? '' : describeLimit(limit);
  countFlood({ at: iso(now), source: id, status: 429, code: 'limited', detail }, context, now);
  return problemResponse(tooManyWebhooks(waitMs));
}

function describeLimit({ perMinute, burst, ...limit }: NonNullable<Source['limit']>): string {
  const { bytesPerHour: bytes, messagesPerMinute: messages } = limit;
  const parts = [
    `${perMinute} webhooks a minute${burst === perMinute ? '' : ` (${burst} at once)`}`,
    ...(messages === null ? [] : [`${messages} messages a minute`]),
    ...(bytes === null ? [] : [`${bytes / 1_048_576} MiB an hour`]),
  ];
  return `over the source's limit: ${parts.join(', ')}`;
}
