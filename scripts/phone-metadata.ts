import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import metadata from 'libphonenumber-js/metadata.max';
import { both, either, joined, NOTHING, readPattern, type State, without } from './digit-patterns.ts';
import { writeTrees } from './number-trees.ts';
import { packTrees } from './pack-trees.ts';

const TARGET = join(dirname(import.meta.dirname), 'src/template/filters/phone-metadata.json');

/** The places of a country's properties in the library's metadata. */
const CODE = 0;
const PREFIX_ABROAD = 1;
const PATTERN = 2;
const LENGTHS = 3;
const NATIONAL_PREFIX = 5;
const PREFIX_PATTERN = 7;
const PREFIX_RULE = 8;
const FIRST_DIGITS = 10;
const KINDS = 11;

/** Metadata as arrays of whatever the library needs, by country. */
type Places = Readonly<Record<string, readonly unknown[]>>;

interface Metadata {
  readonly version: number;
  readonly countries: Places;
  readonly nonGeographic: Places;
  readonly country_calling_codes: Readonly<Record<string, readonly string[]>>;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library's types know countries, not places
const library = metadata as unknown as Metadata;

/** The numbering plans in texts: what `phone-library.ts` unpacks. */
export interface Plans {
  /** Calling codes with their countries. */
  readonly codes: string;
  /** Of all countries, with blanks between them. */
  readonly columns: readonly string[];
  /** Of all countries, one for each group of lengths. */
  readonly trees: readonly string[];
}

/**
 * The library's metadata without what hookbell does not use, in a form that compresses well.
 *
 * - Messages go to plain digits, so number formats and whatever else is for people are left out: a quarter of the whole.
 * - Only validity matters, not the kind of a number: the kinds become one, which is written as trees of digits. These
 *   have the right answer for the numbers that they are asked for, and any answer for others.
 * - Countries are written by column, those with numbers of one length next to each other, so that similar data is
 *   adjacent.
 */
export function numberingPlans(): Plans {
  const codes = Object.entries(library.country_calling_codes)
    .filter(([, [first = '']]) => first in library.countries)
    .toSorted(([, one], [, other]) => {
      const [a, b] = [lengthsOfMain(one), lengthsOfMain(other)];
      return Number(a > b) - Number(a < b);
    });
  const named = [
    ...codes.flatMap(([, names]) => names.map((name) => [name, library.countries[name] ?? []] as const)),
    ...Object.entries(library.nonGeographic),
  ];
  const columnOf = (place: number): readonly unknown[] => named.map(([, places]) => places[place] || '');
  const trees = named.map(([name, places]) => treesOf(name, places));
  const columns = [
    columnOf(PREFIX_ABROAD),
    named.map(([, places]) => withoutMarks(patternOf(places))),
    named.map(([, places]) =>
      lengthsOf(places)
        .map((length) => length.toString(36))
        .join(''),
    ),
    named.map(([, places]) => places[PREFIX_PATTERN] || places[NATIONAL_PREFIX] || ''),
    columnOf(PREFIX_RULE),
    columnOf(FIRST_DIGITS),
    trees.map(([groups]) => groups.join('/')),
  ].map((column) => column.join(' '));
  return {
    codes: [
      ...codes.map(([code, names]) => code + names.join('')),
      ...Object.keys(library.nonGeographic),
    ].join(' '),
    columns: columns.map((column) => column.replaceAll(String.raw`\d`, 'd')),
    trees: trees.flatMap(([, ofCountry]) => ofCountry),
  };
}

/** `phone-metadata.json`: the plans, with the trees packed. */
export const phoneMetadata = ({ codes, columns, trees }: Plans): string =>
  `${JSON.stringify({ version: library.version, codes, columns, count: trees.length, trees: packTrees(trees) })}\n`;

const lengthsOfMain = ([first = '']: readonly string[]): string =>
  JSON.stringify(library.countries[first]?.[LENGTHS]);

const patternOf = (places: readonly unknown[]): string => String(places[PATTERN]);

const lengthsOf = ({ [LENGTHS]: lengths }: readonly unknown[]): readonly number[] =>
  Array.isArray(lengths) ? lengths.map(Number) : [];

function treesOf(name: string, places: readonly unknown[]): ReturnType<typeof writeTrees> {
  const asked = without(read(patternOf(places)), elsewhere(name, places));
  return writeTrees(both(valid(places), asked), asked, lengthsOf(places));
}

/** The numbers that are valid in a country: of one of its kinds, and of its general pattern and lengths. */
function valid(places: readonly unknown[]): State {
  const { [KINDS]: kinds } = places;
  if (!Array.isArray(kinds)) throw new Error(`no kinds of numbers: ${String(places[CODE])}`);
  const patterns = kinds.flatMap((kind: unknown) =>
    Array.isArray(kind) && kind[0] ? [String(kind[0])] : [],
  );
  const lengths = lengthsOf(places).map((length) => readPattern(`d{${length}}`));
  return both(both(union(patterns.map(read)), union(lengths)), read(patternOf(places)));
}

/**
 * The numbers that are never asked for as those of this country, since the library takes another one of the same code:
 * the first in which they are valid, or which has their first digits if it is told by these.
 */
function elsewhere(name: string, places: readonly unknown[]): State {
  const names = library.country_calling_codes[String(places[CODE])] ?? [];
  const own = names.indexOf(name);
  const taken = (before: readonly string[]): State =>
    union(
      before.map((other) => {
        const { [other]: its = [] } = library.countries;
        const { [FIRST_DIGITS]: first } = its;
        return typeof first === 'string' ? joined(read(first), readPattern('d{0,17}')) : valid(its);
      }),
    );
  const first = taken(names.slice(0, Math.max(own, 0)));
  // Whether a number is valid here is how the library finds out that it is not of one of the countries that follow.
  if (own < 0 || !places[FIRST_DIGITS]) return first;
  return either(first, without(taken(names.slice(own + 1)), taken([name])));
}

const union = (all: readonly State[]): State => all.reduce(either, NOTHING);

const read = (pattern: string): State => readPattern(withoutMarks(pattern).replaceAll(String.raw`\d`, 'd'));

/** Nothing reads the groups of a pattern, so they need not be non-capturing. */
const withoutMarks = (pattern: string): string => pattern.replaceAll('(?:', '(');

/** `npm run phone-metadata`: run it when the library changes. */
if (process.argv[1] === import.meta.filename) writeFileSync(TARGET, phoneMetadata(numberingPlans()));
