import type { Route } from '../../config/config.ts';
import { parseOwnJson } from '../../lib/own-json.ts';
import type { SilenceScope } from '../answers/api-incident.ts';

/** Returns a text as a Liquid literal; null if it has both kinds of quotes, since Liquid has no escapes. */
export function quoted(text: string): string | null {
  if (!text.includes('"')) return `"${text}"`;
  return text.includes("'") ? null : `'${text}'`;
}

/** Matches a text that consists only of one path. */
const PATH = /^\{\{-?\s*(item(?:\.[A-Za-z_][\w-]*)+)\s*-?\}\}$/;

/** The conditions by which an incident can be silenced, the narrowest first. */
export function silenceScopes(
  place: { readonly source: string; readonly key: string },
  route: Route | null,
  grouped: string | null,
): readonly SilenceScope[] {
  const source = quoted(place.source);
  if (source === null) return [];
  const ofSource = `event.source == ${source}`;
  const key = quoted(place.key);
  const group = grouped === null ? null : groupOf(route, parseOwnJson<readonly string[]>(grouped));
  return [
    ...(key === null ? [] : [{ of: 'incident' as const, when: `${ofSource} and key == ${key}` }]),
    ...(group === null
      ? []
      : [{ of: 'group' as const, name: group.name, when: `${ofSource} and ${group.when}` }]),
    { of: 'source', when: ofSource },
  ];
}

/**
 * Returns a condition on the paths that the group has in common; null if it is not made of paths, or has nothing in
 * common.
 */
function groupOf(
  route: Route | null,
  values: readonly string[],
): { readonly name: string; readonly when: string } | null {
  const by = route?.alerting?.group?.by ?? [];
  if (by.length === 0 || by.length !== values.length) return null;
  const parts = by.map(({ source }, at) => {
    const path = PATH.exec(source.trim())?.[1];
    const value = quoted(values[at] ?? '');
    return path === undefined || value === null ? null : `${path} == ${value}`;
  });
  if (parts.includes(null)) return null;
  return { name: values.join(', '), when: parts.join(' and ') };
}
