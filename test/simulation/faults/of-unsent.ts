import type { PlantedFault } from './planted-fault.ts';

/** The `expires` of orders, as documents say it: incidents and their messages have others. */
const OF_ORDERS = /"expires":"(15|45)m"/g;

/** Faults of messages that are too old, or dead. */
export const OF_UNSENT: readonly PlantedFault[] = [
  {
    name: 'a message that expires too early',
    note: 'orders are too old after twenty seconds',
    seams: () => ({ kvGet: (_key, value) => value?.replaceAll(OF_ORDERS, '"expires":"20s"') ?? null }),
  },
  {
    name: 'a message that never expires',
    note: 'orders are too old after a day',
    seams: () => ({ kvGet: (_key, value) => value?.replaceAll(OF_ORDERS, '"expires":"1d"') ?? null }),
  },
  {
    name: 'a fallback whose row is lost',
    note: 'memory has the fallback of a dead message, and no row does',
    seams: () => ({
      write: (_object, text, values) =>
        !text.startsWith('INSERT INTO messages') || !values.some((value) => isOfDead(value)),
    }),
  },
  {
    name: 'a fallback that is forgotten',
    note: 'a message that is dead has none any more',
    seams: () => ({
      kvGet: (_key, value) =>
        value?.replaceAll(/,"fallback":\[\{"kind":"text","message":"[^"]*"\}\]/g, '') ?? null,
    }),
  },
];

/** True if the value says which dead message a row is the fallback of. */
const isOfDead = (value: unknown): boolean => typeof value === 'string' && value.includes('"of":');
