import { brokenRoutes } from '../../outbox/state/event.ts';
import { createHash } from 'node:crypto';
import { strictDocument } from '../../schema/parts.ts';
import { loadConfig } from '../../config/load.ts';
import { DAY, MINUTE } from '../../lib/time.ts';
import { newEventId, randomBase32, secureRandomBytes } from '../../lib/id.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import type { EventReceivers, ReplayView, StoredEvent } from '../../outbox/read/events.ts';
import type { Receipt } from '../../outbox/state/acceptance.ts';
import { bulkAll, bulkCursor, bulkQuery, MAX_PHONES, unclear, wrongCursor } from '../request/input.ts';
import { eventFilter, locatedEvents, type LocatedEvent } from './events.ts';
import { receiverOf, replayChoice, replayEvent, whyNot, replaysOf } from './replay.ts';
import type { SkipReason } from './api-messages.ts';
import { withOthers } from './whole-event.ts';

/** The number of events that one step renders. The free plan allows 50 calls in a request, and little CPU time. */
const STEP = 10;
/** The number of events that one step of a dry run counts. It reads no payloads. */
const COUNTED = 200;

/** With an older cursor, an event could be replayed twice, since its first replay may be deleted. */
const MAX_AGE_MS = DAY;

/** `start` (ms): when the replay began. Later events are not replayed, among them those that it makes itself. */
interface Bulk {
  readonly start: number;
  readonly name: string;
  /** The position at which the last step ended; '' if nothing has been replayed yet. */
  readonly position: string;
}

const CURSOR = /^([0-9a-z]{8})\.([0-9a-z]{10})\.([\w-]*)$/;

const cursorOf = ({ start, name, position }: Bulk): string => `${start.toString(36)}.${name}.${position}`;

/** Null if the text is not a cursor of this route, or is too old. */
function bulkOf(cursor: string, now: number): Bulk | null {
  const [, at = '', name = '', position = ''] = CURSOR.exec(cursor) ?? [];
  const start = parseInt(at, 36);
  return start > now - MAX_AGE_MS && start < now + MINUTE ? { start, name, position } : null;
}

/**
 * The same each time, and an event is accepted once: a step that is repeated since its answer was lost replays nothing
 * twice.
 */
const replayId = ({ start, name }: Bulk, original: string): string =>
  newEventId(start, (count) =>
    createHash('sha256').update(`${name} ${original}`).digest().subarray(0, count),
  );

export const replayManyRoutes = {
  replayEvents: apiRoute({
    method: 'POST',
    path: '/events/replay',
    role: 'operator',
    query: bulkQuery,
    body: strictDocument({
      ...eventFilter,
      all: bulkAll('all stored events, of every account'),
      ...replayChoice,
      cursor: bulkCursor,
    }),
    handle: async ({ env, query, body, login }) => {
      const { all, routes, only, cursor, ...filter } = body;
      const problem = unclear(filter, all, 'source, state, type, since, until or text');
      if (problem !== null) return problem;
      const isDryRun = query.dry_run === 'true';
      const now = Date.now();
      const opened: Bulk = { start: now, name: randomBase32(10, secureRandomBytes), position: '' };
      const bulk = cursor === undefined ? opened : bulkOf(cursor, now);
      if (bulk === null) return wrongCursor();
      const sum = new StepSum();
      // The first request replays nothing, so every step that does has a cursor with which it can be repeated.
      if (cursor === undefined && !isDryRun) return sum.at(cursorOf(bulk));

      const config = await loadConfig(env, now);
      const names = [...config.accounts.keys()];
      const page = await locatedEvents(env, names, {
        ...filter,
        until: Math.min(filter.until ?? bulk.start, bulk.start),
        limit: isDryRun ? COUNTED : STEP,
        cursor: bulk.position === '' ? undefined : bulk.position,
        isOldestFirst: true,
      });
      if (page === null) return wrongCursor();
      const taken = page.items.filter((event) => {
        const why = event.replay_of === undefined ? whyNot(event, config) : 'is_replay';
        if (why !== null) sum.count(why);
        return why === null;
      });
      const replays = await replaysOf(
        env,
        { only },
        page.items.map(({ id }) => id),
      );
      if (isDryRun) await countReceivers(env, taken, { isOnlyFailed: only !== undefined, replays }, sum);
      for (const event of isDryRun ? [] : taken) {
        const stored: StoredEvent | null = await env.OUTBOX.getByName(event.outbox).readEvent(event.id);
        if (stored === null) {
          sum.count('payload_not_kept');
          continue;
        }
        const by = login.actor;
        const id = replayId(bulk, event.id);
        const done = await replayEvent(
          { env, config, by, now },
          await withOthers(env, stored),
          { routes, only },
          id,
          replays.get(event.id) ?? [],
        );
        if (done.ok) sum.add(event.id, done.value);
        else if (done.error.skip === null) return done.error.answer;
        else sum.count(done.error.skip);
      }
      const { next_cursor: position } = page;
      return sum.at(position === null ? null : cursorOf({ ...bulk, position }));
    },
  }),
} satisfies ApiRoutes;

/** Counts the events and receivers of a step without rendering: by the receivers that the events had. */
async function countReceivers(
  env: Env,
  taken: readonly LocatedEvent[],
  {
    isOnlyFailed,
    replays,
  }: { readonly isOnlyFailed: boolean; readonly replays: ReadonlyMap<string, readonly ReplayView[]> },
  sum: StepSum,
): Promise<void> {
  const byOutbox = Map.groupBy(taken, ({ outbox }) => outbox);
  const read = [...byOutbox].map(async ([outbox, own]) => {
    const found: readonly EventReceivers[] = await env.OUTBOX.getByName(outbox).eventReceivers(
      own.map(({ id }) => id),
    );
    return found;
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
    if (isOnlyFailed && left.length === 0 && !isBroken) sum.count('nothing_failed');
    else sum.countTo(isOnlyFailed ? left.flatMap(({ phone }) => phone ?? []) : all);
  }
}

class StepSum {
  #replayed = 0;
  #messages = 0;
  #looked = 0;
  readonly #skipped: Partial<Record<SkipReason, number>> = {};
  readonly #phones = new Set<string>();
  readonly #events: { readonly event: string; readonly replay_of: string }[] = [];

  count(skip: SkipReason | null): void {
    this.#looked += 1;
    if (skip === null) this.#replayed += 1;
    else this.#skipped[skip] = (this.#skipped[skip] ?? 0) + 1;
  }

  countTo(phones: readonly string[]): void {
    this.count(null);
    for (const phone of phones) this.#phones.add(phone);
  }

  add(original: string, { event, messages }: Receipt): void {
    this.count(null);
    this.#messages += messages.length;
    this.#events.push({ event, replay_of: original });
  }

  at(next_cursor: string | null) {
    return {
      replayed: this.#replayed,
      messages: this.#messages,
      skipped: this.#skipped,
      looked_at: this.#looked,
      events: this.#events,
      ...(this.#phones.size > 0 && { phones: [...this.#phones].slice(0, MAX_PHONES) }),
      next_cursor,
    };
  }
}
