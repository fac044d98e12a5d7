import { createCache } from '../../lib/cache.ts';
import { MINUTE } from '../../lib/duration.ts';
import { offsetAt } from '../../lib/zone-offset.ts';
import { isZone } from '../basics/zones.ts';

/**
 * liquidjs' `date` makes two formatters of the platform to find a zone's offset, and one for each name of a month or a
 * day: some 200 µs each. Conversions that cached formatters can do are replaced before liquidjs is called.
 */

/** The arguments for liquidjs' `date`, and their cost in units of about 10 ns; see limits.ts. */
interface DateCall {
  readonly format: unknown;
  /** An IANA zone, or minutes west of UTC. */
  readonly zone: unknown;
  readonly price: number;
}

/** The cost of making a formatter. */
const FORMATTER = 20_000;
/** The cost of using a cached one. */
const FORMATTING = 2_000;
const CONVERSION = 20;
/** The cost of a name by a cached formatter, or of a zone's offset. */
const LOOKED_UP = 500;
/** The conversions as liquidjs parses them. */
const CONVERSIONS = /%([-_0^#:]+)?(\d+)?([EO])?(.)/g;

const NAMES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  a: { weekday: 'short' },
  A: { weekday: 'long' },
  b: { month: 'short' },
  B: { month: 'long' },
  h: { month: 'short' },
};
/** Conversions that stand for several, which liquidjs does not have. */
const COMPOSED: ReadonlyMap<string | undefined, string> = new Map([
  ['D', '%m/%d/%y'],
  ['F', '%Y-%m-%d'],
  ['R', '%H:%M'],
  ['r', '%I:%M:%S %p'],
  ['T', '%H:%M:%S'],
]);
/** Conversions for which the platform keeps a formatter. */
const KEPT = new Set(['c', 'x', 'X']);

/** Before 1900, zones had offsets in seconds, and distant years print differently. */
const EARLIEST = Date.UTC(1900, 0);
const LATEST = Date.UTC(2200, 0);

/** Prepares a call for a time in ms. `locale`: BCP 47. */
export function prepareDate(ms: number, format: unknown, zone: unknown, locale: string): DateCall {
  if (typeof format !== 'string') return { format, zone, price: 4 * FORMATTER };
  const isKept = typeof zone === 'string' && ms >= EARLIEST && ms < LATEST && isZone(zone);
  let price = isKept ? LOOKED_UP : 2 * FORMATTER;
  let asksForName = false;
  const simple = format.replace(CONVERSIONS, (whole, ...parts: string[]) => COMPOSED.get(parts[3]) ?? whole);
  const filled = simple.replace(CONVERSIONS, (whole: string, ...parts: (string | undefined)[]) => {
    const [flags, width, , conversion = ''] = parts;
    price += CONVERSION;
    if (conversion === 'Z') asksForName = true;
    if (KEPT.has(conversion)) price += FORMATTING;
    const options = NAMES[conversion];
    if (options === undefined) return whole;
    price += LOOKED_UP;
    if (isKept && flags === undefined && width === undefined)
      return nameOf(ms, locale, zone, options).replaceAll('%', '%%');
    price += FORMATTER;
    return whole;
  });
  // `%Z` is the zone's name, which an offset does not have.
  if (asksForName || !isKept) return { format: filled, zone, price: price + 2 * FORMATTER };
  return { format: filled, zone: -offsetAt(zone, ms) / MINUTE, price };
}

const formatters = createCache<Intl.DateTimeFormat>(64);
function nameOf(ms: number, locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const make = () => new Intl.DateTimeFormat(locale, { ...options, timeZone });
  return formatters(`${locale} ${timeZone} ${JSON.stringify(options)}`, make).format(ms);
}
