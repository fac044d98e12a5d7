import type { Frame, Message } from '../api/types.ts';

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

type Filters = Readonly<Record<string, string>>;

/** True if a list with these filters may be another one now. A frame does not say all that filters ask for. */
export const concernsMessages = (frame: Frame, { source, event }: Filters): boolean =>
  frame.type === 'message' && isOf(source, frame.source) && isOf(event, frame.event);

export const concernsEvents = (frame: Frame, { source, state, type }: Filters): boolean =>
  frame.type === 'event' &&
  isOf(source, frame.source) &&
  isOf(state, frame.state) &&
  isOf(type, frame.event_type);

const isOf = (wanted: string | undefined, value: string | null): boolean =>
  wanted === undefined || wanted === '' || wanted === value;
