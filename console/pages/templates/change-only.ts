import type { Comparison } from './changes.tsx';
import { pairsOf } from './compare.ts';

/**
 * The comparison of a draft with what is published now, in place of what was once sent: what others changed since is no part
 * of this change, and a message that waits for its group or for the morning was not sent yet.
 */
export function changeOnly(draft: Comparison, published: Comparison): Comparison {
  const before = new Map(published.events.map((event) => [event.event, event]));
  const events = draft.events.map((event) => {
    const base = before.get(event.event);
    if (!('sent' in event) || base === undefined || !('sent' in base)) return event;
    const sent = base.would_send.map((message) => ({ ...message, message: '', state: 'sent' as const }));
    return { ...event, sent };
  });
  const changed = events.filter(
    (event) =>
      'sent' in event &&
      !hasFailed(event) &&
      pairsOf(event.sent, event.would_send).some(({ isSame }) => !isSame),
  ).length;
  const { events: all, failed, not_comparable } = draft.summary;
  return {
    events,
    summary: { ...draft.summary, changed, same: all - failed - not_comparable - changed },
  };
}

const hasFailed = ({ routes }: { readonly routes: readonly { readonly result: string }[] }): boolean =>
  routes.some(({ result }) => result === 'failed');
