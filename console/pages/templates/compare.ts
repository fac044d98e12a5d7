import type { PreviewAnswer } from '../../api/types.ts';

/** A message to compare: one that was sent, or would be. */
export interface PairedMessage {
  readonly route: string;
  readonly kind: string;
  readonly phone: string | null;
  readonly params: Readonly<Record<string, string>>;
}

/** A message before and after; one of them is null when there is no such message. */
export interface Pair {
  readonly was: PairedMessage | null;
  readonly now: PairedMessage | null;
  readonly isSame: boolean;
}

const fingerprint = ({ kind, params }: PairedMessage): string =>
  JSON.stringify([kind, Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1))]);

const place = ({ route, phone }: PairedMessage): string => JSON.stringify([route, phone]);

/** Messages of one route to one receiver side by side: equal ones first, the others in their order. */
export function pairsOf(was: readonly PairedMessage[], now: readonly PairedMessage[]): readonly Pair[] {
  const before = Map.groupBy(was, place);
  const after = Map.groupBy(now, place);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) =>
    pairUp(before.get(key) ?? [], after.get(key) ?? []),
  );
}

function pairUp(was: readonly PairedMessage[], now: readonly PairedMessage[]): readonly Pair[] {
  const unpaired = Map.groupBy(was, fingerprint);
  const same: Pair[] = [];
  const left = now.filter((message) => {
    const twin = unpaired.get(fingerprint(message))?.shift();
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

/** The number of events with each outcome, of all sources. */
export type Summary = Extract<PreviewAnswer, { readonly summary: unknown }>['summary'];

export const sumOf = (summaries: readonly Summary[]): Summary => {
  const sum = (of: (one: Summary) => number): number => summaries.reduce((total, one) => total + of(one), 0);
  return {
    events: sum(({ events }) => events),
    same: sum(({ same }) => same),
    changed: sum(({ changed }) => changed),
    failed: sum(({ failed }) => failed),
    not_comparable: sum((one) => one.not_comparable),
    left_out: sum((one) => one.left_out),
  };
};
