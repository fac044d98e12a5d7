import { withoutControls } from '../../lib/text.ts';

/**
 * Chat formatting: `*bold*`, `_italic_`, `~strike~`, and three backticks around fixed width. A sign opens if no word
 * character precedes it and no blank follows; it closes the other way round.
 */

/**
 * A word joiner: invisible and without width. On both sides of a sign it disables the sign, however a chat reads the
 * joiner: as part of a word (then the outer side is not a boundary) or as blank (then the inner side is).
 */
const JOINER = '\u2060';

/**
 * Links and e-mail addresses, which must arrive as they are. Chats do not format inside them. A match starts only at
 * the start of a word: starting at each letter would cost 64 steps a character.
 */
const LINK =
  /(?<![a-z0-9])(?:https?:\/\/|www\.)[^\s<>"]+|(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi;

/** The characters that start a quote or a list at the beginning of a line. */
const LINE_START = /^([ \t]*)(?=(?:[>*-]|\d{1,9}[.)])[ \t])/gm;

const FENCE = '```';

// Line by line, since chat formatting ends with the line.
export const bold = (text: string): string => wrapLines(text, '*');
export const italic = (text: string): string => wrapLines(text, '_');
export const strike = (text: string): string => wrapLines(text, '~');

/** Returns text in fixed width. This is the only formatting that spans lines. */
export function mono(text: string): string {
  if (text.trim() === '') return text;
  return FENCE + text.replace(/`/g, `\`${JOINER}`) + FENCE;
}

/** Returns text whose signs format nothing, without control characters. Links and e-mail addresses are not changed. */
export function plain(text: string): string {
  return outsideLinks(withoutControls(text), (part) => part.replace(/[*_~`]+/g, stopActive)).replace(
    LINE_START,
    `$1${JOINER}`,
  );
}

/** Matches a line without its outer blanks. */
const CONTENT = /\S(?:[^\r\n]*\S)?/g;

function wrapLines(text: string, sign: string): string {
  const inner = new RegExp(`\\${sign}+`, 'g');
  return outsideLinks(text, (part) => part.replace(inner, stop)).replace(CONTENT, `${sign}$&${sign}`);
}

/** A sign inside a word (`snake_case`, `2*3`) is not active, except a backtick, as far as the script has words. */
function stopActive(signs: string, offset: number, part: string): string {
  const inWord = isWordPart(part[offset - 1]) && isWordPart(part[offset + signs.length]);
  return inWord && !signs.includes('`') ? signs : stop(signs);
}

const isWordPart = (character = ''): boolean => /[a-z0-9]/i.test(character);

const stop = (signs: string): string => JOINER + signs.split('').join(JOINER) + JOINER;

function outsideLinks(text: string, change: (part: string) => string): string {
  const links = text.match(LINK) ?? [];
  const parts = text.split(LINK);
  return parts.map((part, at) => change(part) + (links[at] ?? '')).join('');
}

/** The entities that shops, form builders and mails in HTML write; others are rare. */
const SIGNS = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', euro: '€', hellip: '…' };
const MARKS = { ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bdquo: '„' };
const LATIN = { szlig: 'ß', pound: '£', copy: '©', reg: '®', deg: '°', middot: '·', laquo: '«', raquo: '»' };
const NAMED: Readonly<Record<string, string>> = { ...SIGNS, ...MARKS, ...LATIN };

/** The marks that entities such as `Uuml` name behind a letter. */
const ACCENTS = { grave: 768, acute: 769, circ: 770, tilde: 771, uml: 776, ring: 778, cedil: 807 };

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi;

/** Half a character. Two entities in a row may be the halves of one. */
const HALF = /[\ud800-\udfff]/gu;

/** Replaces entities once: `&amp;lt;` becomes `&lt;`. Half a character is left out. */
export const unescapeHtml = (text: string): string =>
  text
    .replaceAll(ENTITY, (entity: string, decimal?: string, hex?: string, name?: string) => {
      const accent = Object.entries(ACCENTS).find(([of]) => name?.slice(1) === of);
      if (name && accent) return (name.charAt(0) + String.fromCharCode(accent[1])).normalize('NFC');
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0x10_ff_ff ? entity : String.fromCodePoint(code);
    })
    .replaceAll(HALF, '');

/** `{color:red}`, `{code}` and the like surround a text, and are not part of it. */
const MACRO = /\{(?:color|code|noformat|quote|panel)(?::[^{}\n]{0,200})?\}/gi;
/** `[~ada]` or `[~accountid:5b10…]`: only the former names the person. */
const MENTION = /\[~(accountid:)?([^[\]\s]{1,200})\]/g;
/** `!screenshot.png|thumbnail!` */
const IMAGE = /!([^!|\s]{1,200}\.[a-z\d]{2,5})(?:\|[^!\n]{0,200})?!/gi;
/** `[text|https://…]`, followed by `|smart-link` if the text repeats the link. */
const WIKI_LINK = /\[(?:([^[\]|\n]{1,500})\|)?(https?:\/\/[^[\]|\s]{1,2000})(?:\|[^[\]|\n]{0,200})?\]/g;
const HEADING = /^[ \t]{0,8}h[1-6]\.[ \t]{1,8}/gim;

export const wikiText = (text: string): string =>
  text
    .replaceAll(MACRO, '')
    .replaceAll(MENTION, (_, id: string | undefined, name: string) => (id === undefined ? `@${name}` : '@…'))
    .replaceAll(IMAGE, '[$1]')
    .replaceAll(WIKI_LINK, (_, words: string | undefined, url: string) =>
      words === undefined || words === url ? url : `${words} (${url})`,
    )
    .replaceAll(HEADING, '');

/** A web address: everything that a chat would turn into a link, to its end. */
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"]*/gi;
/**
 * Includes what browsers read as a dot, and what contains one once it is normalized (UTS #46, NFKC). Before the dot, a
 * host may have any letter, mark, symbol or invisible character.
 */
const INNER_DOT =
  /(?<=[\w-]|[^\s\p{ASCII}])[.\u3002\uff0e\uff61\u2024-\u2026\u2488-\u249b\u33c2\u33c7\u33d8\ufe19\ufe30\ufe52\u{1f100}](?=[\p{L}\p{N}\p{M}\p{S}\p{Cf}])/gu;

const HOST = /[\p{L}\p{N}]\.\p{L}{2,}/u;

export const hasLink = (text: string): boolean => text.search(ADDRESS) >= 0 || text.search(HOST) >= 0;

/**
 * Returns a text without tappable links, for the name of a stranger: web addresses are removed, and a dot inside a word
 * gets a blank after it. `Dr.Who` remains readable, and no host remains, also after filters that remove control characters.
 */
export const withoutLinks = (text: string): string =>
  withoutControls(text).replace(ADDRESS, '').replaceAll('://', ' ').replace(INNER_DOT, '$& ');
