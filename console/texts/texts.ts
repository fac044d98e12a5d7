import { de } from './de.ts';
import { en, type Texts } from './en.ts';

/** A language is a file with the keys of `en.ts`, and a line here. */
const LANGUAGES: Readonly<Record<string, Texts>> = { en, de };

export const LANGUAGE_NAMES: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch' };

const STORED = 'hookbell.language';

/** The one that the person chose here, else the first of the browser's that there is. */
function choose(): string {
  const wanted = [localStorage.getItem(STORED) ?? '', ...navigator.languages];
  return wanted.map((one) => one.slice(0, 2).toLowerCase()).find((one) => one in LANGUAGES) ?? 'en';
}

export const language = choose();

/** The format of times and numbers: the language as in the person's country, `en-GB`. */
export const locale = navigator.languages.find((one) => one.toLowerCase().startsWith(language)) ?? language;

export const t: Texts = LANGUAGES[language] ?? en;

/** Words and formats are fixed when the console starts, so it starts again. */
export function setLanguage(wanted: string): void {
  localStorage.setItem(STORED, wanted);
  location.reload();
}
