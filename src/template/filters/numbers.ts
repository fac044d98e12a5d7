import { err, ok } from '../../lib/result.ts';
import type { Result } from '../../lib/result.ts';
import { createCache } from '../../lib/cache.ts';
import { readDecimal } from '../basics/decimal.ts';
import { glimpse } from '../basics/print.ts';

/** As many as Intl shows by default. */
const DEFAULT_FRACTION_DIGITS = 3;
const MAX_FRACTION_DIGITS = 20;

const formatters = createCache<Intl.NumberFormat>(64);

/** A number in a locale's format, with up to three fraction digits, or with exactly `digits` (0 to 20). */
export function formatNumber(value: unknown, digits: unknown, locale: string): Result<string, string> {
  const number = readDecimal(value);
  if (!number.ok) return number;
  const exact = digits ?? -1;
  const isCount =
    typeof exact === 'number' && Number.isInteger(exact) && exact >= -1 && exact <= MAX_FRACTION_DIGITS;
  if (!isCount)
    return err(`fraction digits must be a whole number up to ${MAX_FRACTION_DIGITS}, not ${glimpse(digits)}`);
  return ok(formatterOf(locale, exact).format(number.value));
}

function formatterOf(locale: string, exact: number): Intl.NumberFormat {
  return formatters(`${locale} ${exact}`, () => {
    if (exact < 0) return new Intl.NumberFormat(locale, { maximumFractionDigits: DEFAULT_FRACTION_DIGITS });
    return new Intl.NumberFormat(locale, { minimumFractionDigits: exact, maximumFractionDigits: exact });
  });
}
