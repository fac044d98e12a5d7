import { incidentOf } from './incidents/incident-id.ts';
import { readLink as read, type LinkView } from './links/read-link.ts';
import { takeBack as release } from './links/take-back.ts';
import { operate } from './operations.ts';
import type { OutboxParts } from './parts.ts';
import { mayHaveArrived, messageId, messageRow } from './state/message.ts';

export type { LinkView } from './links/read-link.ts';

/** A link by its token; null: this outbox has no such link. */
export const readLink = (parts: OutboxParts, token: string): LinkView | null => read(contextOf(parts), token);

/** Takes back the press of a link, and what it made that was not sent yet. Null: it cannot be taken back; else who got its messages, or may have. */
export function takeBack(parts: OutboxParts, token: string, by: string): readonly string[] | null {
  const taken = parts.loop.now(() => {
    const done = release(contextOf(parts), token);
    if (done?.view.link.id === 'ack')
      for (const { id } of done.view.incidents) {
        const name = incidentOf(id);
        if (name !== null) parts.incidents.giveBack(name, by);
      }
    return done;
  });
  if (taken === null) return null;
  return taken.seqs.flatMap((seq) => {
    const isCancelled = operate(parts, 'cancel', messageId(seq, parts.tag), by)?.refusal === null;
    const row = messageRow(parts, seq);
    return row === null || (isCancelled && !mayHaveArrived(row)) ? [] : (row.phone ?? []);
  });
}

const contextOf = ({ canary, clock, links, read: readContext }: OutboxParts) => ({
  ...readContext(),
  links,
  canary,
  now: clock(),
});
