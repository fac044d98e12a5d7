/** The completions at a place of a Liquid text. `from`: the start of the current word. */
export type AtCursor =
  | { readonly is: 'tag' | 'filter'; readonly from: number }
  | {
      readonly is: 'path';
      readonly from: number;
      /** The steps before the word: `payload`, `lines`, 0. Empty: a name is to be typed. */
      readonly holder: readonly (string | number)[];
    };

/** Null: there is nothing to offer, e.g. in plain text or between quotes. */
export function atCursor(text: string, at: number): AtCursor | null {
  const before = text.slice(0, at);
  const inside = /\{([{%])-?(?:(?![%}]\}|\{[{%])[\s\S])*$/.exec(before);
  if (inside === null) return null;
  const [whole, open] = inside;
  const inner = whole.slice(whole[2] === '-' ? 3 : 2);
  const bare = inner.replaceAll(/"[^"]*"|'[^']*'/g, (quoted) =>
    /^["'][\w -]*["']$/.test(quoted) ? quoted : ' '.repeat(quoted.length),
  );
  if (isQuoted(inner)) return null;
  const word = /[\w-]*$/.exec(inner)?.[0] ?? '';
  const from = at - word.length;
  if (open === '%' && /^\s*\w*$/.test(inner)) return { is: 'tag', from };
  if (/\|\s*\w*$/.test(bare)) return { is: 'filter', from };
  if (/^-?\d/.test(word)) return null;
  const [, path] = PATH.exec(bare) ?? [];
  if (path !== undefined) return { is: 'path', from, holder: stepsOf(path) };
  return /[.\])]$/.test(bare.slice(0, bare.length - word.length)) ? null : { is: 'path', from, holder: [] };
}

const PATH = /([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[\d+\]|\["[^"]*"\]|\['[^']*'\])*)\.[\w-]*$/;

/** The steps of a path such as `payload.lines[0]["First name"]`. */
export const stepsOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]|([A-Za-z_][\w-]*)/g)].map(
    ([, index, double, single, name]) =>
      index === undefined ? (double ?? single ?? name ?? '') : Number(index),
  );

function isQuoted(text: string): boolean {
  let quote = '';
  for (const sign of text) {
    if (quote === '') quote = sign === '"' || sign === "'" ? sign : '';
    else if (sign === quote) quote = '';
  }
  return quote !== '';
}

/** A name that the text gives before the cursor, and the path of what it stands for; null: it is computed. */
export interface Local {
  readonly name: string;
  readonly path: readonly (string | number)[] | null;
}

const LOCAL =
  /\{%-?\s*(?:for\s+([\w-]+)\s+in\s+([\w.[\]-]+)|assign\s+([\w-]+)\s*=\s*([\w.[\]-]+)\s*(\|?)|capture\s+([\w-]+))/g;

/** Names of loops, assignments and captures above the cursor. A loop's is an element of its list. */
export const localsIn = (text: string, at: number): readonly Local[] =>
  [...text.slice(0, at).matchAll(LOCAL)].map(([, each, list = '', name, value = '', pipe, captured]) => {
    if (each !== undefined) return { name: each, path: [...stepsOf(list), 0] };
    return { name: name ?? captured ?? '', path: name === undefined || pipe === '|' ? null : stepsOf(value) };
  });
