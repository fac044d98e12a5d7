import { reading, type PlantedFaults } from './planted-fault.ts';

/** The `expires` of orders, as documents say it: incidents and their messages have others. */
const OF_ORDERS = /"expires":"(15|45)m"/g;

/** Faults of messages that are too old, dead, or too many. */
export const OF_UNSENT: PlantedFaults = {
  // Orders are too old after twenty seconds.
  'a message that expires too early': () => reading(OF_ORDERS, '"expires":"20s"'),
  // Orders are too old after a day.
  'a message that never expires': () => reading(OF_ORDERS, '"expires":"1d"'),
  // Memory has the fallback of a dead message, and no row does.
  'a fallback whose row is lost': () => ({
    write: (_object, text, values) =>
      !text.startsWith('INSERT INTO messages') || !values.some((value) => isOfDead(value)),
  }),
  // Two messages that wait become one.
  'a digest of too few': () => reading(/"digest_above":\d+/g, '"digest_above":1'),
  // What a digest takes the place of is sent as well.
  'messages that are sent beside their digest': () => ({
    write: (_object, text, values) => !text.includes("'cancelled', reason") || !isDigest(values[0]),
  }),
  // A message that is dead has none any more.
  'a fallback that is forgotten': () => reading(/,"fallback":\[\{"kind":"text","message":"[^"]*"\}\]/g, ''),
};

const isDigest = (reason: unknown): boolean => String(reason).startsWith('summarized in');

/** True if the value says which dead message a row is the fallback of. */
const isOfDead = (value: unknown): boolean => typeof value === 'string' && value.includes('"of":');
