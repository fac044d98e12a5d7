import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Texts by their paths in the project, with `/` in between. */
export type Files = ReadonlyMap<string, string>;

/** A fixed date in a test file that uses a real clock. */
interface FixedDate {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** The test that has both, and the file by which it reads the real clock. */
  readonly test: string;
  readonly clock: string;
}

/** The mark in a comment on the line or above it, with the reason why this date meets no clock. */
const REASON = 'fixed date:';

/** A date, or an instant in s or ms since the epoch. */
const DATES = [
  /\bDate\.UTC\(\s*(19|20)\d\d\b/,
  /\bnew Date\(\s*(19|20)\d\d\b/,
  /\b(19|20)\d\d-(0\d|1[0-2])-([0-2]\d|3[01])(?!\d)/,
  /(?<![\w.-])1_?[4-9](_?\d){8}((_?\d){3})?(?!\w)/,
];

/**
 * The objects of the platform, a relay in its own process, and project code that does not take `now` as an argument.
 */
const CLOCKS = [
  /^import (?!type\b).*'cloudflare:(workers|test)'/m,
  /^} from 'cloudflare:(workers|test)'/m,
  /\binject\('relayUrl'\)/,
  /\bstartRelay\(/,
  /\bstartRuntime\(/,
];
const OWN_CLOCK = /\bDate\.now\b|\bnew Date\(\)/;

const IMPORT = /(?:^(?:import|export) (?!type\b)(?:[^;']*? from )?|\bimport\()'(\.[^']+)'/gm;

/**
 * The fixed dates in tests that reach code which reads the real clock, and in the helpers of such tests: some day the date
 * is too far from the clock. `exempt` are paths that may have them.
 */
export function fixedDates(files: Files, exempt: ReadonlySet<string> = new Set()): readonly FixedDate[] {
  const found = new Map<string, FixedDate>();
  // A helper is reached from many tests.
  const read = new Map([...files].map(([path, text]) => [path, readFile(path, text, files)]));
  for (const test of files.keys()) {
    if (!test.endsWith('.test.ts')) continue;
    const reached = reachedFrom(test, read);
    const clock = reached.find((path) => read.get(path)?.readsClock === true);
    if (clock === undefined) continue;
    for (const path of reached) {
      if (!path.startsWith('test/') || exempt.has(path)) continue;
      for (const { line, text } of read.get(path)?.dates ?? [])
        found.set(`${path}:${line}`, found.get(`${path}:${line}`) ?? { path, line, text, test, clock });
    }
  }
  return [...found.values()];
}

const readsClock = (path: string, text: string): boolean =>
  CLOCKS.some((clock) => clock.test(text)) || (!path.startsWith('test/') && OWN_CLOCK.test(text));

/** A file, as far as dates and clocks go. */
interface ReadFile {
  readonly imports: readonly string[];
  readonly readsClock: boolean;
  readonly dates: readonly { readonly line: number; readonly text: string }[];
}

const readFile = (path: string, text: string, files: Files): ReadFile => ({
  imports: [...text.matchAll(IMPORT)]
    .map(([, target = '']) => posix.join(posix.dirname(path), target))
    .filter((imported) => files.has(imported)),
  readsClock: readsClock(path, text),
  dates: path.startsWith('test/') ? datesIn(text) : [],
});

/** The file and all that it imports, directly or not. */
function reachedFrom(start: string, files: ReadonlyMap<string, ReadFile>): readonly string[] {
  const reached = new Set([start]);
  for (const path of reached) for (const imported of files.get(path)?.imports ?? []) reached.add(imported);
  return [...reached];
}

function datesIn(text: string): ReadFile['dates'] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const isReasoned = [line, lines[index - 1] ?? ''].some((one) => one.includes(REASON));
    const isDated = !/^\s*(\/\/|\*|\/\*)/.test(line) && DATES.some((date) => date.test(line));
    return isDated && !isReasoned ? [{ line: index + 1, text: line.trim() }] : [];
  });
}

/** The project's tests, and the code that they import. */
export function projectFiles(root: string): Files {
  const files = new Map<string, string>();
  for (const folder of ['test', 'src', 'simulator', 'cli', 'scripts'])
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = posix.join(folder, name.replaceAll('\\', '/'));
      if (path.endsWith('.ts')) files.set(path, readFileSync(join(root, path), 'utf8'));
    }
  return files;
}
