import type { Locale } from '../template/basics/locale.ts';
import { sinceLine, wordsFor } from './built-in-text.ts';

/** The number of incidents above the bound. */
export interface BeyondContent {
  readonly source: string;
  /** The minimum number of items that were only counted. */
  readonly count: number;
  /** ISO 8601. */
  readonly since: string;
}

/** Returns the text of a summary of incidents that are not kept one by one, in the source's language. */
export function beyondText({ source, count, since }: BeyondContent, locale: Locale): string {
  const words = wordsFor(locale);
  const [before, why] = words.beyond;
  return [...sinceLine(since, words, locale), `${source}: ${before} ${count} ${words.more[1]}`, why].join(
    '\n',
  );
}
