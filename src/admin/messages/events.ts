import { parseOwnJson } from '../../lib/json.ts';
import { findInOutboxes, outboxNames } from '../../outbox/many-outboxes.ts';
import {
  countState,
  type CountedEvent,
  type EventFilter,
  type EventPage,
  type StoredEvent,
} from '../../outbox/read/events.ts';
import type { AccountMessage } from '../../outbox/state/acceptance.ts';
import type { MessageView } from '../../answers/api-message.ts';
import type { EventSummary, Searched } from '../../answers/api-event.ts';
import { words, type View } from '../../registry/view.ts';
import { apiRoute, type ApiRoutes } from '../api/route.ts';
import { notFound, pageOr, pageParams, moment } from '../request/input.ts';
import { mergePages } from './merge.ts';
import { seenMessage, takenFor } from './messages.ts';
import * as z from 'zod/mini';
import { EVENT_STATES } from '../../schema/states.ts';
import { oneOf } from '../../schema/parts.ts';
import { fromBase32 } from '../../lib/id.ts';
import { iso } from '../../lib/time.ts';
import type { Page } from '../../outbox/read/read.ts';

/** The shortest and the longest text to search for. Shorter ones are in nearly every payload. */
const [MIN, MAX] = [3, 200];

export const eventFilter = {
  source: z.optional(z.string({ error: 'must be the id of a source' })),
  state: z.optional(oneOf(EVENT_STATES)),
  type: z.optional(z.string({ error: 'must be text' })),
  since: z.optional(moment),
  until: z.optional(moment),
  text: z.optional(
    z.string({ error: 'must be text' }).check(
      z.refine((text) => text.length >= MIN && text.length <= MAX, {
        error: `must have ${MIN} to ${MAX} characters`,
        params: { minLength: MIN, maxLength: MAX },
      }),
    ),
  ),
};

const seenSummary = {
  ...words('id', 'source', 'type', 'state', 'received_at', 'duplicates', 'config_version', 'stored'),
  ...words('locale', 'replay_of', 'replayed_by'),
  counts: 'words',
  reason: 'quoted',
  reasons: {
    ...words('code', 'route', 'element', 'parameter'),
    expression: 'quoted',
    params: 'quoted',
    message: 'quoted',
  },
  dedupe_key: 'exact',
  subject: 'exact',
} as const satisfies View<EventSummary>;

type Texts = Readonly<Record<string, string>> | null;

export const eventRoutes = {
  listEvents: apiRoute('GET /events', 'viewer', {
    view: { items: seenSummary, next_cursor: 'id', searched: 'words' },
    query: { ...pageParams, ...eventFilter },
    guesses: ['text'],
    handle: async ({ env, query }) => {
      const parts: EventPage[] = [];
      const page = await locatedEvents(env, { ...query, isCounted: true }, parts);
      const whole = page && { ...page, items: await countElsewhere(env, page.items) };
      const searched = whole && query.text !== undefined && { searched: searchedIn(parts, whole) };
      return pageOr<Page<EventSummary> & { readonly searched?: Searched }>(
        whole && { ...whole, ...searched },
      );
    },
  }),

  getEvent: apiRoute('GET /events/{id}', 'viewer', {
    view: {
      ...seenSummary,
      payload: 'payload',
      headers: 'payload',
      query: 'payload',
      messages: seenMessage,
      messages_left_out: 'words',
      items: {
        ...words('route', 'index', 'outcome', 'waits', 'message', 'silence'),
        phone: 'phone',
        key: 'exact',
        incident: 'id',
      },
    },
    handle: async ({ env, params: { id } }) => {
      const event = await wholeEvent(env, id);
      if (event === null) return notFound(`event \`${id}\``);
      return {
        ...event,
        payload: parseOwnJson<unknown>(event.payload),
        headers: parseOwnJson<Texts>(event.headers),
        query: parseOwnJson<Texts>(event.query),
      };
    },
  }),
} satisfies ApiRoutes;

export interface LocatedEvent extends CountedEvent {
  readonly outbox: string;
}

/** Lists the events of all outboxes; null if the cursor is not of this list. `parts` gets the outboxes' pages. */
export const locatedEvents = async (
  env: Env,
  { cursor, ...filter }: EventFilter,
  parts: EventPage[] = [],
): Promise<Page<LocatedEvent> | null> =>
  mergePages<LocatedEvent>({
    outboxes: await outboxNames(env),
    limit: filter.limit,
    cursor,
    read: async (outbox, position) => {
      const page: EventPage = await env.OUTBOX.getByName(outbox).listEvents({ ...filter, cursor: position });
      parts.push(page);
      return { ...page, items: page.items.map((event) => ({ ...event, outbox })) };
    },
    time: ({ id }) => id,
    isOldestFirst: filter.isOldestFirst,
    position: ({ id }) => id,
    isPosition: (text) => text.startsWith('evt_'),
  });

/** How far a search got: `page` is made of the outboxes' `parts`. */
export function searchedIn(parts: readonly EventPage[], page: Page<{ readonly id: string }>): Searched {
  const sum = (key: 'events' | 'bytes'): number =>
    parts.reduce((total, { searched }) => total + (searched?.[key] ?? 0), 0);
  const found = parts.reduce((total, { items }) => total + items.length, 0);
  const ends = parts.flatMap(({ next_cursor }) => next_cursor ?? []);
  // More hits follow after the last item of this page.
  if (found > page.items.length) ends.push(...page.items.slice(-1).map(({ id }) => id));
  const edge = ends.toSorted().at(-1);
  const complete = page.next_cursor === null;
  const back_to = complete || edge === undefined ? null : iso(timeOf(edge));
  return { events: sum('events'), bytes: sum('bytes'), back_to, complete };
}

const timeOf = (id: string): number => fromBase32(id.slice('evt_'.length, 'evt_'.length + 10)) ?? 0;

/** The most messages of another account that are read for an event. The list of messages has all of them. */
const MAX_READ = 200;

/** An event with its messages, including fallbacks that other accounts send; null if there is no event with that id. */
export async function wholeEvent(env: Env, id: string): Promise<StoredEvent | null> {
  const event = await findInOutboxes<StoredEvent>(env, (outbox) => outbox.readEvent(id));
  return event && (await withOthers(env, event));
}

export async function withOthers(env: Env, event: StoredEvent): Promise<StoredEvent> {
  const { id, messages } = event;
  if (messages.every((one) => one.fallback_account === undefined)) return event;
  const known = new Set(messages.map((one) => one.id));
  const pages = [...(await takenFor(env, id))].map(([account, taken]): Promise<Page<MessageView>> =>
    env.OUTBOX.getByName(account).listMessages({ event: id, taken, limit: MAX_READ }),
  );
  const found = (await Promise.all(pages)).flatMap(({ items }) => items.toReversed());
  return { ...event, messages: [...messages, ...found.filter((one) => !known.has(one.id))] };
}

/** Counts the messages that other accounts send, too. An event with too many of those gets no counts. */
const countElsewhere = (env: Env, events: readonly LocatedEvent[]): Promise<readonly EventSummary[]> => {
  let left = MAX_READ;
  return Promise.all(
    events.map(async ({ elsewhere = [], outbox: _outbox, ...event }) => {
      left -= elsewhere.length;
      const { counts, ...uncounted } = event;
      if (counts === undefined || elsewhere.length === 0) return event;
      if (left < 0) return uncounted;
      const sum = { ...counts };
      for (const state of await Promise.all(elsewhere.map((one) => stateOf(env, one))))
        countState(sum, state);
      return { ...event, counts: sum };
    }),
  );
};

/** The state of a message, or of the last one that was sent in its place. */
async function stateOf(env: Env, { account, message }: AccountMessage): Promise<string> {
  const one: MessageView | null = await env.OUTBOX.getByName(account).readMessage(message);
  const { fallback, fallback_account: other } = one ?? {};
  if (fallback !== undefined) return stateOf(env, { account: other ?? account, message: fallback });
  // The other account has not taken it yet.
  return other === undefined ? (one?.state ?? '') : 'queued';
}
