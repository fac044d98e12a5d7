/** True if the language of a locale is German. Built-in texts exist in English and German. */
export const isGerman = (locale: string): boolean => /^de\b/i.test(locale);
