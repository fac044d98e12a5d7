import { countPress } from './links/change-link.ts';
import { readLink as read, type LinkView } from './links/read-link.ts';
import { takeBack as release } from './links/take-back.ts';
import { operate } from './operations.ts';
import type { OutboxParts } from './parts.ts';
import { mayHaveArrived, messageId, messageRow } from './state/message.ts';

export type { LinkView } from './links/read-link.ts';

/** Returns a link by its token; null if this outbox has no such link. */
export const readLink = (parts: OutboxParts, token: string): LinkView | null => read(contextOf(parts), token);

/** See {@link countPress}. */
export const pressLink = (parts: OutboxParts, token: string): LinkView | null =>
  parts.loop.now(() => countPress(contextOf(parts), token));

/** A press that was taken back. */
export interface Undo {
  /** The event of the press. */
  readonly event: string;
  /** The receivers who got or may have got its messages. */
  readonly heard: readonly string[];
}

/**
 * Takes back the press of a link, and the messages of it that were not sent yet; may be repeated. Null if it cannot be
 * taken back.
 */
export function takeBack(parts: OutboxParts, token: string, by: string): Undo | null {
  const taken = parts.loop.now(() => {
    const done = release(contextOf(parts), token);
    if (done?.view.link.id !== 'ack' || done.isRepeat) return done;
    const { source, route, incidents } = done.view;
    for (const { key } of incidents) parts.incidents.giveBack({ source, route, key }, by);
    return done;
  });
  if (taken === null) return null;
  const heard = taken.seqs.flatMap((seq) => {
    operate(parts, 'cancel', messageId(seq, parts.tag), by);
    const row = messageRow(parts, seq);
    return row === null || (row.state === 'cancelled' && !mayHaveArrived(row)) ? [] : (row.phone ?? []);
  });
  return { event: taken.event, heard };
}

const contextOf = ({ canary, clock, links, read: readContext }: OutboxParts) => ({
  ...readContext(),
  links,
  canary,
  now: clock(),
});
