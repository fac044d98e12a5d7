import type { EventSummary, Frame, Message } from '../api/types.ts';

/** The id of the message, or of the event, that a frame is about; null: it is about something else. */
export const messageOf = (frame: Frame): string | null => (frame.type === 'message' ? frame.message : null);
export const eventOf = (frame: Frame): string | null => (frame.type === 'event' ? frame.event : null);

/** A message after what the tail says; itself when that was about another one. */
export function messageAfter(message: Message, frame: Frame): Message {
  if (frame.type !== 'message' || frame.message !== message.id) return message;
  // The old reason for waiting is over; a new one comes with its row.
  const { waits: _, next_attempt_at: _next, ...rest } = message;
  return {
    ...rest,
    state: frame.state,
    code: frame.code,
    reason: frame.reason,
    reason_params: frame.reason_params,
    ...(frame.next_attempt_at !== undefined && { next_attempt_at: frame.next_attempt_at }),
    ...(frame.state === 'sent' && { sent_at: message.sent_at ?? frame.at }),
  };
}

/** The same of an event, which may come again. */
export const eventAfter = (event: EventSummary, frame: Frame): EventSummary =>
  frame.type === 'event' && frame.duplicate && frame.event === event.id
    ? { ...event, duplicates: event.duplicates + 1 }
    : event;

type Filters = Readonly<Record<string, string>>;

/** True if a list with these filters may be another one now. A frame does not say all that filters ask for. */
export function concernsMessages(frame: Frame, { source, event }: Filters): boolean {
  if (frame.type === 'dropped') return true;
  if (frame.type !== 'message') return false;
  return isOf(source, frame.source) && isOf(event, frame.event);
}

export function concernsEvents(frame: Frame, { source, state, type }: Filters): boolean {
  if (frame.type === 'dropped') return true;
  if (frame.type !== 'event') return false;
  return isOf(source, frame.source) && isOf(state, frame.state) && isOf(type, frame.event_type);
}

const isOf = (wanted: string | undefined, value: string | null): boolean =>
  wanted === undefined || wanted === '' || wanted === value;
