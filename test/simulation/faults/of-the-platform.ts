import type { Seams } from '../platform/seams.ts';
import type { PlantedFaults } from './planted-fault.ts';

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
export const OF_THE_PLATFORM: PlantedFaults = {
  // One of two hundred writes of an outbox is not made.
  'a write is lost': (random) => ({
    write: (object) => !object.startsWith('Outbox') || !random.chance(0.005),
  }),
  // One of a hundred reads of an outbox gives what the same read gave last time.
  'a read that returns an old row': (random) => {
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
  // What is written together may be on disk in part, and an error takes nothing back.
  'a transaction that is not atomic': () => ({ isAtomic: () => false }),
  // A sender is answered, and a gateway called, before the writes are on disk.
  'an answer before its flush': () => ({ waitsForDisk: () => false }),
  // One of ten alarms of an outbox is not set.
  'an alarm is not set': (random) => ({
    setAlarm: (object, at) => (object.startsWith('Outbox') && random.chance(0.1) ? undefined : at),
  }),
  // Each alarm is set twenty hours later than it should be.
  'alarms are set too late': () => ({ setAlarm: (_object, at) => (at === null ? null : at + 20 * HOUR_MS) }),
  // An earlier alarm is not set while a later one is.
  'an alarm that is never moved': () => {
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
  // An object that was evicted is not woken.
  'an alarm that ends with its object': () => ({ keepsAlarm: () => false }),
  // Windows of an hour are over after fifty minutes.
  'a clock that runs fast': () => ({ clock: sinceFirst((passedMs) => passedMs * 1.2) }),
  // The first set that was published stays in force.
  'a version that is stale': () => {
    let first: string | null = null;
    return { published: (set) => (first ??= set) };
  },
  // A message counts as sent as soon as its call has begun.
  'a call recorded before it is made': () => ({ fetch: () => 'answer first' }),
  // One of fifty messages counts as sent without a call.
  'a call that is never made': (random) => ({ fetch: () => (random.chance(0.02) ? 'lose' : 'make') }),
  // One of twenty calls is taken to have been answered as the call before.
  'an answer to another call': (random) => {
    let before: Response | null = null;
    return {
      fetched: (_request, response) => {
        const given = before !== null && random.chance(0.05) ? before : response;
        before = response?.clone() ?? null;
        return given?.clone() ?? null;
      },
    };
  },
  // A connection that breaks counts as a message that is sent.
  'a lost answer that counts as success': () => ({ fetched: (_request, response) => response ?? taken() }),
  // What the gateway will never take counts as a fault of its server.
  'a refusal that is tried again': () => ({
    fetched: (_request, response) =>
      response?.status === 422 ? new Response('{}', { status: 500 }) : response,
  }),
  // One of fifty calls arrives twice.
  'a call that is made twice': (random) => ({ fetch: () => (random.chance(0.02) ? 'twice' : 'make') }),
  // A sender gets 202 for its webhook, whatever went wrong.
  'a fault that is answered with 202': () => ({
    answer: (request, response) =>
      response.status >= 500 && request.url.includes('/hooks/')
        ? new Response('accepted', { status: 202 })
        : response,
  }),
};
