import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { seedNumber, UsageError } from './seed-text.ts';

/** The options of `npm run simulate`. */
export interface Options {
  readonly seeds: number;
  readonly first: number;
  readonly hours: number;
  /** One seed only. */
  readonly seed: number | null;
  readonly isTrace: boolean;
  readonly isFaulty: boolean;
  readonly jobs: number;
  /** Goes on with further seeds for so long, instead of `seeds`. */
  readonly minutes: number | null;
  /** Runs all seeds, and reports each that fails. */
  readonly isGoingOn: boolean;
}

const MAX_JOBS = 64;

/** Reads the command line and `SIMULATE_MINUTES`; throws {@link UsageError}. */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Options {
  const given = parse(args);
  const minutes = env['SIMULATE_MINUTES'];
  return {
    seeds: wholeNumber('--seeds', given.seeds ?? '100', 1_000_000_000),
    first: wholeNumber('--first', given.first ?? '1', 999_999_999),
    hours: positive('--hours', given.hours ?? '24'),
    seed: given.seed === undefined ? null : seedNumber(given.seed),
    isTrace: given.trace ?? false,
    isFaulty: !(given['no-faults'] ?? false),
    jobs: wholeNumber('--jobs', given.jobs ?? String(Math.min(2, availableParallelism())), MAX_JOBS),
    minutes: minutes === undefined || minutes === '' ? null : positive('SIMULATE_MINUTES', minutes),
    isGoingOn: given['go-on'] ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seeds: { type: 'string' },
        first: { type: 'string' },
        hours: { type: 'string' },
        seed: { type: 'string' },
        jobs: { type: 'string' },
        trace: { type: 'boolean' },
        'no-faults': { type: 'boolean' },
        'go-on': { type: 'boolean' },
      },
    }).values;
  } catch (thrown) {
    const [reason = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('. ');
    throw new UsageError(
      `${reason}; there are --seeds, --first, --hours, --seed, --trace, --no-faults, --jobs and --go-on`,
    );
  }
}

function wholeNumber(name: string, text: string, max: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 1 && number <= max) return number;
  throw new UsageError(`${name} takes a whole number from 1 to ${max}, not \`${text}\``);
}

function positive(name: string, text: string): number {
  const number = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (number > 0) return number;
  throw new UsageError(`${name} takes a number above 0, not \`${text}\``);
}
