import type { Row } from '../platform/sql.ts';
import { reading, type PlantedFaults } from './planted-fault.ts';

/** Strangers get what is for others, or what is urgent is not. */
export const OF_STRANGERS: PlantedFaults = {
  // Its messages count in the receiver's hour, and wait for their turn.
  'an urgent alert that is like any other': () => reading('"priority":"high"', '"priority":"normal"'),
  // A source that anybody may post to has what a signed one has: a whole hour, all first contacts, and a say about the account.
  'an open source that counts as signed': () =>
    reading(
      '"verify":{"scheme":"none"}',
      '"verify":{"scheme":"token","in":"header","name":"X-Token"},"secrets":["SENDER_SECRET"]',
    ),
  // The firewall's answer to a text pauses the account.
  'a pause by one stranger': () => ({
    fetched: (_request, response) =>
      response?.status === 403 ? new Response('{}', { status: 401 }) : response,
  }),
  // Messages whose rows are read are urgent, whoever sent them: an alert waits for its turn among them.
  'strangers that are urgent after a restart': () => ({
    read: (_object, text, _values, rows) => (text.includes('FROM messages') ? rows.map(asUrgent) : rows),
  }),
  // An alert is known by the number of alerts, not by its name.
  'an urgent alert that is only counted': () => reading('ward {% if', 'ward: and at least 1 more {% if'),
};

const asUrgent = (row: Row): Row => (row['standing'] === 2 ? { ...row, standing: 1 } : row);
