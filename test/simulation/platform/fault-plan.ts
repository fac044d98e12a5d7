import { PLACES } from '../simulation.ts';
import type { Random } from '../simulation.ts';
import type { Loss } from './loss.ts';

/** The moments at which an instance can end. */
export const MOMENTS = [
  'at an await',
  'before its writes are on disk',
  'after its writes are on disk',
  'with a call under way',
] as const;

/**
 * One fault of the platform. Those with `skip` wait from `at` on for their moment, and let as many such moments pass: what happens
 * when nobody is active harms nobody. The others last until `until`.
 */
export type Fault = { readonly name: string; readonly at: number } & (
  | Each<
      'evict',
      {
        readonly object: string;
        readonly moment: (typeof MOMENTS)[number];
        readonly skip: number;
        readonly loss: Loss;
      }
    >
  | Each<
      'request lost' | 'call lost' | 'outbox’s call lost',
      { readonly when: 'before' | 'after'; readonly skip: number }
    >
  | Each<'alarm twice', { readonly skip: number }>
  | Each<'isolate lost', { readonly machine: string }>
  | Each<'deploy', object>
  | Each<
      'slow disk' | 'alarm late' | 'clock',
      { readonly until: number; readonly ms: number; readonly machine: string }
    >
  | Each<'full disk' | 'broken start' | 'overloaded', { readonly object: string; readonly until: number }>
  | Each<
      'KV behind' | 'KV read fails' | 'KV write fails',
      { readonly place: string; readonly ms: number; readonly until: number }
    >
);

/** A type for each of the kinds. */
type Each<Kind extends string, Details> = Kind extends string ? { readonly kind: Kind } & Details : never;

export type FaultKind = Fault['kind'];

/** The kinds, and the number of times that each strikes in a day, where it does at all. Most are rare; instances end all the time. */
const RATES: Readonly<Record<FaultKind, readonly number[]>> = {
  evict: [4, 15, 50],
  'request lost': [2, 10],
  'call lost': [2, 10],
  'alarm twice': [2, 10],
  'isolate lost': [1, 4],
  deploy: [1, 3],
  'slow disk': [2, 8],
  'alarm late': [2, 8],
  clock: [1, 4],
  'full disk': [1],
  'broken start': [1, 2],
  overloaded: [1, 3],
  'KV behind': [2, 8],
  'KV read fails': [1, 4],
  'KV write fails': [1, 2],
  'outbox’s call lost': [10, 50],
};

export const KINDS = Object.keys(RATES).filter((kind): kind is FaultKind => kind in RATES);

const HOUR_MS = 3_600_000;

export interface PlanOptions {
  readonly startAt: number;
  readonly duration: number;
  readonly machines: readonly string[];
}

/**
 * The faults of a run, before it begins: each seed has some kinds of them only, at rates of its own, so that each kind meets a world in
 * which the others are quiet, too. Each hour has numbers of its own: a shorter run has the first of these faults, and each can be left
 * out without another one changing.
 */
export function planFaults(random: Random, options: PlanOptions): readonly Fault[] {
  const hours = Array.from({ length: Math.ceil(options.duration / HOUR_MS) }, (_, hour) => hour);
  const faults = KINDS.flatMap((kind) => {
    const own = random.fork(kind);
    const isThere = own.chance(kind === 'evict' ? 0.9 : 0.45);
    const anHour = own.pick(RATES[kind]) / 24;
    if (!isThere) return [];
    return hours.flatMap((hour) => {
      const ofHour = own.fork(String(hour));
      const number = Math.floor(anHour) + (ofHour.chance(anHour % 1) ? 1 : 0);
      const name = `fault.${kind.replaceAll(' ', '-')}@${hour}`;
      return Array.from({ length: number }, (_, index) =>
        faultOf(kind, `${name}#${index}`, ofHour, hour, options),
      );
    });
  });
  return faults.filter(({ at }) => at < options.startAt + options.duration).toSorted((a, b) => a.at - b.at);
}

function faultOf(
  kind: FaultKind,
  name: string,
  random: Random,
  hour: number,
  { startAt, machines }: PlanOptions,
): Fault {
  const at = startAt + Math.floor((hour + random.next()) * HOUR_MS);
  const machine = random.pick(machines);
  const place = random.pick(PLACES);
  // The registry is rarely busy.
  const object = random.chance(0.2) ? 'Registry/' : 'Outbox/';
  const skip = random.chance(0.5) ? random.int(0, 3) : random.int(0, 40);
  const until = at + Math.floor(60_000 * 10 ** (random.next() * 1.5));
  switch (kind) {
    case 'evict':
      return {
        kind,
        name,
        at,
        object,
        moment: random.pick(MOMENTS),
        skip,
        loss: random.pick(['connection', 'code', 'memory']),
      };
    case 'request lost':
    case 'call lost':
      return { kind, name, at, when: random.pick(['before', 'after']), skip };
    case 'outbox’s call lost':
      // They are rare.
      return { kind, name, at, when: random.pick(['before', 'after', 'after']), skip: 0 };
    case 'alarm twice':
      return { kind, name, at, skip: skip % 3 };
    case 'isolate lost':
      return { kind, name, at, machine };
    case 'deploy':
      return { kind, name, at };
    case 'slow disk':
      return { kind, name, at, until, machine, ms: random.int(50, 3_000) };
    case 'alarm late':
      return { kind, name, at, until, machine, ms: random.int(1_000, 60_000) };
    case 'clock':
      return { kind, name, at, until, machine, ms: -random.int(100, random.chance(0.3) ? 120_000 : 5_000) };
    case 'full disk':
    case 'broken start':
    case 'overloaded':
      return { kind, name, at, object, until };
    case 'KV behind':
    case 'KV read fails':
    case 'KV write fails':
      return { kind, name, at, place, until, ms: random.int(1_000, 60_000) };
  }
}
