import type { Message } from '../../api/types.ts';

/** Counts the messages of an event that came through, and the others; of the chosen routes, or of all (null). */
export function replayCounts(
  messages: readonly Pick<Message, 'state' | 'route' | 'fallback'>[],
  routes: readonly string[] | null,
): { sent: number; failed: number } {
  const of = messages.filter(({ route }) => routes === null || (route !== null && routes.includes(route)));
  const count = (states: readonly string[]): number =>
    of.filter(({ state, fallback }) => states.includes(state) && fallback === undefined).length;
  return { sent: count(['sent']), failed: count(['dead', 'expired', 'cancelled']) };
}
