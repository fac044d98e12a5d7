import { table } from '../../scripts/page-section.ts';
import { KINDS, type Kind } from './cold-webhooks.ts';
import { spread, type Spread } from './results.ts';

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
}

/** The CPU that a first webhook may take, in ms: the free plan gives a request this much. */
const LIMIT = 10;
/** The number of sources with which the limit holds. */
export const SOURCES = 50;
/** The other numbers, which are measured with the first kind only. */
export const FURTHER_SIZES: readonly number[] = [1, 5, 500];
/** The CPU that a set of {@link SOURCES} may take beyond a set of one, in ms. */
const BEYOND_ONE = 5;

/** CI's machines are slower than the one of the figures, and never quiet. */
const TOLERANCE = 2;
/** The CPU of a start on the machine of the figures, in ms, and the most that it may be. */
const START = { usual: 85, most: 100 } as const;

/**
 * The limit of a check, on a machine whose starts take this long (ms). A start is work of the same kind: code that runs
 * for the first time. A faster start does not lower it.
 */
export const checkLimit = (start: number): number => LIMIT * TOLERANCE * Math.max(1, start / START.usual);

type Figure = 'first' | 'next' | 'start';

const UNKNOWN: Spread = { median: Number.NaN, min: Number.NaN, max: Number.NaN };

function figure(colds: readonly Cold[], { kind, sources }: Case, name: Figure): Spread {
  const own = colds.filter((cold) => cold.kind === kind && cold.sources === sources);
  return spread(own.map((cold) => cold[name])) ?? UNKNOWN;
}

/** A figure with its limit. */
interface Required {
  readonly what: string;
  readonly is: Spread;
  readonly next: Spread | null;
  readonly most: number;
}

const requiredOfKinds = (colds: readonly Cold[], most: number): readonly Required[] =>
  KINDS.map((kind) => {
    const one = { kind, sources: SOURCES };
    return {
      what: `first webhook: ${kind}`,
      is: figure(colds, one, 'first'),
      next: figure(colds, one, 'next'),
      most,
    };
  });

function beyondOne(colds: readonly Cold[]): Required {
  const [kind] = KINDS;
  const [many, one] = [SOURCES, 1].map((sources) => figure(colds, { kind, sources }, 'first').median);
  const more = (many ?? Number.NaN) - (one ?? Number.NaN);
  const is = { median: more, min: more, max: more };
  return { what: `${SOURCES} sources beyond one`, is, next: null, most: BEYOND_ONE };
}

const starts = (colds: readonly Cold[]): Required => ({
  what: 'start of an isolate, not part of a request',
  is: spread(colds.map(({ start }) => start)) ?? UNKNOWN,
  next: null,
  most: START.most,
});

/** A figure that is not known misses its limit. */
const isMet = ({ is, most }: Required): boolean => is.median <= most;

/** Less than a request that is only answered, by chance, is nothing. */
const ms = (value: number): string => Math.max(0, value).toFixed(1);
const cell = ({ median, min, max }: Spread): string =>
  min === max ? ms(median) : `${ms(median)} (${ms(min)}–${ms(max)})`;

const requiredTable = (rows: readonly Required[]): string =>
  table(
    ['', 'CPU, ms', 'next webhook, ms', 'required', ''],
    rows.map((row) => [
      row.what,
      cell(row.is),
      row.next === null ? '' : cell(row.next),
      `≤ ${ms(row.most)}`,
      isMet(row) ? 'met' : '**missed**',
    ]),
  );

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
  const sizes = [SOURCES, ...FURTHER_SIZES].toSorted((a, b) => a - b);
  const rows = sizes.map((sources) => [
    String(sources),
    String(about.setKib(sources)),
    ...(['first', 'next'] as const).map((name) => cell(figure(colds, { kind, sources }, name))),
  ]);
  const text = [
    `CPU of a cold isolate, median of ${about.rounds} isolates (least–most), ${about.machine}.`,
    `With ${SOURCES} sources:`,
    requiredTable(required),
    `${kind}, by the number of sources:`,
    table(['sources', 'set, KiB', 'first webhook, ms', 'next webhook, ms'], rows),
  ].join('\n\n');
  return { text, missed: required.filter((one) => !isMet(one)).length };
}

/** The result of a check of the kinds. */
export function checkVerdict(colds: readonly Cold[]): Verdict {
  const start = starts(colds).is.median;
  const required = requiredOfKinds(colds, checkLimit(start));
  const lines = required.map((one) => `${one.what}: ${cell(one.is)} ms${isMet(one) ? '' : ': too much'}`);
  const limit = `at most ${ms(checkLimit(start))} ms, on a machine whose isolates start in ${start.toFixed(0)} ms`;
  return { text: [...lines, limit].join('\n'), missed: required.filter((one) => !isMet(one)).length };
}
