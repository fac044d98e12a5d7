import type { VisitorRule } from '../../config/compiled/form-rules.ts';
import { truncateTo } from '../../lib/text.ts';
import type { RenderedSends } from '../../render/fallback.ts';
import type { SendParams } from '../../render/links.ts';
import type { Scope } from '../../template/basics/scope.ts';
import { hasLink } from '../../template/filters/chat.ts';

/** Longer than nearly every name, and too short for a message (in characters as people count them). */
const MAX_NAME = 40;

/** An accent that somebody typed for an apostrophe: `O´Neill`. */
const APOSTROPHE = /(?<=\p{L})[´`](?=\p{L})/gu;

/** Invisible characters, the frames of keycaps, and the signs of chat formatting. */
const NO_PART_OF_A_NAME = /[^\P{C}\t-\r]|[\p{Me}\p{DI}*_~`]/gu;

/**
 * The parts of addresses: `@`, a scheme or path, and a dot (UTS #46) before what may be the end of a host. Both have two
 * letters or more, so `s/o`, `K:son` and initials such as `J.R.R.` are none.
 */
const ADDRESS = /@|[\p{L}\p{N}]{2}[:/]\S|\S[.\u3002](?=[\p{N}\p{M}\p{S}]|\p{L}\p{M}{0,9}[\p{L}\p{N}\p{S}])/u;

/** Four numerals in a row. Chinese ones alone are letters, and single ones are parts of names. */
const NUMERALS = /[\p{N}零一二三四五六七八九壹壱贰貳弐叁參参肆伍陆陸柒捌玖幺]{4}/u;

/**
 * The scope of a message to a visitor's number. Of the form, it has only names: on one line, and short. Anybody can have
 * such a message sent to anybody, so a name that may be a link or a number to call is left out whole. It is judged as it
 * will be shown: what is taken out of a name before could put the rest together.
 */
export function visitorScope(scope: Scope, { names }: VisitorRule): Scope {
  const fields = new Map<string, unknown>(Object.entries(scope.payload ?? {}));
  const written = names.flatMap((name): [string, string][] => {
    const value = fields.get(name);
    return typeof value === 'string' ? [[name, normalized(value)]] : [];
  });
  const letters = written.map(([, text]) => text.replaceAll(/[^\p{L}\p{N}]/gu, '')).join('');
  const isNumber = (letters.match(/\p{N}/gu)?.length ?? 0) > 3 || NUMERALS.test(letters);
  const shown = isNumber ? [] : written.filter(([, text]) => text !== '' && !ADDRESS.test(text));
  return {
    ...scope,
    payload: Object.fromEntries(shown.map(([name, text]) => [name, truncateTo(text, MAX_NAME)])),
    event: { ...scope.event, dedupe_key: null, type: null },
    headers: {},
    query: {},
  };
}

/** Matches what NFKC does not spoil: it takes letters of these scripts apart that people write as one. */
const COMPATIBLE = /[^\p{sc=Armn}\p{sc=Hang}\p{sc=Laoo}\p{sc=Thai}]+/gu;

const normalized = (name: string): string =>
  name
    .replaceAll(APOSTROPHE, '’')
    .replaceAll(COMPATIBLE, (part) => part.normalize('NFKC'))
    .replaceAll(NO_PART_OF_A_NAME, '')
    .normalize()
    .replaceAll(/\s+/g, ' ')
    .trim();

/** True if a message to a visitor contains a link after all, made of a name and the text around it. */
export const linksVisitor = (sets: readonly Readonly<Record<string, string>>[]): boolean =>
  sets.some((params) => Object.values(params).some(hasLink));

/** Matches the blanks and commas before a name that is not there. */
const GAP = /[ ,]{1,9}(?=[,.!?])/g;

const withoutGap = (params: SendParams): SendParams =>
  Object.fromEntries(Object.entries(params).map(([key, text]) => [key, text.replaceAll(GAP, '')]));

/** Closes the gap that a name leaves where it is left out: `Hello , thank you`. */
export function withoutGaps(made: RenderedSends, { payload }: Scope, { names }: VisitorRule): RenderedSends {
  if (Object.keys(payload ?? {}).length === names.length) return made;
  const fallback = made.fallback.map((step) => ({ ...step, params: withoutGap(step.params) }));
  return { ...made, sets: made.sets.map(withoutGap), fallback };
}
