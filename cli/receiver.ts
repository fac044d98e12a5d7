import { ok } from '../src/lib/result.ts';
import { readDocumentNumber, internationalDigits } from '../src/phone/dialled.ts';
import { COUNTRIES } from '../shared/phone/countries.ts';
import type { Client } from './client.ts';
import { misused, type CommandResult } from './failure.ts';
import { configSet } from './relay/shapes.ts';

/** The digits of a number or a chat (a group’s begin with `-`): the relay knows what the account takes. */
const DIGITS = /^-?[1-9]\d{0,17}$/;

/**
 * A receiver that a person writes, as the gateway's digits: with its country code, or national in `country` (ISO 3166-1
 * alpha-2). A national number without a country is refused, with the countries of the relay's sources that it would be
 * valid in: a number is never guessed.
 */
export async function readReceiver(
  client: Client,
  to: string,
  country: string | undefined,
): Promise<CommandResult<string>> {
  if (country === undefined && DIGITS.test(to)) return ok(to);
  // The plans of all countries' numbers take a while to load.
  await import('./facts.ts');
  const { parsePhone } = await import('../src/phone/read.ts');
  if (country !== undefined && !COUNTRIES.has(country.toUpperCase()))
    return misused(`--country must be two letters such as DE, not \`${country}\``);
  const phone = parsePhone(to, { country });
  if (phone.ok) return phone;
  if (country !== undefined || internationalDigits(to.trim()) !== null)
    return misused(`--to: ${phone.error}`);
  const valid = (await countriesOf(client)).flatMap((one) => {
    const found = parsePhone(to, { country: one });
    return found.ok ? [{ country: one, digits: found.value }] : [];
  });
  const ways = valid.map(({ country: one, digits }) => `+${digits}, or add --country ${one}`);
  const how = ways.length === 0 ? '+49 151 …, or add --country DE' : ways.join('; ');
  return misused(`--to: ${to} has no country code: write ${how}`);
}

/** The options of a list, with its `--phone` as the relay stores it: its digits, with the country code. */
export function withDigits<Options extends { readonly phone?: string }>(
  options: Options,
): CommandResult<Options> {
  if (options.phone === undefined || DIGITS.test(options.phone)) return ok(options);
  const phone = readDocumentNumber(options.phone);
  return phone.ok ? ok({ ...options, phone: phone.value }) : misused(`--phone: ${phone.error}`);
}

/** The countries that the relay's sources name; none where they cannot be read. */
async function countriesOf(client: Client): Promise<readonly string[]> {
  const config = await client.get('/config', configSet);
  if (!config.ok) return [];
  const countries = Object.values(config.value.data.sources).flatMap((source) =>
    typeof source === 'object' && source !== null && 'country' in source ? [String(source.country)] : [],
  );
  return [...new Set(countries)];
}
