import { table } from '../../scripts/docs/page.ts';
import { KINDS, type Kind } from './cold-webhooks.ts';
import { spread, type Spread } from './tables.ts';

/** An isolate that is measured: the kind of webhook that it gets, and the number of sources in the set that it reads. */
export interface Case {
  readonly kind: Kind;
  readonly sources: number;
}

/** CPU of one cold isolate, in ms. */
export interface Cold extends Case {
  /** Its first webhook, with the configuration in it, and the next. */
  readonly first: number;
  readonly next: number;
  /** Its start, which Cloudflare does not count as a request's. */
  readonly start: number;
  /** Of the fixed piece of work in the same round. */
  readonly reference: number;
}

/** The CPU that a first webhook may take, in ms: the free plan gives a request this much. */
const LIMIT = 10;
/** The number of sources with which the limit holds. */
export const SOURCES = 50;
/** The other numbers, which are measured with the first kind only. */
export const FURTHER_SIZES: readonly number[] = [1, 5, 500];
/** The CPU that a set of {@link SOURCES} may take beyond a set of one, in ms. */
const BEYOND_ONE = 5;

/** The most CPU that the start of an isolate may take, in ms. */
const MOST_START = 100;

/**
 * The reference of a check: in the same process, a request that the Worker answers after a fixed piece of work (it
 * builds, writes and parses a list). `usual`: its CPU on the machine of the figures, in ms.
 */
export const REFERENCE = { path: '/reference', usual: 3.7 } as const;
/** CI's machines are never quiet. */
const TOLERANCE = 2.5;

type Figure = 'first' | 'next' | 'start';

const UNKNOWN: Spread = { median: Number.NaN, min: Number.NaN, max: Number.NaN };

function of(colds: readonly Cold[], kind: Kind, sources: number, name: Figure): Spread {
  const own = colds.filter((cold) => cold.kind === kind && cold.sources === sources);
  return spread(own.map((cold) => cold[name])) ?? UNKNOWN;
}

/** A figure with its limit. */
interface Required {
  readonly what: string;
  readonly is: Spread;
  readonly next?: Spread;
  readonly most: number;
}

const requiredOfKinds = (colds: readonly Cold[], most: number): readonly Required[] =>
  KINDS.map((kind) => {
    const [is, next] = [of(colds, kind, SOURCES, 'first'), of(colds, kind, SOURCES, 'next')];
    return { what: `first webhook: ${kind}`, is, next, most };
  });

function beyondOne(colds: readonly Cold[]): Required {
  const [kind] = KINDS;
  const more = of(colds, kind, SOURCES, 'first').median - of(colds, kind, 1, 'first').median;
  const is = { median: more, min: more, max: more };
  return { what: `${SOURCES} sources beyond one`, is, most: BEYOND_ONE };
}

const starts = (colds: readonly Cold[]): Required => ({
  what: 'start of an isolate, not part of a request',
  is: spread(colds.map(({ start }) => start)) ?? UNKNOWN,
  most: MOST_START,
});

/** Less than a request that is only answered, by chance, is nothing. */
const ms = (value: number): string => Math.max(0, value).toFixed(1);
const cell = ({ median, min, max }: Spread): string =>
  min === max ? ms(median) : `${ms(median)} (${ms(min)}–${ms(max)})`;

/** A row for each; a figure that is not known misses its limit. `scale`: of the last figures. */
function judged(
  head: readonly string[],
  required: readonly Required[],
  cells: (one: Required) => readonly string[],
  scale = 1,
): Verdict {
  const isMet = ({ is, most }: Required): boolean => is.median <= most;
  const rows = required.map((one) => [
    one.what,
    cell(one.is),
    ...cells(one),
    `≤ ${ms(one.most * scale)}`,
    isMet(one) ? 'met' : '**missed**',
  ]);
  const missed = required.filter((one) => !isMet(one)).length;
  return { text: table(['', ...head, ''], rows), missed };
}

/** Text for people, and the number of limits that it misses. */
interface Verdict {
  readonly text: string;
  readonly missed: number;
}

/** The page's section. `setKib`: the size of the first kind's set of N sources. */
export function coldSection(
  colds: readonly Cold[],
  about: { readonly rounds: number; readonly machine: string; setKib(sources: number): number },
): Verdict {
  const [kind] = KINDS;
  const required = [...requiredOfKinds(colds, LIMIT), beyondOne(colds), starts(colds)];
  const verdict = judged(['CPU, ms', 'next webhook, ms', 'required'], required, ({ next }) => [
    next === undefined ? '' : cell(next),
  ]);
  const sizes = [SOURCES, ...FURTHER_SIZES].toSorted((a, b) => a - b);
  const rows = sizes.map((sources) => [
    String(sources),
    String(about.setKib(sources)),
    ...(['first', 'next'] as const).map((name) => cell(of(colds, kind, sources, name))),
  ]);
  const text = [
    `CPU of a cold isolate, median of ${about.rounds} isolates (least–most), ${about.machine}.`,
    `With ${SOURCES} sources:`,
    verdict.text,
    `${kind}, by the number of sources:`,
    table(['sources', 'set, KiB', 'first webhook, ms', 'next webhook, ms'], rows),
  ].join('\n\n');
  return { text, missed: verdict.missed };
}

/** The result of a check of the kinds: each as measured, and as it would be on the machine of the figures. */
export function checkVerdict(colds: readonly Cold[]): Verdict {
  const reference = spread(colds.map((cold) => cold.reference))?.median ?? Number.NaN;
  const scale = REFERENCE.usual / reference;
  const verdict = judged(
    ['CPU here, ms', 'scaled to that machine', 'allowed there'],
    requiredOfKinds(colds, (LIMIT * TOLERANCE) / scale),
    ({ is }) => [ms(is.median * scale)],
    scale,
  );
  const said = `The fixed piece of work takes ${ms(reference)} ms of CPU here, ${ms(REFERENCE.usual)} ms on the machine of the figures.`;
  return { text: `${said}\n\n${verdict.text}`, missed: verdict.missed };
}
