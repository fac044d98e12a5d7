import { countCharacters, TemplateFailure, type Spend } from '../basics/budget.ts';

/** A run between white space at which standard Liquid divides words. A blank that does not break is not such. */
const WORDS = /[^\0\t-\r ]+/g;

const wordsOf = (text: string): string[] => text.match(WORDS) ?? [];

/** Nothing divides after each character; an emoji is one. */
const partsOf = (text: string, separator: string): string[] =>
  separator === '' ? Array.from(text) : text.split(separator);

/** Without empty parts at the end. One space divides at any white space. */
export function split([text, separator]: readonly [string, string, ...string[]]): string[] {
  if (separator === ' ') return wordsOf(text);
  const parts = partsOf(text, separator);
  return parts.slice(0, parts.findLastIndex((part) => part !== '') + 1);
}

/** Returns at most so many words of a text, but at least one, and then an ending if there are more. */
export function truncateWords(text: string, length = 15, end: string): string {
  const words = wordsOf(text);
  const kept = Math.max(length, 1);
  return words.length > kept ? words.slice(0, kept).join(' ') + end : text;
}

/** Returns at most so many characters of a text, with an ending if there are more. */
export function truncate(text: string, length = 50, end: string): string {
  if (text.length <= length || after(text, 0, length) >= text.length) return text;
  return text.slice(0, after(text, 0, Math.max(length - Array.from(end).length, 0))) + end;
}

/** Returns the place after so many characters of a text: an emoji is one, though it takes two places. */
function after(text: string, from: number, count: number): number {
  let place = from;
  for (let left = count; left > 0 && place < text.length; left -= 1)
    place += (text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1;
  return place;
}

/** Returns so many elements of a list, or characters of a text, from a place on. Those below 0 count from the end. */
export function slice(whole: string | unknown[], place: number, length: number, spend: Spend): unknown {
  const count = place >= 0 ? 0 : typeof whole === 'string' ? countCharacters(whole, spend) : whole.length;
  const from = count + place;
  if (from < 0 || length < 0) return whole.slice(0, 0);
  if (typeof whole !== 'string') return whole.slice(from, from + length);
  const begin = after(whole, 0, from);
  return whole.slice(begin, after(whole, begin, length));
}

export type Replace = (text: string, wanted: string, by: string, spend: Spend) => string;

export const replaceAll: Replace = function replaceEach(text, wanted, by, spend) {
  const parts = partsOf(text, wanted);
  // Paid before it is made.
  spend(parts.length * by.length);
  return parts.join(by);
};

export const replaceFirst: Replace = (text, wanted, by) => text.replace(wanted, () => by);

export const replaceLast: Replace = function replaceBehind(text, wanted, by) {
  const place = text.lastIndexOf(wanted);
  return place < 0 ? text : text.slice(0, place) + by + text.slice(place + wanted.length);
};

const ENTITIES = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }),
);

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ENTITIES.get(sign) ?? sign);

/** Entities stay as they are. */
export const escapeOnce = (text: string): string =>
  text.replaceAll(/[<>"']|&(?![a-z]+;|#\d+;)/gi, (sign) => ENTITIES.get(sign) ?? sign);

/** What a tag may begin with, and what then ends it. */
const HTML = [
  ['<script', '</script>'],
  ['<style', '</style>'],
  ['<!--', '-->'],
  ['<', '>'],
] as const;

/** Removes HTML. One that has no end stays. Not by a regex, which would look for the end again from each beginning. */
export function stripHtml(text: string): string {
  const tags = HTML.map(([begin, end]) => ({ begin, end, last: text.lastIndexOf(end) }));
  let kept = '';
  let from = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', from)) {
    const tag = tags.find(({ begin, last }) => text.startsWith(begin, at) && last >= at + begin.length);
    if (tag === undefined) break;
    kept += text.slice(from, at);
    from = text.indexOf(tag.end, at + tag.begin.length) + tag.end.length;
  }
  return kept + text.slice(from);
}

export const encodeUrl = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** A `%` that begins no byte stays as it is. */
export const decodeUrl = (text: string): string =>
  text.replaceAll('+', ' ').replaceAll(/(?:%[\da-f]{2})+/gi, decodeURIComponent);

export const encodeBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

export function decodeBase64(encoded: string): string {
  const text = new TextDecoder().decode(Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0)));
  if (text.includes('\ufffd')) throw new TemplateFailure('base64_decode: the bytes are no text in UTF-8');
  return text;
}
