import type { MessageKind } from '../../gateway/kinds.ts';

export interface PairedMessage {
  readonly route: string;
  readonly kind: MessageKind;
  readonly phone: string | null;
  readonly params: Readonly<Record<string, string>>;
}

export interface Pair {
  readonly was: PairedMessage | null;
  readonly now: PairedMessage | null;
  readonly isSame: boolean;
}

/** Of one route to one receiver: equal ones first, so that a missing message does not make all later ones look changed. */
export function pairsOf(was: readonly PairedMessage[], now: readonly PairedMessage[]): readonly Pair[] {
  const before = Map.groupBy(was, placeOf);
  const after = Map.groupBy(now, placeOf);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) =>
    pairUp(before.get(key) ?? [], after.get(key) ?? []),
  );
}

const placeOf = ({ route, phone }: PairedMessage): string => JSON.stringify([route, phone]);

function pairUp(was: readonly PairedMessage[], now: readonly PairedMessage[]): readonly Pair[] {
  const unpaired = Map.groupBy(was, contentOf);
  const same: Pair[] = [];
  const left = now.filter((message) => {
    const twin = unpaired.get(contentOf(message))?.shift();
    if (twin !== undefined) same.push({ was: twin, now: message, isSame: true });
    return twin === undefined;
  });
  const gone = [...unpaired.values()].flat();
  const others = Array.from({ length: Math.max(gone.length, left.length) }, (_, at) => ({
    was: gone[at] ?? null,
    now: left[at] ?? null,
    isSame: false,
  }));
  return [...same, ...others];
}

const contentOf = ({ kind, params }: PairedMessage): string =>
  JSON.stringify([kind, Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
