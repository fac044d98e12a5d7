import type { ComparedMessage, MessageChange } from './api-preview.ts';

/** A message of each side, or of one of them only. */
interface Pair {
  readonly was: ComparedMessage | undefined;
  readonly now: ComparedMessage | undefined;
}

/**
 * Returns the differences. Pairs messages of one route to one receiver: equal ones first, then the others in their
 * order, so that one missing message does not make all later ones look changed.
 */
export function diffMessages(
  was: readonly ComparedMessage[],
  now: readonly ComparedMessage[],
): MessageChange[] {
  const before = byReceiver(was);
  const after = byReceiver(now);
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => pairs(before.get(key) ?? [], after.get(key) ?? []).flatMap(changesOf));
}

function byReceiver(messages: readonly ComparedMessage[]): ReadonlyMap<string, readonly ComparedMessage[]> {
  return Map.groupBy(messages, ({ route, phone }) => JSON.stringify([route, phone]));
}

function pairs(was: readonly ComparedMessage[], now: readonly ComparedMessage[]): Pair[] {
  const unpaired = Map.groupBy(was, fingerprint);
  const same: Pair[] = [];
  const left = now.filter((message) => {
    const twin = unpaired.get(fingerprint(message))?.shift();
    if (twin !== undefined) same.push({ was: twin, now: message });
    return twin === undefined;
  });
  const gone = [...unpaired.values()].flat();
  const rest = Array.from({ length: Math.max(gone.length, left.length) }, (_, at) => ({
    was: gone[at],
    now: left[at],
  }));
  return [...same, ...rest];
}

const fingerprint = ({ kind, params }: ComparedMessage): string =>
  JSON.stringify([kind, Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1))]);

function changesOf({ was, now }: Pair): MessageChange[] {
  const message = now ?? was;
  if (message === undefined) return [];
  const { route, phone } = message;
  if (was === undefined) return [{ kind: 'added', route, phone }];
  if (now === undefined) return [{ kind: 'removed', route, phone }];
  const [before, after] = [fieldsOf(was), fieldsOf(now)];
  const names = new Set([...before.keys(), ...after.keys()]);
  const changes = [...names].flatMap((parameter): MessageChange[] => {
    const [old, young] = [before.get(parameter) ?? null, after.get(parameter) ?? null];
    return old === young ? [] : [{ kind: 'changed', route, phone, parameter, was: old, now: young }];
  });
  return changes.length === 0 ? [{ kind: 'same', route, phone }] : changes;
}

const fieldsOf = ({ kind, params }: ComparedMessage): ReadonlyMap<string, string> =>
  new Map([['kind', kind], ...Object.entries(params)]);
