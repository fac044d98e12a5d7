import { brokenRoutes } from '../../outbox/state/event.ts';
import { loadConfig } from '../../config/load.ts';
import { newEventId, secureRandomBytes, randomBase32 } from '../../lib/id.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import {
  notFound,
  conflict,
  invalid,
  bulkAll,
  bulkCursor,
  bulkQuery,
  MAX_PHONES,
  unclear,
  wrongCursor,
} from '../request/input.ts';
import type { LoadedConfig, Source } from '../../config/compiled/config.ts';
import { unknownName } from '../../config/documents/unknown-name.ts';
import { accept, acceptance } from '../../ingest/accept/accept.ts';
import type { RouteResult } from '../../ingest/routing/result.ts';
import { routeEvent, silencing } from '../../ingest/routing/match.ts';
import { log } from '../../lib/log.ts';
import { problemResponse, fieldError } from '../../lib/problem.ts';
import { err, ok } from '../../lib/result.ts';
import { shownKey, listOf, someText, strictDocument } from '../../schema/parts.ts';
import type { ReplayView, Addressed, StoredEvent, EventReceivers } from '../../outbox/read/events.ts';
import type { EventSummary } from '../../answers/api-event.ts';
import type { SkipReason } from './api-messages.ts';
import { askOutboxes } from '../../outbox/many-outboxes.ts';
import { inItsLanguage, type WebhookEvent } from '../../ingest/request/event.ts';
import { parseOwnJson } from '../../lib/json.ts';
import * as z from 'zod/mini';
import type { MessageView } from '../../answers/api-message.ts';
import { createHash } from 'node:crypto';
import { DAY, MINUTE } from '../../lib/time.ts';
import { eventFilter, locatedEvents, wholeEvent, withOthers, type LocatedEvent } from './events.ts';

const replaySchema = strictDocument(() => ({
  routes: z.optional(listOf(someText(64), 'names of routes', { min: 1, max: 200 })),
  only: z.optional(z.literal('failed', { error: 'must be `failed` or absent' })),
}));
type ReplayChoice = z.output<typeof replaySchema>;

export const replayRoutes = {
  replayEvent: apiRoute('POST /events/{id}/replay', 'operator', {
    body: replaySchema,
    isBodyOptional: true,
    status: 202,
    handle: async ({ env, params: { id }, body, login }) => {
      const stored = await wholeEvent(env, id);
      if (stored === null) return notFound(`event \`${id}\``);
      const now = Date.now();
      const config = await loadConfig(env, now);
      const newId = newEventId(now, secureRandomBytes);
      const replays = (await replaysOf(env, body, [id])).get(id) ?? [];
      const replay = { env, config, by: login.actor, now, stored, ...body, id: newId, replays };
      const done = await replayEvent(replay);
      if (!done.ok) return done.error.answer;
      const { event, messages, waiting } = done.value;
      return { event, replay_of: id, messages, ...(waiting !== undefined && { waiting }) };
    },
  }),

  replayEvents: apiRoute('POST /events/replay', 'operator', {
    query: bulkQuery,
    body: strictDocument({
      ...eventFilter,
      all: bulkAll('all stored events, of every account'),
      ...replaySchema.shape,
      cursor: bulkCursor,
    }),
    handle: async ({ env, query, body, login }) => {
      const { all, routes, only, cursor, ...filter } = body;
      const problem = unclear(filter, all, 'source, state, type, since, until or text');
      if (problem !== null) return problem;
      const isDryRun = query.dry_run === 'true';
      const now = Date.now();
      const bulk = bulkOf(cursor, now);
      if (bulk === null) return wrongCursor();
      const sum = new StepSum();
      // The first request replays nothing, so every step that does has a cursor with which it can be repeated.
      if (cursor === undefined && !isDryRun) return sum.at(cursorOf(bulk));

      const config = await loadConfig(env, now);
      const page = await locatedEvents(env, {
        ...filter,
        until: Math.min(filter.until ?? bulk.start, bulk.start),
        limit: isDryRun ? COUNTED : STEP,
        cursor: bulk.position === '' ? undefined : bulk.position,
        isOldestFirst: true,
      });
      if (page === null) return wrongCursor();
      const taken = page.items.filter((event) => {
        const isReplay = event.replay_of !== undefined;
        const source = isReplay ? not('is_replay', 'It is a replay itself.') : sourceOf(event, config);
        if (!source.ok) sum.skip(source.error.skip);
        return source.ok;
      });
      const ids = page.items.map(({ id }) => id);
      const replays = await replaysOf(env, { only }, ids);
      if (isDryRun) await countReceivers(env, taken, only !== undefined, replays, sum);
      for (const event of isDryRun ? [] : taken) {
        const stored: StoredEvent | null = await env.OUTBOX.getByName(event.outbox).readEvent(event.id);
        if (stored === null) {
          sum.skip('payload_not_kept');
          continue;
        }
        const of = { stored: await withOthers(env, stored), replays: replays.get(event.id) ?? [] };
        const again = { routes, only, id: replayId(bulk, event.id) };
        const done = await replayEvent({ env, config, by: login.actor, now, ...of, ...again });
        if (done.ok) {
          sum.replayed += 1;
          sum.messages += done.value.messages.length;
          sum.events.push({ event: done.value.event, replay_of: event.id });
        } else if (done.error.skip === null) return done.error.answer;
        else sum.skip(done.error.skip);
      }
      const { next_cursor: position } = page;
      return sum.at(position === null ? null : cursorOf({ ...bulk, position }));
    },
  }),
} satisfies ApiRoutes;

/** The same `id` makes only one event, even if it is replayed twice. `replays`: the event's earlier ones, which decide what is left. */
interface Replay extends ReplayChoice {
  readonly env: Env;
  readonly config: LoadedConfig;
  readonly by: string;
  readonly now: number;
  readonly stored: StoredEvent;
  readonly id: string;
  readonly replays: readonly ReplayView[];
}

/** The source that an event is rendered by; refused if there is none, or nothing to render. */
function sourceOf(
  { stored, source: id }: Pick<EventSummary, 'stored' | 'source'>,
  { sources }: LoadedConfig,
) {
  const source = sources.get(id);
  if (!stored)
    return not(
      'payload_not_kept',
      `The source ${id} does not store its payload (\`store: metadata\`), or it was deleted early to free space: there is nothing to render again.`,
    );
  return source === undefined
    ? not('source_gone', `The source ${id} is no longer configured; publish it to replay its events.`)
    : ok(source);
}

async function replayEvent({ env, config, by, now, stored, routes, only, id, replays }: Replay) {
  const found = sourceOf(stored, config);
  if (!found.ok) return found;
  const source = found.value;
  const event = restoredEvent(stored, source, id);
  const names = source.routes.map(({ name }) => name);
  // A suggestion compares a name with every route: only for one that is unknown.
  const errors = [...(routes?.entries() ?? [])].flatMap(([at, name]) =>
    names.includes(name)
      ? []
      : [fieldError(`routes[${at}]`, 'malformed', unknownName('route', shownKey(name), names))],
  );
  if (errors.length > 0) return not('unknown_route', invalid(errors));
  if (only !== undefined && stored.messages_left_out !== undefined)
    return not('too_many_messages', 'Its messages are too large in total to find out which of them failed.');
  const made = routeEvent(event, silencing(config, now), 'person');
  const all = made.filter(({ route }) => routes?.includes(route) ?? true);
  // A repeated step has already made this replay itself.
  const others = replays.filter((one) => one.id !== id);
  const results = only === undefined ? all : failedOnly(stored, all, others);
  const isNothing = results.every(({ messages, items = [] }) => messages.length + items.length === 0);
  if (only !== undefined && isNothing)
    return not('nothing_failed', 'Nothing that failed would be sent now, so nothing was replayed.');
  const taken = acceptance(event, results, {
    config,
    dedupeFailure: null,
    replay: { of: stored.id, at: event.receivedAt, by },
  });
  // Without the keys by which duplicates are found: the event and its items were seen before.
  const accepted = await accept(env, config, source.account, {
    messages: taken.messages.map(withoutKey),
    ...(taken.items && { items: taken.items.map(withoutKey) }),
    event: { ...taken.event, receivedAt: now, dedupe: null, signed: null },
  });
  if (!accepted.ok) {
    const { problem } = accepted.error;
    return not(problem.status === 413 ? 'too_large' : null, problemResponse(problem));
  }
  log('info', 'event.replayed', { event: accepted.value.event, of: stored.id, by });
  return ok(accepted.value);
}

/** `skip` is null if the same request may be sent again. `why`: the detail of a conflict, or the answer. */
const not = <Skip extends SkipReason | null>(skip: Skip, why: string | Response) =>
  err({ skip, answer: typeof why === 'string' ? conflict(why) : why });

const withoutKey = <One extends { readonly itemKey?: string; readonly once?: string }>({
  itemKey: _itemKey,
  once: _once,
  ...rest
}: One) => rest;

/** Oldest first, by event; none without `only`. Asks every outbox, since a source may have changed its account. */
async function replaysOf(env: Env, { only }: ReplayChoice, ids: readonly string[]) {
  if (only === undefined) return new Map<string, readonly ReplayView[]>();
  const found = await askOutboxes<readonly ReplayView[]>(env, (outbox) => outbox.replaysOf(ids));
  const all = found.flat().toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return Map.groupBy(all, ({ original }) => original);
}

/** Restores a stored event for today's `source`. Its templates see the same time and dedupe key as before. */
export function restoredEvent(stored: StoredEvent, source: Source, id: string): WebhookEvent {
  return inItsLanguage({
    id,
    source,
    type: stored.type,
    receivedAt: Date.parse(stored.received_at),
    dedupeKey: stored.dedupe_key ?? null,
    // A replayed event was seen before, so its body is not claimed again.
    signed: null,
    payload: parseOwnJson<unknown>(stored.payload),
    headers: parseOwnJson<Record<string, string>>(stored.headers),
    query: parseOwnJson<Record<string, string>>(stored.query),
  });
}

/**
 * Picks the results that did not come through the first time: messages that are dead, expired or cancelled by a person
 * and have no successful fallback, and routes that could not be rendered. A receiver's messages of a route are matched
 * by their order. If their number has changed, they are sent again only if none of them came through. Messages that a
 * replay has sent since are not sent again.
 */
export function failedOnly(
  stored: Pick<StoredEvent, 'messages' | 'items' | 'reasons'>,
  results: readonly RouteResult[],
  replays: readonly ReplayView[],
) {
  const byId = new Map(stored.messages.map((message) => [message.id, message]));
  const firsts = stored.messages.filter((message) => message.fallback_of === undefined);
  const before = Map.groupBy(firsts, receiverOf);
  const broken = brokenRoutes(stored.reasons);
  return results.map((result) => {
    const { items, ...rest } = result;
    const wasBroken = broken.includes(result.route);
    const hadItems =
      stored.items?.some(({ route }) => route === result.route) === true ||
      replays.some((replay) => replay.items.includes(result.route));
    const now = Map.groupBy(result.messages, receiverOf);
    const messages = [...now].flatMap(([receiver, ofReceiver]) => {
      const first = before.get(receiver)?.map((message) => hasFailed(message, byId));
      if (first === undefined && !wasBroken) return [];
      const failed = replays
        .map(({ messages }) => messages.filter((one) => receiverOf(one) === receiver))
        .reduce(afterReplay, first ?? ofReceiver.map(() => true));
      if (failed.length !== ofReceiver.length) return failed.every(Boolean) ? ofReceiver : [];
      return ofReceiver.filter((_, at) => failed[at]);
    });
    return { ...rest, messages, ...(items && wasBroken && !hadItems && { items }) };
  });
}

const receiverOf = ({ route, phone }: Addressed): string => `${route}\n${phone}`;

/**
 * Which of a receiver's messages have still failed after a replay, which sent all of them, or those that had failed. If
 * it sent another number, nobody knows which ones: once one of them came through, none counts as failed.
 */
function afterReplay(failed: readonly boolean[], sent: readonly { readonly hasFailed: boolean }[]) {
  if (sent.length === 0) return failed;
  if (sent.length === failed.length)
    return failed.map((hadFailed, at) => hadFailed && sent[at]?.hasFailed === true);
  if (sent.length === failed.filter(Boolean).length) {
    const left = sent.values();
    return failed.map((hadFailed) => hadFailed && left.next().value?.hasFailed === true);
  }
  return sent.every((one) => one.hasFailed) ? failed : failed.map(() => false);
}

/**
 * True if a message certainly failed: an `uncertain` one may have come through, and a waiting one still may. A digest
 * names what it cancelled; a superseded notification was out of date, or a newer one says the same.
 */
function hasFailed(message: MessageView, byId: ReadonlyMap<string, MessageView>): boolean {
  const { state, fallback, fallback_account: account, actions = [] } = message;
  if (fallback !== undefined) {
    const next = byId.get(fallback);
    return next !== undefined && hasFailed(next, byId);
  }
  // The other account has not taken the fallback yet.
  if (account !== undefined) return false;
  if (state === 'cancelled') return actions.some(({ action }) => action === 'cancel');
  return state === 'dead' || state === 'expired';
}

/** The number of events that one step renders. The free plan allows 50 calls in a request, and little CPU time. */
const STEP = 10;
/** The number of events that one step of a dry run counts. It reads no payloads. */
const COUNTED = 200;

/** With an older cursor, an event could be replayed twice, since its first replay may be deleted. */
const MAX_AGE_MS = DAY;

const CURSOR = /^([0-9a-z]{8})\.([0-9a-z]{10})\.([\w-]*)$/;

const cursorOf = ({ start, name, position }: Bulk): string => `${start.toString(36)}.${name}.${position}`;

type Bulk = NonNullable<ReturnType<typeof bulkOf>>;

/**
 * Where a replay continues; null if the text is not a cursor of this route, or is too old. `start` (ms): when it began.
 * Later events are not replayed, among them those that it makes itself. `position`: '' if it has replayed nothing yet.
 */
function bulkOf(cursor: string | undefined, now: number) {
  if (cursor === undefined) return { start: now, name: randomBase32(10, secureRandomBytes), position: '' };
  const [, at = '', name = '', position = ''] = CURSOR.exec(cursor) ?? [];
  const start = parseInt(at, 36);
  return start > now - MAX_AGE_MS && start < now + MINUTE ? { start, name, position } : null;
}

/** The same each time, and an event is accepted once: a step that is repeated replays nothing twice. */
function replayId({ start, name }: Bulk, original: string): string {
  const digest = createHash('sha256').update(`${name} ${original}`).digest();
  return newEventId(start, (count) => digest.subarray(0, count));
}

/** Counts the events and receivers of a step without rendering: by the receivers that the events had. */
async function countReceivers(
  env: Env,
  taken: readonly LocatedEvent[],
  isOnlyFailed: boolean,
  replays: ReadonlyMap<string, readonly ReplayView[]>,
  sum: StepSum,
): Promise<void> {
  const byOutbox = Map.groupBy(taken, ({ outbox }) => outbox);
  const read = [...byOutbox].map(([outbox, own]): Promise<readonly EventReceivers[]> => {
    const ids = own.map(({ id }) => id);
    return env.OUTBOX.getByName(outbox).eventReceivers(ids);
  });
  const receivers = new Map((await Promise.all(read)).flat().map((one) => [one.id, one]));
  for (const { id, reasons } of taken) {
    const { all = [], failed = [] } = receivers.get(id) ?? {};
    const ofEvent = replays.get(id) ?? [];
    const brought = ofEvent.flatMap(({ messages }) => messages).filter((one) => !one.hasFailed);
    const hasCome = new Set(brought.map(receiverOf));
    const left = failed.filter((one) => !hasCome.has(receiverOf(one)));
    // A route that could not be rendered has made no message that shows its receivers.
    const rendered = new Set([
      ...brought.map(({ route }) => route),
      ...ofEvent.flatMap(({ items }) => items),
    ]);
    const isBroken = brokenRoutes(reasons).some((route) => !rendered.has(route));
    if (isOnlyFailed && left.length === 0 && !isBroken) sum.skip('nothing_failed');
    else {
      sum.replayed += 1;
      for (const phone of isOnlyFailed ? left.flatMap((one) => one.phone ?? []) : all) sum.phones.add(phone);
    }
  }
}

class StepSum {
  replayed = 0;
  messages = 0;
  readonly skipped: Partial<Record<SkipReason, number>> = {};
  readonly events: { readonly event: string; readonly replay_of: string }[] = [];
  readonly phones = new Set<string>();

  skip(why: SkipReason): void {
    this.skipped[why] = (this.skipped[why] ?? 0) + 1;
  }

  at(next_cursor: string | null) {
    const { replayed, messages, skipped, events, phones } = this;
    const looked_at = Object.values(skipped).reduce((sum, count) => sum + count, replayed);
    const shown = phones.size > 0 && { phones: [...phones].slice(0, MAX_PHONES) };
    return { replayed, messages, skipped, looked_at, events, ...shown, next_cursor };
  }
}
