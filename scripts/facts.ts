import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import examples from 'libphonenumber-js/examples.mobile';
import { getExampleNumber, isSupportedCountry } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max';
import icons from 'simple-icons/icons.json' with { type: 'json' };
import { parse, parseDocument } from 'yaml';
import { readProvider, type ProviderParts } from '../src/config/documents/provider-file.ts';
import { parseOwnJson } from '../src/lib/json.ts';
import { MAKERS } from '../src/gateway/makers/makers.ts';
import { ifStale } from './files.ts';

const ROOT = dirname(import.meta.dirname);

/** The file that `src/config/compiled/facts.ts` and `cli/facts.ts` read. It is not in git: this script makes it. */
const FACTS_FILE = 'assets/facts.json';

/** Indexes of a country's properties that are only for displaying a number. So are all after `LAST`. */
const FORMATS = 4;
const PREFIX_FORMAT = 6;
const LAST = 11;
/** The library asks this one only when it displays a number. Here it is what {@link bareLength} returns. */
const PREFIX_IS_OPTIONAL = 9;

/** The text of that file: a `FactsFile` of `src/config/compiled/facts.ts`. */
export function factsText(): string {
  const { version, country_calling_codes, countries, nonGeographic } = metadata;
  const plans = {
    version,
    country_calling_codes,
    countries: textsOf(plansOf(countries)),
    nonGeographic: plansOf(nonGeographic),
  };
  const facts = {
    plans,
    providers: textsOf(Object.fromEntries(PROVIDERS.map(([id, { provider }]) => [id, provider]))),
    makers: textsOf(Object.fromEntries(MAKERS.map(makerFacts))),
    partials: textsOf(partials()),
  };
  return `${inAscii(JSON.stringify(facts))}\n`;
}

/** Without what is only for people. */
const makerFacts = ({ id, name, baseUrl, options, rate, shape }: (typeof MAKERS)[number]) =>
  [id, { id, name, baseUrl, options, rate, shape }] as const;

/**
 * The same JSON in ASCII: a single other character would double the memory of the whole text, and a cold isolate's first
 * webhook would take a millisecond longer to parse it.
 */
const inAscii = (json: string): string =>
  json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Every provider that hookbell ships, with its id: those that lists show first, then the others by their ids. */
const PROVIDERS = readdirSync(join(ROOT, 'providers'))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => [file.slice(0, -'.yaml'.length), readProviderFile(file)] as const)
  .toSorted(([a, { provider: one }], [b, { provider: other }]) => {
    const [first, second] = [one.popular ?? Infinity, other.popular ?? Infinity];
    return first === second ? (a < b ? -1 : 1) : first - second;
  });

function readProviderFile(file: string): ProviderParts {
  const document = parseDocument(readFileSync(join(ROOT, 'providers', file), 'utf8'));
  const [wrong] = document.errors;
  if (wrong !== undefined) throw new Error(`providers/${file}: ${wrong.message}`);
  const provider = readProvider(file.slice(0, -'.yaml'.length), document.toJS());
  if (provider.ok) return provider.value;
  throw new Error(
    `providers/${file}\n${provider.error.map(({ path, message }) => `  ${path}: ${message}`).join('\n')}`,
  );
}

/** The file of a partial: `providers/partials/{name}.yaml`. */
interface PartialFile {
  readonly about: string;
  readonly params: Readonly<Record<string, { readonly about: string; readonly default: string }>>;
  readonly text: string;
  readonly words: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly element?: string;
  readonly grouped?: true;
}

const PARTIALS = join(ROOT, 'providers/partials');

export const partialFiles = (): Readonly<Record<string, PartialFile>> =>
  Object.fromEntries(
    readdirSync(PARTIALS).map((file) => [
      file.replace('.yaml', ''),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test compiles each
      parse(readFileSync(join(PARTIALS, file), 'utf8')) as PartialFile,
    ]),
  );

const partials = (): object =>
  Object.fromEntries(
    Object.entries(partialFiles()).map(([name, { params, text, words, element, grouped }]) => {
      const defaults = Object.entries(params).map(([param, one]) => [param, one.default] as const);
      return [name, { text, words, element, grouped, params: Object.fromEntries(defaults) }];
    }),
  );

const textsOf = (values: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => [name, JSON.stringify(value)]),
  );

/**
 * The library's metadata of all kinds of numbers, without the formats for display: messages go to digits. `countries` is an `object`
 * because the library's types do not say that each country is a list.
 */
const plansOf = (countries: object | undefined): object =>
  Object.fromEntries(
    Object.entries(countries ?? {}).map(([name, places]: [string, unknown]) => {
      if (!Array.isArray(places)) throw new Error(`${name} has another form`);
      return [
        name,
        places.slice(0, LAST + 1).map((value: unknown, place) => {
          if (place === PREFIX_IS_OPTIONAL) return bareLength(name);
          return place === FORMATS || place === PREFIX_FORMAT ? 0 : value;
        }),
      ];
    }),
  );

/** The digits of a mobile number that the library displays without a trunk prefix; 0 if it displays it with one. */
function bareLength(country: string): number {
  const example = isSupportedCountry(country) ? getExampleNumber(country, examples) : undefined;
  const shown = example?.formatNational().replaceAll(/\D/g, '') ?? '';
  return shown === example?.nationalNumber ? shown.length : 0;
}

function routeWordsText(language: string): string {
  const words = parseOwnJson<object>(
    readFileSync(join(ROOT, `console/texts/route-words/${language}.json`), 'utf8'),
  );
  const providers: Record<string, unknown> = {};
  for (const [id, { starter }] of PROVIDERS)
    providers[id] = language === 'en' ? starter.sentences : starter.languages?.[language]?.sentences;
  return JSON.stringify({ ...words, providers });
}

/** Drawings with a licence of their own ask for more than the library does: those senders have a letter. */
const COLOURS = new Map(icons.filter((icon) => !('license' in icon)).map(({ slug, hex }) => [slug, hex]));

/** The text of `assets/marks.json`: a `Marks` of `console/parts/mark.tsx`. */
const marksText = (): string =>
  `{\n${PROVIDERS.flatMap(([id, { starter }]) => markOf(id, starter.mark ?? id)).join(',\n')}\n}\n`;

/** The line of a sender; none if the library does not have its mark. */
function markOf(id: string, name: string): readonly string[] {
  const colour = COLOURS.get(name);
  if (colour === undefined) return [];
  const drawing = readFileSync(join(ROOT, `node_modules/simple-icons/icons/${name}.svg`), 'utf8');
  const [, path] = / d="([^"]+)"/.exec(drawing) ?? [];
  return path === undefined
    ? []
    : [`${JSON.stringify(id)}: ${JSON.stringify([`#${colour}`, inkOn(colour), path])}`];
}

/** White, or black on a colour too light for white. */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map(
    (at) => (Number.parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.4 ? '#000' : '#fff';
}

/** Writes what a relay, the command line and the console read of `providers/*.yaml`, of gateways and of phone numbers. */
function writeAll(): void {
  for (const language of ['en', 'de']) put(`assets/route-words/${language}.json`, routeWordsText(language));
  put('assets/marks.json', marksText());
  const starters = PROVIDERS.map(([id, { starter }]) => [`${id}.json`, starter] as const);
  for (const [file, starter] of starters) put(`assets/providers/${file}`, JSON.stringify(starter));
  const known = new Set<string>(starters.map(([file]) => file));
  for (const file of readdirSync(join(ROOT, 'assets/providers')))
    if (!known.has(file)) rmSync(join(ROOT, 'assets/providers', file));
  put(FACTS_FILE, factsText());
}

function put(file: string, text: string): void {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  writeFileSync(join(ROOT, file), text);
}

const SOURCES = [
  'providers/**/*.yaml',
  'console/texts/route-words/*.json',
  'scripts/facts.ts',
  'src/{provider,config,signature,gateway,phone,template,schema}/**/*.ts',
  'package-lock.json',
];

export const writeFacts = (): Promise<void> =>
  ifStale(ROOT, { made: FACTS_FILE, sources: SOURCES }, writeAll);

if (process.argv[1] === import.meta.filename) await writeFacts();
