import { outboxNames } from '../../outbox/outboxes.ts';
import type { ReplayView } from '../../outbox/read/event-receivers.ts';
import type { ReplayChoice } from './replay-choice.ts';

/** The replays of these events so far, oldest first, by the event; a source can have another account now. None unless `only` asks. */
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
