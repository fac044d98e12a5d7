import { createCache } from '../../lib/cache.ts';
import { err, ok, type Result } from '../../lib/result.ts';
import { glimpse } from '../basics/print.ts';
import { readNumber } from './phone-library.ts';

/**
 * Country codes that ITU-T gives to services and not to countries (E.164, list of assigned country codes), and whose
 * prices the operators set as they like. Not 800 (free for the caller), nor 808 (shared cost).
 */
const OF_NO_COUNTRY: Readonly<Record<string, string>> = {
  870: 'a satellite number',
  878: 'an international personal number',
  881: 'a satellite number',
  882: 'a number of an international network',
  883: 'a number of an international network',
  979: 'an international premium-rate number',
};

/** Length of the codes above. */
const CODE_LENGTH = 3;

/**
 * Returns the digits (the gateway's), unless they are a premium-rate or satellite number, or one of an international
 * service. The error says what they are and how an open source allows them, with at most four characters.
 */
export function notPremium(digits: string): Result<string, string> {
  const what = known(digits, () => kindOf(digits));
  if (what === null) return ok(digits);
  const { name, country } = what;
  const listed = country === undefined ? '' : `, or list ${country} in its \`countries\``;
  return err(
    `${glimpse(`+${digits}`)} is ${name}, and anybody can post to this source: to allow such numbers, set \`premium: true\` on the source${listed}`,
  );
}

interface NumberKind {
  readonly name: string;
  /** Undefined if it belongs to none. */
  readonly country?: string | undefined;
}

const known = createCache<NumberKind | null>(1_024);

function kindOf(digits: string): NumberKind | null {
  const code = digits.slice(0, CODE_LENGTH);
  const service = OF_NO_COUNTRY[code];
  if (service !== undefined) return { name: `${service} (+${code})` };
  const number = readNumber(digits);
  if (number?.getType() !== 'PREMIUM_RATE') return null;
  const { country, countryCallingCode } = number;
  return { name: `a premium-rate number of ${country ?? `+${countryCallingCode}`}`, country };
}
