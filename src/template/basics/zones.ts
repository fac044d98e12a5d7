import { createCache } from '../../lib/cache.ts';

/** The longest IANA names have 32 characters. A stranger's text is not kept as the key of a cache. */
export const MAX_ZONE_LENGTH = 64;

/** In place of a zone in a template: a time without one is local to the source. */
export const LOCAL = 'local';

const zones = createCache<{ readonly isZone: boolean }>(64);

/** True if it names a time zone, such as `Europe/Berlin`. */
export function isZone(timeZone: string): boolean {
  if (timeZone.length > MAX_ZONE_LENGTH) return false;
  return zones(timeZone, () => {
    try {
      return { isZone: new Intl.DateTimeFormat('en', { timeZone }).format(0) !== '' };
    } catch {
      return { isZone: false };
    }
  }).isZone;
}
