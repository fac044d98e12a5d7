import { nameOf, type IncidentParts } from './entries.ts';

const PREFIX = 'inc_';

/**
 * An incident's id: its source, route and key as base64url, the same for all its receivers. Names of sources and routes
 * have no `/`.
 */
export const incidentId = (of: IncidentParts): string => idOfName(nameOf(of));

/** Returns the id of an incident by its name, see `nameOf`. */
export function idOfName(name: string): string {
  const text = btoa(String.fromCharCode(...new TextEncoder().encode(name)));
  return PREFIX + text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns the parts of an incident's id; null if the text is not one. */
export function incidentOf(id: string): IncidentParts | null {
  if (!id.startsWith(PREFIX)) return null;
  try {
    const text = atob(id.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const [source, route, ...key] = decoder.decode(bytes).split('/');
    return source === undefined || route === undefined || key.length === 0
      ? null
      : { source, route, key: key.join('/') };
  } catch {
    return null;
  }
}
