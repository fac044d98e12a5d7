import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import { messageChange, PAGE, type Change } from './history.ts';
import { messageList } from './shapes.ts';

/** Messages that are sent sooner than this (ms) need no explanation. */
const PATIENCE_MS = 2_000;
/** The number of messages that say what they wait for in a storm. The list says it for all. */
const MOST = 10;
/** Messages in these states wait to be sent. */
const STATES = ['queued', 'retrying'] as const;

/**
 * Shows what stalled messages wait for: the tail reports only what happens. Returns a function that learns what the tail says
 * of a message.
 */
export function watchStalled(
  client: Client,
  show: (change: Change) => void,
  warn: (text: string) => void,
  patience = (): Promise<unknown> => sleep(PATIENCE_MS),
): (change: Change) => void {
  /** Messages that may still wait, by the state that the tail gave last. */
  let pending = new Map<string, string>();
  let isLooking = false;

  /** One at a time, with one call for each state, however many wait. */
  const look = async (): Promise<void> => {
    isLooking = true;
    while (pending.size > 0) {
      await patience();
      const asked = pending;
      pending = new Map();
      const states = STATES.filter((state) => [...asked.values()].includes(state));
      const answers = await Promise.all(
        states.map((state) => client.get('/messages', messageList, { state, limit: PAGE })),
      );
      // The next look reads the rest; the tail itself says when the relay is gone.
      const found = answers.flatMap((answer) => (answer.ok ? answer.value.data.items : []));
      // The tail reported the next attempt already. Messages that the tail changed meanwhile are looked at again.
      const reported = found.filter(
        ({ id, state, waits }) =>
          asked.get(id) === state && waits !== undefined && waits.for !== 'retry' && !pending.has(id),
      );
      const at = new Date().toISOString();
      for (const one of reported.slice(0, MOST).toReversed()) show({ ...messageChange(one), at });
      if (reported.length > MOST)
        warn(`${reported.length - MOST} more wait: \`hookbell messages --state queued\` shows why`);
    }
    isLooking = false;
  };

  return (change) => {
    if (change.type !== 'message') return;
    if (STATES.some((state) => state === change.state)) {
      pending.set(change.message, change.state);
      if (!isLooking) void look();
    } else pending.delete(change.message);
  };
}
