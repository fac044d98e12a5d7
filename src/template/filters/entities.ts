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

/** A text with its HTML entities as the characters that they stand for, once: `&amp;lt;` becomes `&lt;`. */
export const unescapeHtml = (text: string): string =>
  text.replaceAll(
    ENTITY,
    (entity: string, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > MAX_CODE_POINT ? entity : String.fromCodePoint(code).toWellFormed();
    },
  );
