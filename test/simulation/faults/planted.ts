import { NO_PLANTED_FAULT, type Seams } from '../platform/seams.ts';
import type { Random } from '../simulation.ts';

/** A fault that is put between the product and its platform, to see whether the simulation finds it. */
export interface PlantedFault {
  readonly name: string;
  /** What the code would have done wrong. */
  readonly note: string;
  readonly seams: (random: Random) => Partial<Seams>;
}

const HOUR_MS = 3_600_000;

/** What the platform's clock said first. */
const sinceFirst = (change: (passedMs: number) => number): Seams['clock'] => {
  let first: number | null = null;
  return (now) => {
    first ??= now;
    return Math.floor(first + change(now - first));
  };
};

/** What KV has, as if the documents had said something else. */
const reading = (from: string, to: string): Partial<Seams> => ({
  kvGet: (_key, value) => value?.replaceAll(from, to) ?? null,
});

/** Each is at a seam that does not depend on how the outbox is written. */
export const PLANTED: readonly PlantedFault[] = [
  {
    name: 'a write is lost',
    note: 'one of two hundred writes of an outbox is not made',
    seams: (random) => ({ write: (object) => !object.startsWith('Outbox') || !random.chance(0.005) }),
  },
  {
    name: 'an alarm is not set',
    note: 'one of ten alarms of an outbox is not set',
    seams: (random) => ({
      setAlarm: (object, at) => (object.startsWith('Outbox') && random.chance(0.1) ? undefined : at),
    }),
  },
  {
    name: 'alarms are set too late',
    note: 'each alarm is set twenty hours later than it should be',
    seams: () => ({ setAlarm: (_object, at) => (at === null ? null : at + 20 * HOUR_MS) }),
  },
  {
    name: 'an answer before its flush',
    note: 'a sender is answered, and a gateway called, before the writes are on disk',
    seams: () => ({ waitsForDisk: () => false }),
  },
  {
    name: 'a call recorded before it is made',
    note: 'a message counts as sent as soon as its call has begun',
    seams: () => ({ fetch: () => 'answer first' }),
  },
  {
    name: 'a call that is never made',
    note: 'one of fifty messages counts as sent without a call',
    seams: (random) => ({ fetch: () => (random.chance(0.02) ? 'lose' : 'make') }),
  },
  {
    name: 'a clock that runs fast',
    note: 'windows of an hour are over after fifty minutes',
    seams: () => ({ clock: sinceFirst((passedMs) => passedMs * 1.2) }),
  },
  {
    name: 'an hour of the wrong zone',
    note: 'what is computed from the time of day is an hour off',
    seams: () => ({ clock: (now) => now - HOUR_MS }),
  },
  {
    name: 'a window of repeats that is too short',
    note: 'a repeat is known for a second instead of three days',
    seams: () => reading('"window":"3d"', '"window":"1s"'),
  },
  {
    name: 'a limit that is off by one',
    note: 'a receiver gets one message an hour more than it should',
    seams: () => ({
      kvGet: (_key, value) =>
        value?.replaceAll(/"per_hour":(\d+)/g, (_, number: string) => `"per_hour":${Number(number) + 1}`) ??
        null,
    }),
  },
  {
    name: 'a throttle that is off by one',
    note: 'a receiver gets one notification more than its throttle allows',
    seams: () => reading('"max":4,"per"', '"max":5,"per"'),
  },
  {
    name: 'an inhibition that is not heeded',
    note: 'what another incident should hold back is sent',
    seams: () => reading('"inhibited_by":"k1"', '"inhibited_by":"none"'),
  },
  {
    name: 'an incident that does not expire',
    note: 'it stays open for a hundred times as long as it should',
    seams: () => reading('"expires":"180m"', '"expires":"18000m"'),
  },
  {
    name: 'what is uncertain is tried again',
    note: '`on_uncertain: hold` is not heeded',
    seams: () => reading('"on_uncertain":"hold"', '"on_uncertain":"retry"'),
  },
  {
    name: 'a version that is stale',
    note: 'a place keeps the first configuration that it has read',
    seams: () => {
      const first = new Map<string, string>();
      return {
        kvGet: (key, value) => {
          if (value !== null && !first.has(key)) first.set(key, value);
          return first.get(key) ?? null;
        },
      };
    },
  },
];

/** The seams with a planted fault; null: as they are. Throws if there is none of this name. */
export function seamsWith(name: string | null): (random: Random) => Seams {
  if (name === null) return () => NO_PLANTED_FAULT;
  const fault = PLANTED.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no planted fault is called ${name}`);
  return (random) => ({ ...NO_PLANTED_FAULT, ...fault.seams(random) });
}
