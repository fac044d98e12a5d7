import { byLabel } from '../../counts/counts.ts';
import { QUEUE_STATES } from '../state/states.ts';
import type { OutboxStatus } from './status.ts';

/** The status of an account with several objects: sums, and otherwise the worst value. */
export function mergeStatus(parts: readonly OutboxStatus[]): OutboxStatus | null {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first ?? null;
  const sum = (read: (part: OutboxStatus) => number): number =>
    parts.reduce((total, part) => total + read(part), 0);
  const inexact = QUEUE_STATES.filter((state) => parts.some((part) => part.inexact?.includes(state)));
  const capped = parts.reduce<AtCap | null>((all, part) => addCaps(all, part.receivers_at_cap), null);
  return {
    account: first.account,
    ...byLabel(QUEUE_STATES, (state) => sum((part) => part[state])),
    waiting: sum(({ waiting }) => waiting),
    open_incidents: sum(({ open_incidents: open }) => open),
    ...(inexact.length > 0 && { inexact }),
    circuit: parts.find(({ circuit }) => circuit.state === 'open')?.circuit ?? first.circuit,
    paused: parts.find(({ paused }) => paused !== null)?.paused ?? null,
    rate:
      first.rate === null
        ? null
        : {
            per_minute: sum(({ rate }) => rate?.per_minute ?? 0),
            burst: sum(({ rate }) => rate?.burst ?? 0),
          },
    ...(capped !== null && { receivers_at_cap: capped }),
    storage: parts.reduce(
      (fullest, { storage }) => (storage.bytes > fullest.bytes ? storage : fullest),
      first.storage,
    ),
    drain_seconds: parts.reduce<number | null>(
      (longest, { drain_seconds: seconds }) =>
        longest === null || seconds === null ? null : Math.max(longest, seconds),
      0,
    ),
    ...(parts.some((part) => part.drain_at_least) && { drain_at_least: true }),
  };
}

type AtCap = NonNullable<OutboxStatus['receivers_at_cap']>;

/** Times are ISO 8601 in UTC, so they sort as texts. */
function addCaps(one: AtCap | null, other: AtCap | undefined): AtCap | null {
  if (one === null || other === undefined) return one ?? other ?? null;
  return {
    receivers: one.receivers + other.receivers,
    messages: one.messages + other.messages,
    per_hour: one.per_hour,
    next_at: one.next_at < other.next_at ? one.next_at : other.next_at,
    last_at: one.last_at > other.last_at ? one.last_at : other.last_at,
  };
}
