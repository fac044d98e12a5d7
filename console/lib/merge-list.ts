/**
 * Merges the newest page of a list into the items that are shown already: `same` are those in their places, with their newest
 * state. One that the newest page no longer has stays where it is: somebody is reading it, and its own state shows its
 * outcome.
 */
export function mergeNewest<Item extends { readonly id: string }>(
  shown: readonly Item[],
  newest: readonly Item[],
) {
  const byId = new Map(newest.map((item) => [item.id, item]));
  const known = new Set(shown.map(({ id }) => id));
  return {
    same: shown.map((item) => byId.get(item.id) ?? item),
    fresh: newest.filter(({ id }) => !known.has(id)),
  };
}
