import type { RejectionAnswer } from '../../api/types.ts';

/** All that the relay keeps, without spam. */
export const KEPT = 200;

/** Counts them, with those that are folded into one row. */
export const timesOf = (rejections: readonly Pick<RejectionAnswer, 'times'>[]): number =>
  rejections.reduce((sum, { times = 1 }) => sum + times, 0);

/** The most frequent first, each with the newest. `rejections`: newest first. */
export function groupsOf(rejections: readonly RejectionAnswer[]) {
  const groups = Map.groupBy(rejections, ({ source, code }) => JSON.stringify([source, code]));
  return [...groups.values()]
    .flatMap((group) => {
      const [last] = group;
      return last === undefined
        ? []
        : [{ source: last.source, code: last.code, count: timesOf(group), last }];
    })
    .toSorted((one, other) => other.count - one.count);
}

export const fitting = (
  rejections: readonly RejectionAnswer[],
  { source, code }: { readonly source: string; readonly code: string },
): readonly RejectionAnswer[] =>
  rejections.filter((one) => (source === '' || one.source === source) && (code === '' || one.code === code));

export const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted();
