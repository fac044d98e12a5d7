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

/** Zones, and one an hour behind it. */
const WEST: Readonly<Record<string, string>> = {
  'Europe/Berlin': 'Europe/London',
  'America/New_York': 'America/Chicago',
  'Asia/Kolkata': 'Asia/Karachi',
  'Pacific/Auckland': 'Pacific/Noumea',
};

/** What KV has, as if the documents had said something else. */
const reading = (from: string, to: string): Partial<Seams> => ({
  kvGet: (_key, value) => value?.replaceAll(from, to) ?? null,
});

/** What KV has, as if a limit were one higher. */
const oneMore = (limit: string): Partial<Seams> => ({
  kvGet: (_key, value) =>
    value?.replaceAll(
      new RegExp(`"${limit}":(\\d+)`, 'g'),
      (_, number: string) => `"${limit}":${Number(number) + 1}`,
    ) ?? null,
});

/** The gateway’s answer to what it has taken. */
const taken = (): Response => Response.json({ success: true, data: { status_code: 200 } });

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
    note: 'the hours of the day are those of a zone an hour to the west',
    seams: () => ({
      kvGet: (_key, value) =>
        value?.replaceAll(
          /"timezone":"([^"]+)"/g,
          (_, zone: string) => `"timezone":"${WEST[zone] ?? zone}"`,
        ) ?? null,
    }),
  },
  {
    name: 'a window of repeats that is too short',
    note: 'a repeat is known for a second instead of three days',
    seams: () => reading('"window":"3d"', '"window":"1s"'),
  },
  {
    name: 'a limit that is off by one',
    note: 'a receiver gets one message an hour more than it should',
    seams: () => oneMore('per_hour'),
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
  {
    name: 'a row of before',
    note: 'one of a hundred reads of an outbox gives what the same read gave last time',
    seams: (random) => {
      const before = new Map<string, Parameters<Seams['read']>[3]>();
      return {
        read: (object, text, values, rows) => {
          if (!object.startsWith('Outbox')) return rows;
          const name = `${object} ${text} ${values.join()}`;
          const old = before.get(name) ?? rows;
          before.set(name, rows);
          return random.chance(0.01) ? old : rows;
        },
      };
    },
  },
  {
    name: 'a transaction that is none',
    note: 'what is written together may be on disk in part, and an error takes nothing back',
    seams: () => ({ isAtomic: () => false }),
  },
  {
    name: 'an alarm that ends with its object',
    note: 'an object that was evicted is not woken',
    seams: () => ({ keepsAlarm: () => false }),
  },
  {
    name: 'an alarm that is never moved',
    note: 'an earlier alarm is not set while a later one is',
    seams: () => {
      const set = new Map<string, number>();
      let now = 0;
      return {
        clock: (at) => (now = at),
        setAlarm: (object, at) => {
          const before = set.get(object) ?? 0;
          if (at !== null && before > now) return undefined;
          set.set(object, at ?? 0);
          return at;
        },
      };
    },
  },
  {
    name: 'an answer to another call',
    note: 'one of twenty calls is taken to have been answered as the call before',
    seams: (random) => {
      let before: Response | null = null;
      return {
        fetched: (_request, response) => {
          const given = before !== null && random.chance(0.05) ? before : response;
          before = response?.clone() ?? null;
          return given?.clone() ?? null;
        },
      };
    },
  },
  {
    name: 'no answer is taken for success',
    note: 'a connection that breaks counts as a message that is sent',
    seams: () => ({ fetched: (_request, response) => response ?? taken() }),
  },
  {
    name: 'a refusal that is tried again',
    note: 'what the gateway will never take counts as a fault of its server',
    seams: () => ({
      fetched: (_request, response) =>
        response?.status === 422 ? new Response('{}', { status: 500 }) : response,
    }),
  },
  {
    name: 'a call that is made twice',
    note: 'one of fifty calls arrives twice',
    seams: (random) => ({ fetch: () => (random.chance(0.02) ? 'twice' : 'make') }),
  },
  {
    name: 'a fault that is answered with 202',
    note: 'a sender is told that its webhook was accepted, whatever went wrong',
    seams: () => ({
      answer: (request, response) =>
        response.status >= 500 && request.url.includes('/hooks/')
          ? new Response('accepted', { status: 202 })
          : response,
    }),
  },
  {
    name: 'a publish that is not written',
    note: 'KV keeps the configuration that it had at first',
    seams: () => {
      const written = new Set<string>();
      return { kvPut: (key) => !written.has(key) && written.add(key).has(key) };
    },
  },
  {
    name: 'a pace that is off by one',
    note: 'an account makes one call a minute more than it should',
    seams: () => oneMore('per_minute'),
  },
  {
    name: 'a silence that is not heeded',
    note: 'what it should hold back is sent',
    seams: () => reading('item.key == ', 'item.none == '),
  },
  {
    name: 'a receiver that is left out',
    note: 'the last of a list gets nothing',
    seams: () => ({
      kvGet: (_key, value) => value?.replaceAll(/("numbers":\["[^\]]+),"\d+"\]/g, '$1]') ?? null,
    }),
  },
  {
    name: 'a repeat that comes too early',
    note: 'an incident is notified again after a third of the time',
    seams: () => reading('"repeat":"60m"', '"repeat":"20m"'),
  },
  {
    name: 'quiet hours that end early',
    note: 'they end ten minutes before they should',
    seams: () => ({
      kvGet: (_key, value) =>
        value?.replaceAll(/"to":"0(\d):00"/g, (_, hour: string) => `"to":"0${Number(hour) - 1}:50"`) ?? null,
    }),
  },
  {
    name: 'a group that does not wait',
    note: 'its interval is five seconds instead of two minutes',
    seams: () => reading('"interval":"2m"', '"interval":"5s"'),
  },
];

/** The seams with a planted fault; null: as they are. Throws if there is none of this name. */
export function seamsWith(name: string | null): (random: Random) => Seams {
  if (name === null) return () => NO_PLANTED_FAULT;
  const fault = PLANTED.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no planted fault is called ${name}`);
  return (random) => ({ ...NO_PLANTED_FAULT, ...fault.seams(random) });
}
