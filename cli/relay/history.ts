import { err, ok } from '../../src/lib/result.ts';
import { isFinal } from '../../src/outbox/state/states.ts';
import type { Client } from '../client.ts';
import type { CommandResult } from '../failure.ts';
import {
  eventList,
  message as messageShape,
  messageList,
  rejectionList,
  type EventSummary,
  type Message,
  type RejectionAnswer,
} from './shapes.ts';
import type { ReadFrame } from './tail.ts';

/** The most of a list: more than that is read in the lists themselves. */
export const PAGE = 100;
/** The messages that are asked for one by one. */
const MOST_ASKED = 50;

/**
 * The overlap of lists with the last known entry (ms): entries that took longer to be written stand before
 * it.
 */
export const OVERLAP_MS = 10_000;

/** The range to read. */
export interface Wanted {
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  /** From when on (ms). */
  readonly since: number;
  /** Messages that may have gone on meanwhile, though they are older. */
  readonly pending?: readonly string[];
}

/** Entries, oldest first. `isCut`: a list had more than was read. */
export interface History {
  readonly frames: readonly Dated[];
  readonly isCut: boolean;
}

/** States that a message reaches long after it came; the lists are by when it came. */
const LATE = ['retrying', 'dead', 'uncertain'] as const;

/** Reads the lists since a time, as frames of the tail: each thing once, as it is now. */
export async function readHistory(client: Client, wanted: Wanted): Promise<CommandResult<History>> {
  const { source, type, since } = wanted;
  const pending = new Set(wanted.pending);
  const isPending = (frame: Dated): boolean => frame.type === 'message' && pending.has(frame.message);
  const is = (kind: ReadFrame['type']): boolean => type === undefined || type === kind;
  const parts = await Promise.all([
    is('event') ? eventFrames(client, source, since) : NOTHING,
    is('message') ? messageFrames(client, wanted) : NOTHING,
    is('rejection') ? rejectionFrames(client, source) : NOTHING,
  ]);
  const frames: Dated[] = [];
  let isCut = false;
  for (const part of parts) {
    if (!part.ok) return part;
    const recent = part.value.filter((frame) => Date.parse(frame.at) >= since || isPending(frame));
    isCut ||= recent.length >= PAGE;
    // Lists have the newest first; what happened in the same millisecond stays in its order.
    frames.push(...recent.toReversed());
  }
  return ok({ frames: frames.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)), isCut });
}

/** A frame of something that happened. */
export type Dated = Extract<ReadFrame, { readonly at: string; readonly source: string | null }>;

const NOTHING: CommandResult<readonly Dated[]> = ok([]);

async function eventFrames(
  client: Client,
  source: string | undefined,
  since: number,
): Promise<CommandResult<readonly Dated[]>> {
  const query = { source, since: new Date(since).toISOString(), limit: PAGE };
  const answer = await client.get('/events', eventList, query);
  return answer.ok ? ok(answer.value.data.items.map(eventFrame)) : answer;
}

async function rejectionFrames(
  client: Client,
  source: string | undefined,
): Promise<CommandResult<readonly Dated[]>> {
  const answer = await client.get('/rejections', rejectionList, { limit: PAGE });
  if (!answer.ok) return answer;
  const isOf = (one: RejectionAnswer): boolean => source === undefined || one.source === source;
  return ok(answer.value.data.items.filter(isOf).map(rejectionFrame));
}

async function messageFrames(client: Client, wanted: Wanted): Promise<CommandResult<readonly Dated[]>> {
  const { source, pending = [] } = wanted;
  const read = (state?: string) => client.get('/messages', messageList, { source, state, limit: PAGE });
  const found = new Map<string, Message>();
  for (const answer of await Promise.all([read(), ...LATE.map(read)])) {
    if (!answer.ok) return err(answer.error);
    for (const one of answer.value.data.items) found.set(one.id, one);
  }
  const asked = pending.filter((id) => !found.has(id)).slice(-MOST_ASKED);
  const answers = await Promise.all(asked.map((id) => client.get(`/messages/${id}`, messageShape)));
  // One that is gone meanwhile was old.
  for (const answer of answers) if (answer.ok) found.set(answer.value.data.id, answer.value.data);
  return ok([...found.values()].map(messageFrame));
}

const eventFrame = ({
  id,
  received_at,
  source,
  type,
  subject,
  state,
  reason,
  duplicates,
}: EventSummary): ReadEventFrame => ({
  type: 'event',
  at: received_at,
  event: id,
  source,
  event_type: type,
  ...(subject !== undefined && { subject }),
  state,
  duplicate: duplicates > 0,
  ...(reason !== undefined && { reason }),
});

/** A message as the tail shows it. */
export function messageFrame(one: Message): ReadMessageFrame {
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

const rejectionFrame = (one: RejectionAnswer): ReadRejectionFrame => ({ type: 'rejection', ...one });

type ReadEventFrame = Extract<ReadFrame, { readonly type: 'event' }>;
type ReadMessageFrame = Extract<ReadFrame, { readonly type: 'message' }>;
type ReadRejectionFrame = Extract<ReadFrame, { readonly type: 'rejection' }>;
