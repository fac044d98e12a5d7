/** True if a locale's language is German, in which we have texts, too. */
export const isGerman = (locale: string): boolean => /^de\b/i.test(locale);
