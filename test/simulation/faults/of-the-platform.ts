import type { Seams } from '../platform/seams.ts';
import type { PlantedFault } from './planted-fault.ts';

const HOUR_MS = 3_600_000;

/** A clock whose time since the first look at it is another. */
const sinceFirst = (change: (passedMs: number) => number): Seams['clock'] => {
  let first: number | null = null;
  return (now) => {
    first ??= now;
    return Math.floor(first + change(now - first));
  };
};

/** The gateway’s answer to what it has taken. */
const taken = (): Response => Response.json({ success: true, data: { status_code: 200 } });

/** The platform is asked for something wrong, or its answer is misunderstood. */
export const OF_THE_PLATFORM: readonly PlantedFault[] = [
  {
    name: 'a write is lost',
    note: 'one of two hundred writes of an outbox is not made',
    seams: (random) => ({ write: (object) => !object.startsWith('Outbox') || !random.chance(0.005) }),
  },
  {
    name: 'a read that returns an old row',
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
    name: 'a transaction that is not atomic',
    note: 'what is written together may be on disk in part, and an error takes nothing back',
    seams: () => ({ isAtomic: () => false }),
  },
  {
    name: 'an answer before its flush',
    note: 'a sender is answered, and a gateway called, before the writes are on disk',
    seams: () => ({ waitsForDisk: () => false }),
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
    name: 'an alarm that ends with its object',
    note: 'an object that was evicted is not woken',
    seams: () => ({ keepsAlarm: () => false }),
  },
  {
    name: 'a clock that runs fast',
    note: 'windows of an hour are over after fifty minutes',
    seams: () => ({ clock: sinceFirst((passedMs) => passedMs * 1.2) }),
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
    name: 'a lost answer that counts as success',
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
    note: 'a sender gets 202 for its webhook, whatever went wrong',
    seams: () => ({
      answer: (request, response) =>
        response.status >= 500 && request.url.includes('/hooks/')
          ? new Response('accepted', { status: 202 })
          : response,
    }),
  },
];
