import { isPlace, zonesOf } from '../../shared/new-source/zone.ts';

/** The zones to choose from, those of the country first. Where a country is known and a zone chosen, UTC is not offered. */
export function zoneOptions(country: string, chosen: string): readonly (readonly [string, string])[] {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const places = Intl.supportedValuesOf('timeZone').filter(isPlace);
  const all = new Set([chosen, ...zonesOf(country, own), ...places]);
  all.delete('');
  const zones = [...all].map((zone) => [zone, zone.replaceAll('_', ' ')] as const);
  return country !== '' && chosen !== '' ? zones : [['', 'UTC'], ...zones];
}
