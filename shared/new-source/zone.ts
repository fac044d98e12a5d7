import { err, ok, type Result } from '../../src/lib/result.ts';

/**
 * The zone of the largest city, for countries whose first zone by name is another one, and for countries without a zone
 * of their own. `Intl` knows the zones of a country, but not in which of them most people live.
 */
const LARGEST: Readonly<Record<string, string>> = {
  AC: 'Atlantic/St_Helena',
  AR: 'America/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CL: 'America/Santiago',
  CY: 'Asia/Nicosia',
  ES: 'Europe/Madrid',
  GL: 'America/Godthab',
  KI: 'Pacific/Tarawa',
  MH: 'Pacific/Majuro',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  TA: 'Atlantic/St_Helena',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
  XK: 'Europe/Belgrade',
};

/** The zones of a country, the likeliest first. `own`: this machine's zone. Empty: none is known. */
export function zonesOf(country: string, own: string): readonly string[] {
  const all = country === '' ? [] : zonesIn(country);
  const first = all.includes(own) ? own : LARGEST[country];
  return first === undefined ? all : [first, ...all.filter((zone) => zone !== first)];
}

/**
 * The likely zone: that of earlier sources of the country, else the country's, and without a country this machine's.
 * Empty: none is known. Never UTC, where nobody is.
 */
export function likelyZone(
  country: string,
  own: string,
  { country: before, timezone }: { readonly country?: string; readonly timezone?: string },
): string {
  const zones = zonesOf(country, own);
  if (timezone !== undefined && (country === '' || country === before || zones.includes(timezone)))
    return timezone;
  return zones[0] ?? (country === '' && isPlace(own) ? own : '');
}

/** In alphabetical order. Node 22 has them as a property, and later ones by a method, which TypeScript does not know yet. */
function zonesIn(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`);
  const method: unknown = Reflect.get(locale, 'getTimeZones');
  const zones: unknown =
    typeof method === 'function' ? Reflect.apply(method, locale, []) : Reflect.get(locale, 'timeZones');
  return Array.isArray(zones) ? zones.map(String) : [];
}

/** True if a zone says where somebody is. A machine in a data centre is in none. */
export const isPlace = (zone: string): boolean =>
  !/^(UTC|GMT([+-]?0)?|UCT|Zulu|Universal|Greenwich|Etc\/.*)$/i.test(zone);

/** A time zone as a person writes it, in its own spelling; an empty text stays empty. */
export function readZone(text: string): Result<string, string> {
  const written = text.trim().replaceAll(' ', '_');
  if (written === '') return ok('');
  const found = Intl.supportedValuesOf('timeZone').find(
    (zone) => zone.toLowerCase() === written.toLowerCase(),
  );
  if (found !== undefined) return ok(found);
  try {
    // An older or newer name of a zone, such as Europe/Kyiv.
    Intl.DateTimeFormat('en', { timeZone: written });
    return ok(written);
  } catch {
    return err('is not a time zone such as Europe/Berlin');
  }
}
