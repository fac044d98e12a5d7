import type { PreviewAnswer } from '../../api/types.ts';

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
