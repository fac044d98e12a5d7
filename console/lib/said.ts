/** Sentences with `{}` for what differs, in two languages; `{=}` is a quote, which stays as it is. */
export type SaidPairs = readonly (readonly [english: string, other: string])[];

export interface SaidWords {
  readonly pairs: SaidPairs;
  /** Nouns of counts, by their English singular. */
  readonly counted: Readonly<Record<string, readonly [one: string, several: string]>>;
  /** Names of places before a word, such as `header X-Signature`. */
  readonly places: Readonly<Record<string, string>>;
}

const COUNT = /^(\d+) ([a-z ]+?)s?$/;
const PLACE = /^([a-z ]+) (\S+)$/;
/** Sentences whose translations are kept: a page shows the same ones, and their parts, again and again. */
const KEPT = 500;
const GAP = /\{=?\}/;

/**
 * Makes a translator of the relay's own sentences. It gives null for what it does not know: a gateway's words, or a
 * sentence of a newer relay.
 */
export function translator({ pairs, counted, places }: SaidWords): (text: string) => string | null {
  const known = pairs
    .map(([english, other]) => ({
      fixed: english.split(GAP),
      other: other.split(GAP),
      // Between backticks is somebody's name for something.
      isQuote: [...other.matchAll(/(`?)\{(=?)\}(`?)/g)].map(
        ([, before, sign, after]) => sign === '=' || (before === '`' && after === '`'),
      ),
      // An addition to a sentence is taken off first.
      rank: /^\{\}[;.]/.test(english) ? Infinity : english.length,
    }))
    .toSorted((a, b) => b.rank - a.rank);
  const found = new Map<string, string | null>();
  const simple = (text: string): string | null => {
    const [, n = '', noun = ''] = COUNT.exec(text) ?? [];
    const words = Object.hasOwn(counted, noun) ? counted[noun] : undefined;
    if (words !== undefined) return `${n} ${n === '1' ? words[0] : words[1]}`;
    const [, place = '', name = ''] = PLACE.exec(text) ?? [];
    return Object.hasOwn(places, place) ? `${places[place]} ${name}` : null;
  };
  const translate = (text: string): string | null => {
    const before = found.get(text);
    if (before !== undefined) return before;
    const now = translateNew(text);
    if (found.size >= KEPT) found.clear();
    found.set(text, now);
    return now;
  };
  const translateNew = (text: string): string | null => {
    for (const { fixed, other, isQuote } of known) {
      let first: readonly string[] | null = null;
      let best: readonly string[] | null = null;
      for (const parts of splits(text, fixed)) {
        first ??= parts;
        // Where a sentence can be split in several ways, all parts of the right one are known. No name has a backtick.
        if (
          parts.some((one, at) =>
            isQuote[at] === true ? one.includes('`') : one.includes(' ') && translate(one) === null,
          )
        )
          continue;
        best = parts;
        break;
      }
      const parts = best ?? first;
      if (parts === null) continue;
      return other
        .map((words, at) => {
          const part = parts[at - 1] ?? '';
          return (isQuote[at - 1] === true ? part : (translate(part) ?? part)) + words;
        })
        .join('');
    }
    return simple(text) ?? ofFilter(text);
  };
  /** A mistake in a value, after the name of the filter that it is given to. */
  const ofFilter = (text: string): string | null => {
    const [, filter, why = ''] = /^([a-z_\d]+): (.+)$/.exec(text) ?? [];
    const other = filter === undefined ? null : translate(why);
    return other === null ? null : `${filter}: ${other}`;
  };
  return translate;
}

/** The ways to read a text as parts between fixed ones. */
function* splits(text: string, fixed: readonly string[]): Generator<readonly string[]> {
  const [first = '', next, ...others] = fixed;
  if (!text.startsWith(first)) return;
  const rest = text.slice(first.length);
  if (next === undefined) {
    if (rest === '') yield [];
    return;
  }
  const isLast = others.length === 0;
  for (
    let at = isLast ? rest.length - next.length : rest.indexOf(next, 1);
    at > 0;
    at = rest.indexOf(next, at + 1)
  ) {
    for (const parts of splits(rest.slice(at), [next, ...others])) yield [rest.slice(0, at), ...parts];
    if (isLast) return;
  }
}
