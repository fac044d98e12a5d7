import { describe, expect, it } from 'vitest';
import { hasTexts, languageOf, likelyLocale } from '../../../shared/new-source/locale.ts';
import { COUNTRIES } from '../../../shared/phone/countries.ts';

const likely = (country: string, lang?: string) => likelyLocale(country, lang, {});

/** The part that a date begins with. */
const first = (locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(0)[0]?.type;

describe('the likely language', () => {
  it.each([
    ['DE', undefined, 'de-DE'],
    ['AT', 'en_US.UTF-8', 'de-AT'],
    ['US', undefined, 'en-US'],
    ['GB', undefined, 'en-GB'],
    ['', undefined, 'en'],
    ['', 'de_AT.UTF-8', 'de-AT'],
    ['', 'de', 'de'],
  ])('in %j, with the system in %j, is %s', (country, lang, expected) => {
    expect(likely(country, lang)).toBe(expected);
  });

  it.each([
    ['FR', undefined, 'en-FR'],
    ['ES', 'es_ES.UTF-8', 'en-ES'],
    ['JP', undefined, 'en-JP'],
    ['', 'fr_FR.UTF-8', 'en-FR'],
    ['', 'fr', 'en'],
  ])(
    'is English with the formats of the country where starters have no texts: %j, %j',
    (country, lang, expected) => {
      expect(likely(country, lang)).toBe(expected);
    },
  );

  it('is the country’s own once starters have texts in it', () => {
    expect(likelyLocale('FR', undefined, {}, ['en', 'de', 'fr'])).toBe('fr-FR');
  });

  it('is that of earlier sources of the country', () => {
    const earlier = { country: 'FR', locale: 'fr-FR' };
    expect(likelyLocale('FR', undefined, earlier)).toBe('fr-FR');
    expect(likelyLocale('DE', undefined, earlier)).toBe('de-DE');
  });

  it('has texts in each country, and writes no month first where people write the day first', () => {
    for (const country of COUNTRIES) {
      const locale = likely(country);
      expect(hasTexts(locale, ['en', 'de']), country).toBe(true);
      const own = `${languageOf(country)}-${country}`;
      const isKnown = Intl.DateTimeFormat.supportedLocalesOf(own).length > 0;
      if (isKnown && first(own) === 'day') expect(first(locale), country).not.toBe('month');
    }
  });
});
