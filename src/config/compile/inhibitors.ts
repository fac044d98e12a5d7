import { type FieldError, fieldError } from '../../lib/problem.ts';
import type { Source } from '../compiled/config.ts';

/** An incident's source, route and key. */
type Place = readonly [source: string, route: string, key: string];

/**
 * The incidents that an `inhibited_by` may name. It is a key of the same route, a route and a key, or a source, a route
 * and a key.
 */
export function inhibitorsIn(text: string, source: string, route: string): readonly Place[] {
  if (text === '') return [];
  const [first = '', second = '', ...others] = text.split('/');
  const places: Place[] = [[source, route, text]];
  if (second !== '' || others.length > 0) places.push([source, first, text.slice(first.length + 1)]);
  if (others.length > 0) places.push([first, second, others.join('/')]);
  return places;
}

/** An incident whose key and inhibitors are literal texts in the document. */
interface Literal {
  readonly path: string;
  readonly inhibitedBy: readonly string[];
}

/** Warns of incidents that inhibit each other, if their keys are literal. Of those, the older one is notified. */
export function circleWarnings(sources: ReadonlyMap<string, Source>): readonly FieldError[] {
  const literals = new Map<string, Literal>();
  for (const [id, { routes }] of sources)
    for (const [index, { name, alerting }] of routes.entries()) {
      const { key, inhibitedBy = null } = alerting?.incident ?? {};
      if (key === undefined || key.nodes !== undefined || inhibitedBy?.nodes !== undefined) continue;
      literals.set([id, name, key.source.trim()].join('/'), {
        path: `sources.${id}.routes[${index}].incident.inhibited_by`,
        inhibitedBy: inhibitorsIn(inhibitedBy?.source.trim() ?? '', id, name).map((place) => place.join('/')),
      });
    }
  return [...literals].flatMap(([name, { path }]) => {
    const circle = wayBack(literals, name);
    if (circle === null) return [];
    const message =
      circle.length === 1
        ? `names its own incident, \`${name}\`, which inhibits nothing`
        : `leads back to its own incident: ${[...circle, name].map((one) => `\`${one}\``).join(' → ')}. The first to open is notified; name an incident that depends on none of them`;
    return [fieldError(path, 'conflict', message)];
  });
}

/** The shortest chain of incidents from this one back to itself; null if there is none. */
function wayBack(literals: ReadonlyMap<string, Literal>, name: string): readonly string[] | null {
  const ways: (readonly string[])[] = [[name]];
  const seen = new Set<string>();
  for (const way of ways)
    for (const next of literals.get(way.at(-1) ?? '')?.inhibitedBy ?? []) {
      if (next === name) return way;
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  return null;
}
