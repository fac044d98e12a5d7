import { objectPlace } from '../lib/placed.ts';

/**
 * Explains why this deployment must not be used: its variable names another jurisdiction than the one that its events
 * are in. Null if both are the same. `jurisdiction`: that of the registry that wrote the copy in KV.
 */
export function movedText(jurisdiction: string | null, env: object): string | null {
  const place = objectPlace(env);
  if (!place.ok) return place.error;
  const now = place.value.jurisdiction;
  return now === jurisdiction
    ? null
    : `JURISDICTION is ${now ?? 'not set'}, but the documents and events of this relay are in ${jurisdiction ?? 'no jurisdiction'}, where they are out of reach: ${jurisdiction === null ? 'remove it' : `set it to ${jurisdiction} again`} under [vars] in wrangler.toml. To move, deploy under another name with the new value, then npx hookbell pull and npx hookbell export here, and npx hookbell push there`;
}
