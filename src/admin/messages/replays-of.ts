import { outboxNames } from '../../outbox/outboxes.ts';
import type { ReplayView } from '../../outbox/read/event-receivers.ts';
import type { ReplayChoice } from './replay-choice.ts';

/**
 * The earlier replays of these events by event, oldest first. Asks every outbox, since a source may have changed its
 * account. Empty without `only`.
 */
export async function replaysOf(
  env: Env,
  { only }: ReplayChoice,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly ReplayView[]>> {
  const names = only === undefined ? [] : await outboxNames(env);
  const found = await Promise.all(
    names.map((name): Promise<readonly ReplayView[]> => env.OUTBOX.getByName(name).replaysOf(ids)),
  );
  const all = found.flat().toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return Map.groupBy(all, ({ original }) => original);
}
