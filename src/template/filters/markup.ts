/** The entities that shops and form builders write; others are rare. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['bdquo', '„'],
  ['euro', '€'],
]);

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi;

const MAX_CODE_POINT = 0x10_ff_ff;

/** Half a character. Two entities in a row may be the halves of one. */
const HALF = /[\ud800-\udfff]/gu;

/**
 * Returns a text with its HTML entities replaced by their characters, once: `&amp;lt;` becomes `&lt;`. Half a character
 * is left out.
 */
export const unescapeHtml = (text: string): string =>
  text
    .replaceAll(
      ENTITY,
      (entity: string, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
        if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? entity;
        const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
        return code > MAX_CODE_POINT ? entity : String.fromCodePoint(code);
      },
    )
    .replaceAll(HALF, '');

/** `{color:red}`, `{code}` and the like surround a text, and are not part of it. */
const MACRO = /\{(?:color|code|noformat|quote|panel)(?::[^{}\n]{0,200})?\}/gi;
/** `[~ada]` or `[~accountid:5b10…]`: only the former names the person. */
const MENTION = /\[~(accountid:)?([^[\]\s]{1,200})\]/g;
/** `!screenshot.png|thumbnail!` */
const IMAGE = /!([^!|\s]{1,200}\.[a-z\d]{2,5})(?:\|[^!\n]{0,200})?!/gi;
/** `[text|https://…]`, followed by `|smart-link` if the text repeats the link. */
const LINK = /\[(?:([^[\]|\n]{1,500})\|)?(https?:\/\/[^[\]|\s]{1,2000})(?:\|[^[\]|\n]{0,200})?\]/g;
const HEADING = /^[ \t]{0,8}h[1-6]\.[ \t]{1,8}/gim;

/** Returns the words of a text in Jira's wiki markup. Chat formatting is left to `plain`. */
export const wikiText = (text: string): string =>
  text
    .replaceAll(MACRO, '')
    .replaceAll(MENTION, (_, id: string | undefined, name: string) => (id === undefined ? `@${name}` : '@…'))
    .replaceAll(IMAGE, '[$1]')
    .replaceAll(LINK, (_, words: string | undefined, url: string) =>
      words === undefined || words === url ? url : `${words} (${url})`,
    )
    .replaceAll(HEADING, '');
