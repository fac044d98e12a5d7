import * as z from 'zod';
import type { ZodMiniType } from 'zod/mini';
import { setTimeout as sleep } from 'node:timers/promises';
import { pollAfter } from '../../shared/poll-pace.ts';
import type { Client, QueryParameters } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import { oneLine } from '../text.ts';
import { ok } from '../../src/lib/result.ts';
import { waits } from '../../src/answers/api-message.ts';
import { tail } from '../../src/answers/api-tail.ts';
import { isFinal } from '../../src/schema/states.ts';
import { reading, eventList, messageList, rejectionList, type EventSummary, type Message } from './shapes.ts';

const MAX_WAIT_MS = 30_000;

/** The wait where nobody can press a key, after an hour: with its lists, a day costs less than 3,000 requests. */
const ALONE_MS = 180_000;

/** Lists are read from this time before the last known change (ms): what took longer to be written stands before it. */
const OVERLAP_MS = 10_000;

/** The tail, the lists at the start, either after the relay was out of reach, or the lists since a message waits. */
type ChangeOrigin = 'live' | 'earlier' | 'away' | 'waiting';

export interface FollowOptions {
  readonly query: { readonly source?: string | undefined; readonly type?: string | undefined };
  /** The part of the past to show: since when (ms), and the number of last changes. Null: none. */
  readonly start: { readonly since: number; readonly last: number } | null;
  readonly onStart: () => void;
  readonly onChange: (change: Change, origin: ChangeOrigin) => void;
  readonly onWarning: (text: string) => void;
  /** Resolves when somebody presses Enter; null: there is no terminal. */
  readonly enter: (() => Promise<void>) | null;
  readonly clock?: () => number;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Shows what happens, until the relay refuses to say it. Waits and tries again while it cannot be reached. */
export async function follow(client: Client, options: FollowOptions): Promise<CommandResult> {
  const { query, start, enter, onStart, onChange, onWarning, clock = Date.now, pause = sleep } = options;
  const shown = new Shown();
  const takeStalled = watchStalled(client, (change) => onChange(change, 'waiting'), onWarning);
  const signs = { touchedAt: clock(), newsAt: 0 };
  let cursor: string | undefined;
  let knownAt = clock();
  let failures = 0;

  const show = (change: Change, origin: ChangeOrigin, isListed: boolean): void => {
    knownAt = Math.max(knownAt, Date.parse(change.at));
    if (!shown.take(change, isListed)) return;
    onChange(change, origin);
    // The lists already say why a message waits.
    if (!isListed && enter !== null) takeStalled(change);
  };
  const showLists = async (since: number, last: number, origin: ChangeOrigin): Promise<void> => {
    const history = await readHistory(client, { ...query, since });
    if (!history.ok) return onWarning(`earlier entries cannot be read: ${history.error.message}`);
    const { changes, isCut } = history.value;
    const some = changes.slice(-last);
    if (isCut && some.length < last)
      onWarning('not everything is shown here: see `events`, `messages` and `rejections`');
    for (const change of some) show(change, origin, true);
  };
  let touched: Promise<void> | null = null;
  const rest = async (): Promise<void> => {
    const wait = pollAfter(signs, clock());
    if (enter === null) {
      await pause(wait ?? ALONE_MS);
      return;
    }
    if (wait === null) onWarning('paused, since no key was pressed for an hour: Enter goes on');
    touched ??= enter();
    const isTouched = await Promise.race([
      touched.then(() => true),
      ...(wait === null ? [] : [pause(wait).then(() => false)]),
    ]);
    if (!isTouched) return;
    signs.touchedAt = clock();
    touched = null;
  };

  for (;;) {
    const answer = await client.get('/tail', tailAnswer, { ...query, cursor });
    if (!answer.ok) {
      const { message, status, unsure } = answer.error;
      const isRefused = unsure !== true && status !== undefined && status !== 429;
      if (cursor === undefined || isRefused) return answer;
      const wait = Math.min(MAX_WAIT_MS, 500 * 2 ** failures);
      failures += 1;
      onWarning(`${oneLine(message)}; trying again in ${Math.ceil(wait / 1_000)} s`);
      await pause(wait);
      continue;
    }
    const { items, missed, cursor: next } = answer.value.data;
    const origin = failures === 0 ? 'live' : 'away';
    failures = 0;
    if (cursor === undefined) {
      onStart();
      // What had just happened is before the tail, also if the lists are read again.
      if (start === null) for (const change of items) shown.take(change, false);
      if (start !== null) await showLists(start.since, start.last, 'earlier');
    } else {
      if (missed) await showLists(knownAt - OVERLAP_MS, Infinity, origin);
      for (const change of items) show(change, origin, false);
      if (items.length > 0) signs.newsAt = clock();
    }
    cursor = next;
    await rest();
  }
}

/** The most of a list: more than that is read in the lists themselves. */
const PAGE = 100;

const [event, message, rejection] = tail.shape.items.element.options;

/** The answer of `GET /tail`. Entries of the lists are like its items: they say why a message waits, in addition. */
const tailAnswer = reading(
  tail.extend({
    items: z.array(
      z.discriminatedUnion('type', [
        event.partial({ account: true }),
        message.partial({ account: true }).extend({ waits: waits.optional() }),
        rejection,
      ]),
    ),
  }),
);

export type Change = z.output<typeof tailAnswer>['items'][number];

/** The parts of {@link FollowOptions} that say what is asked for. */
type Wanted = FollowOptions['query'] & { readonly since: number };

/** Reads the lists since a time (ms): each thing once, as it is now, the oldest first. `isCut`: a list had more than was read. */
async function readHistory(client: Client, { source, type, since }: Wanted) {
  const read = async <Item>(
    kind: Change['type'],
    shape: ZodMiniType<{ readonly items: readonly Item[] }>,
    changeOf: (one: Item) => Change,
    query: QueryParameters = {},
  ): Promise<CommandResult<readonly Change[]>> => {
    if (type !== undefined && type !== kind) return ok([]);
    const page = await client.get(`/${kind}s`, shape, { source, limit: PAGE, ...query });
    return page.ok
      ? ok(page.value.data.items.map(changeOf).filter(({ at }) => Date.parse(at) >= since))
      : page;
  };
  const lists = await Promise.all([
    read('event', eventList, eventChange, { since: new Date(since).toISOString() }),
    read('message', messageList, messageChange),
    read('rejection', rejectionList, (one) => ({ type: 'rejection', ...one })),
  ]);
  const failed = lists.find((list) => !list.ok);
  if (failed !== undefined) return failed;
  const recent = lists.flatMap((list) => (list.ok ? [list.value] : []));
  return ok({
    // Lists have the newest first; what happened in the same millisecond stays in its order.
    changes: recent
      .flatMap((list) => list.toReversed())
      .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    isCut: recent.some(({ length }) => length >= PAGE),
  });
}

const eventChange = ({
  received_at: at,
  id,
  source,
  type,
  subject,
  state,
  reason,
  duplicates,
}: EventSummary) => ({
  type: 'event' as const,
  at,
  event: id,
  source,
  event_type: type,
  ...(subject !== undefined && { subject }),
  state,
  duplicate: duplicates > 0,
  ...(reason !== undefined && { reason }),
});

function messageChange(one: Message): Change {
  const { id, created_at, sent_at, event, source, route, kind, state, reason, attempts, waits } = one;
  const last = attempts.at(-1);
  return {
    type: 'message',
    at: sent_at ?? one.actions?.at(-1)?.at ?? last?.at ?? created_at,
    message: id,
    event,
    source,
    route,
    kind,
    state,
    ...(reason !== undefined && { reason }),
    ...(last !== undefined && { n: last.n, outcome: last.outcome, duration_ms: last.duration_ms }),
    ...(last?.http_status !== undefined && { http_status: last.http_status }),
    ...(one.next_attempt_at !== undefined && !isFinal(state) && { next_attempt_at: one.next_attempt_at }),
    ...(waits !== undefined && { waits }),
    ...(one.about !== undefined && { about: one.about }),
  };
}

/** The remembered things: more than could come again. */
const MOST_REMEMBERED = 5_000;

/** Remembers what a tail has shown, so that the lists and the relay's changes together show nothing twice. */
export class Shown {
  readonly #last = new Map<string, Change>();

  /** True if this was not shown yet; from then on it was. */
  take(change: Change, isListed: boolean): boolean {
    const name = nameOf(change);
    const before = this.#last.get(name);
    this.#last.delete(name);
    this.#last.set(name, change);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST_REMEMBERED && oldest !== undefined) this.#last.delete(oldest);
    if (before === undefined || isOther(before, change)) return true;
    return !isListed && change.type === 'event' && change.duplicate && change.at !== before.at;
  }
}

/** True if a message has gone on. Only changes by an attempt say which attempt it was. */
const isOther = (before: Change, now: Change): boolean =>
  before.type === 'message' &&
  now.type === 'message' &&
  (before.state !== now.state || (now.n !== undefined && before.n !== undefined && now.n !== before.n));

function nameOf(change: Change): string {
  if (change.type === 'message') return change.message;
  return change.type === 'event' ? change.event : `rejection ${change.n}`;
}

/** Messages that are sent sooner than this (ms) need no explanation. */
const PATIENCE_MS = 2_000;
/** The number of messages that say what they wait for in a storm. The list says it for all. */
const MOST_EXPLAINED = 10;
/** Messages in these states wait to be sent. */
const STATES = ['queued', 'retrying'] as const;

/** Shows what stalled messages wait for. Returns a function that learns what the tail says of a message. */
export function watchStalled(
  client: Client,
  show: (change: Change) => void,
  warn: (text: string) => void,
  patience = (): Promise<unknown> => sleep(PATIENCE_MS),
): (change: Change) => void {
  /** Messages that may still wait, by the state that the tail gave last. */
  let pending = new Map<string, string>();
  let isLooking = false;

  /** One at a time, with one call for each state, however many wait. */
  const look = async (): Promise<void> => {
    isLooking = true;
    while (pending.size > 0) {
      await patience();
      const asked = pending;
      pending = new Map();
      const states = STATES.filter((state) => [...asked.values()].includes(state));
      const answers = await Promise.all(
        states.map((state) => client.get('/messages', messageList, { state, limit: PAGE })),
      );
      // The next look reads the rest; the tail itself says when the relay is gone.
      const found = answers.flatMap((answer) => (answer.ok ? answer.value.data.items : []));
      // The tail reported the next attempt already. Messages that the tail changed meanwhile are looked at again.
      const reported = found.filter(
        ({ id, state, waits }) =>
          asked.get(id) === state && waits !== undefined && waits.for !== 'retry' && !pending.has(id),
      );
      const at = new Date().toISOString();
      for (const one of reported.slice(0, MOST_EXPLAINED).toReversed()) show({ ...messageChange(one), at });
      if (reported.length > MOST_EXPLAINED)
        warn(`${reported.length - MOST_EXPLAINED} more wait: \`hookbell messages --state queued\` shows why`);
    }
    isLooking = false;
  };

  return (change) => {
    if (change.type !== 'message') return;
    if (STATES.some((state) => state === change.state)) {
      pending.set(change.message, change.state);
      if (!isLooking) void look();
    } else pending.delete(change.message);
  };
}
