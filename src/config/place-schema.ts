import * as z from 'zod/mini';
import { notText } from '../schema/parts.ts';
import { isCountry } from '../template/filters/phone-library.ts';

export const countryCode = z.string({ error: notText }).check(
  z.refine(isCountry, {
    error: 'must be an ISO 3166 country code in capitals such as DE, or GB for the United Kingdom',
  }),
);

export const localeTag = z.string({ error: notText }).check(
  z.refine(isLocale, {
    error: 'must be a BCP 47 language tag such as de-DE, of a supported language',
  }),
);

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length === 1;
  } catch {
    return false;
  }
}
