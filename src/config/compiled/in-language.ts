import type { Locale } from '../../template/basics/locale.ts';

/** Returns a source, or the rules of one, in the language of an event (BCP 47); unchanged if the event has none. */
export const inLanguage = <Some extends { readonly locale: Locale }>(
  some: Some,
  locale: string | null | undefined,
): Some => (locale ? { ...some, locale: { ...some.locale, locale } } : some);
