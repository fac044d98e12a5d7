import { truncateTo } from '../lib/text.ts';
import type { Locale } from './basics/locale.ts';
import type { Scope } from './basics/scope.ts';
import { renderText, type CompiledText } from './text.ts';

/** The maximum length of a line in a list. UTF-16 units. */
export const MAX_LINE = 120;

/** Enough for a line of that length behind a lot of white space; the rest is not examined. UTF-16 units. */
const MAX_RENDERED = 1_024;

/** Line breaks, white space, and characters that have no width or change the direction of the text after them. */
const GAPS = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** The joiner, without which some emoji and some scripts fall apart. */
const JOINER = '\u200d';

/** Returns a text on one line, short, without control characters. Null if it is empty, or cannot be rendered. */
export function lineOf(text: CompiledText, scope: Scope, locale: Locale): string | null {
  const rendered = renderText(text, scope, locale);
  if (!rendered.ok) return null;
  const line = rendered.value
    .slice(0, MAX_RENDERED)
    .toWellFormed()
    .replaceAll(GAPS, (gap) => (gap === JOINER ? gap : ' '))
    .trim();
  return line === '' ? null : truncateTo(line, MAX_LINE);
}
