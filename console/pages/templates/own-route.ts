import { usesOf, type TextPlace, type TextSet } from './texts-of-set.ts';

/** The routes of a source that send a text. */
export interface Owner {
  readonly routes: readonly string[];
}

/** A template that no route sends is shown by a route made for it. */
const MADE = 'preview';

export function ownerOf(set: TextSet, place: TextPlace, source: string): Owner {
  if (place.in === 'route') return { routes: [place.route] };
  const uses = usesOf(set, place.name).filter((use) => use.source === source);
  return { routes: uses.length === 0 ? [MADE] : uses.map(({ route }) => route) };
}

export const isOwnRoute = ({ routes }: Owner, route: string): boolean => routes.includes(route);
