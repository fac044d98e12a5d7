import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { Failure } from '../failure.ts';
import type { Frame } from './tail.ts';
import { eventList, messageList, type EventSummary, type Message } from './shapes.ts';

const EVERY_MS = 2_000;
const PAGE = 100;

/** A tail for a relay that has none: reads the newest of the lists again and again. Ends when a list cannot be read. */
export async function poll(
  client: Client,
  source: string | undefined,
  onFrame: (json: unknown, frame: Frame) => void,
): Promise<Failure> {
  const seen = new Map<string, string>();
  for (let isFirst = true; ; isFirst = false) {
    const events = await client.get('/events', eventList, { source, limit: PAGE });
    if (!events.ok) return events.error;
    const messages = await client.get('/messages', messageList, { source, limit: PAGE });
    if (!messages.ok) return messages.error;
    const frames = [
      ...events.value.data.items.map(eventFrame),
      ...messages.value.data.items.map(messageFrame),
    ];
    for (const { id, version, frame } of frames.sort((a, b) => (a.frame.at < b.frame.at ? -1 : 1))) {
      if (!isFirst && seen.get(id) !== version) onFrame(frame, frame);
      seen.set(id, version);
    }
    // Items that have left these pages do not come back.
    for (const id of seen.keys()) if (frames.every((one) => one.id !== id)) seen.delete(id);
    await sleep(EVERY_MS);
  }
}

function eventFrame({ id, received_at, source, type, state, duplicates }: EventSummary) {
  const frame = {
    type: 'event' as const,
    at: received_at,
    event: id,
    source,
    event_type: type,
    state,
    duplicate: duplicates > 0,
  };
  return { id, version: `${state} ${duplicates}`, frame };
}

function messageFrame({ id, created_at, sent_at, event, source, route, kind, state, attempts }: Message) {
  const last = attempts.at(-1);
  const frame = {
    type: 'message' as const,
    at: sent_at ?? last?.at ?? created_at,
    message: id,
    event,
    source,
    route,
    kind,
    state,
    ...(last !== undefined && { outcome: last.outcome, duration_ms: last.duration_ms }),
    ...(last?.http_status !== undefined && { http_status: last.http_status }),
  };
  return { id, version: `${state} ${attempts.length}`, frame };
}
