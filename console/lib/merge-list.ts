interface ListedRow {
  readonly id: string;
}

/**
 * Merges the newest page of a list into the items that are shown already: `same` are those in their places, with their newest
 * state. `hasMore`: there are further pages; `hasGap`: there may be further items between the new and the shown ones. An item that the newest page no longer has stays where it is: somebody is reading
 * it, and its own state shows its outcome.
 */
export function mergeNewest<Item extends ListedRow>(
  shown: readonly Item[],
  newest: readonly Item[],
  hasMore: boolean,
) {
  const byId = new Map(newest.map((item) => [item.id, item]));
  const known = new Set<string>();
  const same = shown.map((item) => {
    const renewed = byId.get(item.id);
    if (renewed !== undefined) known.add(item.id);
    return renewed ?? item;
  });
  const fresh = newest.filter(({ id }) => !known.has(id));
  return { same, fresh, hasGap: hasMore && shown.length > 0 && known.size === 0 };
}

/** Both together, newest first. `timeOf`: ISO 8601 in UTC. */
export function withFresh<Item extends ListedRow>(
  shown: readonly Item[],
  fresh: readonly Item[],
  timeOf: (item: Item) => string,
): readonly Item[] {
  if (fresh.length === 0) return shown;
  const ids = new Set(fresh.map(({ id }) => id));
  const all = [...fresh, ...shown.filter(({ id }) => !ids.has(id))];
  return all.toSorted((one, other) => Date.parse(timeOf(other)) - Date.parse(timeOf(one)));
}
