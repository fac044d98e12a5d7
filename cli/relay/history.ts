import * as z from 'zod';
import { ok } from '../../src/lib/result.ts';
import { waits } from '../../src/outbox/answers/api-message.ts';
import { tail } from '../../src/outbox/answers/api-tail.ts';
import { isFinal } from '../../src/outbox/state/states.ts';
import type { Client } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import { reading } from './reading.ts';
import { eventList, messageList, rejectionList, type EventSummary, type Message } from './shapes.ts';

/** The most of a list: more than that is read in the lists themselves. */
export const PAGE = 100;

const [event, message, rejection] = tail.shape.items.element.options;

/** The answer of `GET /tail`. Entries of the lists are like its items: they say why a message waits, in addition. */
export const tailAnswer = reading(
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

/** Something that happened. */
export type Change = z.output<typeof tailAnswer>['items'][number];

interface Wanted {
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  /** From when on (ms). */
  readonly since: number;
}

/** Entries, oldest first. `isCut`: a list had more than was read. */
interface History {
  readonly changes: readonly Change[];
  readonly isCut: boolean;
}

/** Reads the lists since a time: each thing once, as it is now. */
export async function readHistory(
  client: Client,
  { source, type, since }: Wanted,
): Promise<CommandResult<History>> {
  const is = (kind: Change['type']): boolean => type === undefined || type === kind;
  const page = { source, limit: PAGE };
  const parts = await Promise.all([
    is('event') && client.get('/events', eventList, { ...page, since: new Date(since).toISOString() }),
    is('message') && client.get('/messages', messageList, page),
    is('rejection') && client.get('/rejections', rejectionList, page),
  ]);
  const [events, messages, rejections] = parts;
  for (const part of parts) if (part !== false && !part.ok) return part;
  const lists: readonly (readonly Change[])[] = [
    events && events.ok ? events.value.data.items.map(eventChange) : [],
    messages && messages.ok ? messages.value.data.items.map(messageChange) : [],
    rejections && rejections.ok
      ? rejections.value.data.items.map((one) => ({ type: 'rejection' as const, ...one }))
      : [],
  ];
  const recent = lists.map((list) => list.filter(({ at }) => Date.parse(at) >= since));
  return ok({
    // Lists have the newest first; what happened in the same millisecond stays in its order.
    changes: recent
      .flatMap((list) => list.toReversed())
      .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    isCut: recent.some(({ length }) => length >= PAGE),
  });
}

const eventChange = ({
  id,
  received_at,
  source,
  type,
  subject,
  state,
  reason,
  duplicates,
}: EventSummary) => ({
  type: 'event' as const,
  at: received_at,
  event: id,
  source,
  event_type: type,
  ...(subject !== undefined && { subject }),
  state,
  duplicate: duplicates > 0,
  ...(reason !== undefined && { reason }),
});

export function messageChange(one: Message): Change {
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
