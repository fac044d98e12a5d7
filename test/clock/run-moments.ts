import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MOMENTS, offsetOf } from './moments.ts';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** A run of the tests: the value of `TEST_CLOCK`, and the machine's zone and locale. */
interface Round {
  readonly clock: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A day ahead of UTC by 14 hours, and a locale without a language. */
const ELSEWHERE = { TZ: 'Pacific/Kiritimati', LANG: 'C', LC_ALL: 'C' };
const BERLIN = { TZ: 'Europe/Berlin' };

const ROUNDS: readonly Round[] = [
  { clock: '+1d', env: {} },
  { clock: '+400d', env: {} },
  { clock: 'month-end', env: {} },
  { clock: 'spring-change', env: BERLIN },
  { clock: 'autumn-change', env: BERLIN },
  { clock: '', env: ELSEWHERE },
];

/** Date, zone and locale together, for the files that depend on them: about a minute. */
const REDUCED: Round = { clock: 'far-month-end', env: ELSEWHERE };
/** Beginnings of their paths. */
const REDUCED_FILES = [
  'test/clock',
  'test/admin/auth/access',
  'test/admin/messages/events',
  'test/admin/config/pair',
  'test/registry/kv-copy',
  'test/registry/registry',
  'test/registry/schedule',
  'test/ingest/accept',
  'test/integration/heartbeat',
  'test/integration/metrics',
  'test/integration/pairing',
  'test/integration/retention',
  'test/integration/trip',
  'test/integration/verification',
  'test/metrics/stats',
  'test/outbox/alarms',
  'test/outbox/counters',
  'test/outbox/delivery',
  'test/outbox/outbox',
  'test/outbox/storage',
  'test/simulator/call-log',
  'test/template/filters/dates',
];
const REDUCED_PROJECTS = ['--project=rules', '--project=trip', '--project=api'];

const USAGE = `npx node test/clock/run-moments.ts [--reduced | MOMENT …] [vitest's own arguments …]

Runs the tests at other moments, zones and locales. A moment is an offset (+400d) or one of ${Object.keys(MOMENTS).join(', ')};
without one it is each of ${ROUNDS.map(nameOf).join('; ')}.
`;

function nameOf({ clock, env }: Round): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [...(clock === '' ? [] : [`TEST_CLOCK=${clock}`]), ...variables].join(' ');
}

/** Returns true if all tests passed. */
function run(round: Round, args: readonly string[]): boolean {
  process.stdout.write(`\n== ${nameOf(round)}\n`);
  const { status } = spawnSync(process.execPath, [VITEST, 'run', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...round.env, TEST_CLOCK: round.clock },
  });
  return status === 0;
}

function isMoment(text: string): boolean {
  try {
    offsetOf(text, Date.now());
    return true;
  } catch {
    return false;
  }
}

function main(args: readonly string[]): number {
  if (args.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const rest = args.filter((arg) => arg !== '--reduced' && !isMoment(arg));
  const named = args
    .filter(isMoment)
    .map((clock) => ROUNDS.find((one) => one.clock === clock) ?? { clock, env: {} });
  const isReduced = args.includes('--reduced');
  const rounds = isReduced ? [REDUCED] : named.length > 0 ? named : ROUNDS;
  const vitestArgs = isReduced ? [...REDUCED_PROJECTS, ...REDUCED_FILES, ...rest] : rest;
  const failed = rounds.filter((round) => !run(round, vitestArgs));
  for (const round of failed) process.stdout.write(`failed: ${nameOf(round)}\n`);
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
