import { asObject } from '../src/lib/json.ts';

type Written = Readonly<Record<string, unknown>>;

/** A source whose open incidents a change resolves. `isAll`: all of them, and not only those of some routes. */
export type Losing = Readonly<{ source: string; isAll: boolean }>;

/**
 * The sources whose open incidents a change of the documents resolves: those that are gone or moved to another account, and those
 * whose routes are gone or have no incidents any more. Both are sources by their names.
 */
export const losingIn = (before: Written, after: Written): readonly Losing[] =>
  Object.entries(before).flatMap(([source, was]): readonly Losing[] => {
    const is = Object.hasOwn(after, source) ? after[source] : null;
    const had = alertingRoutes(was);
    const has = accountOf(is) === accountOf(was) ? alertingRoutes(is) : [];
    const lost = had.filter((name) => !has.includes(name));
    return lost.length === 0 ? [] : [{ source, isAll: lost.length === had.length }];
  });

const accountOf = (source: unknown): unknown => asObject(source)['account'] ?? 'default';

function alertingRoutes(source: unknown): readonly unknown[] {
  const { routes } = asObject(source);
  const all = Array.isArray(routes) ? routes.map(asObject) : [];
  return all.flatMap(({ incident, name }) => (incident === undefined ? [] : [name]));
}

export interface ResolvedBy {
  readonly count: number;
  readonly sources: readonly string[];
  /** False: of some sources the count is that of all their incidents. */
  readonly isExact: boolean;
}

export function resolvedBy(
  losing: readonly Losing[],
  open: readonly { readonly source: string; readonly open: number }[],
): ResolvedBy {
  const found = losing.flatMap((one) => {
    const count = open.find(({ source }) => source === one.source)?.open ?? 0;
    return count === 0 ? [] : [{ ...one, count }];
  });
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    sources: found.map(({ source }) => source),
    isExact: found.every(({ isAll }) => isAll),
  };
}
