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
    storage: parts.reduce(
      (fullest, { storage }) => (storage.bytes > fullest.bytes ? storage : fullest),
      first.storage,
    ),
    drain_seconds: parts.reduce<number | null>(
      (longest, { drain_seconds: seconds }) =>
        longest === null || seconds === null ? null : Math.max(longest, seconds),
      0,
    ),
  };
}
