/** The extent of a search of payloads, as the list says beside its items. */
export interface Searched {
  /** All that was received since then was looked at; null: all that is kept. */
  readonly back_to: string | null;
}

/** Null: the page is not of a search. */
export function searchedOf(page: object | null): Searched | null {
  const searched: unknown = page === null ? null : Reflect.get(page, 'searched');
  if (typeof searched !== 'object' || searched === null) return null;
  const backTo: unknown = Reflect.get(searched, 'back_to');
  return { back_to: typeof backTo === 'string' ? backTo : null };
}
