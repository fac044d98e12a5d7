import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../../../e2e/random.ts';

/** The alerts of one service that share a webhook. Times are minutes after noon of the first day. */
interface Fired {
  readonly at: number;
  readonly place: Place;
  readonly alert: string;
  readonly instances: readonly string[];
}

interface Place {
  readonly env: string;
  readonly cluster: string;
  readonly service: string;
}

interface Line {
  readonly at: number;
  readonly text: string;
}

/** Noon in Berlin on the day before the clocks go back; fixed date: the night is replayed with a clock of its own. */
const NOON = Date.UTC(2026, 9, 24, 10);
const SECOND = 1 / 60;
const HOUR = 60;
/** In minutes after that noon: 02:00 of the summer, which is one hour before 02:00 of the winter; midnight is at 720. */
const at = (clock: string, isLater = false): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  const isNextDay = hours < 12;
  const isWinter = isNextDay && (hours > 2 || (hours === 2 && isLater));
  return (hours - 12 + (isNextDay ? 24 : 0) + (isWinter ? 1 : 0)) * HOUR + minutes;
};

const lines: Line[] = [];
const random = seeded(25);

const say = (when: number, status: string, { place, alert }: Fired, instances: readonly string[]): void => {
  const { env, cluster, service } = place;
  lines.push({ at: when, text: [status, env, cluster, service, alert, instances.join(',')].join(' ') });
};

/** Fires, is repeated each `every` minutes while it is open, and ends in as many parts as times are given. */
function problem(fired: Fired, every: number, ...ends: readonly number[]): void {
  let left = fired.instances;
  say(fired.at, 'firing', fired, left);
  let next = fired.at + every;
  for (const [index, end] of ends.entries()) {
    for (; next < end; next += every) say(next, 'firing', fired, left);
    const parts = ends.length - index;
    const gone = left.slice(0, Math.ceil(left.length / parts));
    say(end, 'resolved', fired, gone);
    left = left.slice(gone.length);
  }
}

const named = (name: string, count: number, from = 1): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${from + index}`);
const prod = (service: string, cluster = 'eu-2'): Place => ({ env: 'prod', cluster, service });

// The day: one thing after the other, each heard of every five minutes.
const DAYTIME = ['mail', 'search', 'images', 'billing', 'login'];
for (let when = at('12:10'); when < at('21:00'); when += random.between(20, 50)) {
  const service = DAYTIME[random.between(0, DAYTIME.length - 1)] ?? '';
  const instance = `${service}-${random.between(1, 9)}`;
  const fired = { at: when, place: prod(service), alert: 'HighLatency', instances: [instance] };
  problem(fired, 5, when + random.between(2, 40));
}

// 18:10: the shop's storm, forty in two minutes, which end in three parts.
const storm = { at: at('18:10'), place: prod('shop'), alert: 'Errors', instances: named('shop', 40) };
for (const [index, instance] of storm.instances.entries())
  say(storm.at + index * 3 * SECOND, 'firing', storm, [instance]);
for (const [part, clock] of (['18:19', '18:26', '18:31'] as const).entries())
  for (const [index, instance] of storm.instances.slice(part * 14, part * 14 + 14).entries())
    say(at(clock) + index * SECOND, 'resolved', storm, [instance]);

// 20:00: a disk that is full and is not, twelve times.
for (let round = 0; round < 12; round += 1) {
  const disk = { at: at('20:00') + round * 6, place: prod('db'), alert: 'DiskFull', instances: ['db-2'] };
  problem(disk, 5, disk.at + 3);
}

// 21:50: reported before the quiet hours, and over in them.
problem(
  { at: at('21:50'), place: prod('mail'), alert: 'QueueGrows', instances: named('mail', 3) },
  5,
  at('22:40'),
);
// 22:30: begins in Ada's quiet hours and lasts until late in the morning.
problem(
  { at: at('22:30'), place: prod('backup'), alert: 'BackupFailed', instances: ['backup-1'] },
  10,
  at('09:30'),
);
// 23:30: begins and ends while both sleep.
problem(
  { at: at('23:30'), place: prod('shop'), alert: 'Errors', instances: named('shop', 12) },
  5,
  at('23:40'),
  at('00:10'),
);

// 01:40: a cluster is down until 02:50 of the winter, and everything in it cries. Some of it stays.
const eu1 = { env: 'prod', cluster: 'eu-1', service: 'cluster' };
problem({ at: at('01:40'), place: eu1, alert: 'ClusterDown', instances: ['eu-1'] }, 5, at('02:50', true));
for (let n = 0; n < 25; n += 1) {
  const service = `svc-${String(n % 5)}`;
  const instances = named(service, 2, 1 + 2 * n);
  const fired = {
    at: at('01:41') + n * 10 * SECOND,
    place: prod(service, 'eu-1'),
    alert: 'Unreachable',
    instances,
  };
  if (n === 24) problem(fired, 5, at('03:20'));
  else problem(fired, 8, at('02:48', true) + n * 4 * SECOND);
}

// Sunday, 02:00 to 04:00: maintenance of staging. One machine does not come back.
for (let n = 0; n < 12; n += 1) {
  const place = { env: 'staging', cluster: 'eu-3', service: 'staging' };
  const fired = { at: at('02:05') + n, place, alert: 'InstanceDown', instances: [`staging-${n}`] };
  problem(fired, 10, n === 5 ? at('05:10') : at('02:30', true) + n);
}

// 02:30, twice: one that fires in the summer's hour and ends in the winter's, at the same time of the clock.
problem(
  { at: at('02:30'), place: prod('cron'), alert: 'JobLate', instances: ['cron-1'] },
  10,
  at('02:30', true),
);

// 04:30: fifteen services at once, each by itself, more than a throttle lets through.
for (let n = 0; n < 15; n += 1) {
  const fired = {
    at: at('04:30') + n * 20 * SECOND,
    place: prod(`api-${n}`),
    alert: 'Errors',
    instances: [`api-${n}`],
  };
  problem(fired, 10, at('05:00') + n);
}

// The morning.
for (let when = at('07:20'); when < at('11:30'); when += random.between(25, 60)) {
  const service = DAYTIME[random.between(0, DAYTIME.length - 1)] ?? '';
  const instance = `${service}-${random.between(1, 9)}`;
  const fired = { at: when, place: prod(service), alert: 'HighLatency', instances: [instance] };
  problem(fired, 5, when + random.between(2, 25));
}

const text = lines
  .toSorted((one, other) => one.at - other.at)
  .map(
    (line) =>
      `${new Date(NOON + Math.round(line.at * HOUR) * 1_000).toISOString().slice(0, 19)}Z ${line.text}\n`,
  )
  .join('');
writeFileSync(join(import.meta.dirname, 'events.txt'), text);
