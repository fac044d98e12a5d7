import type { Row } from '../platform/sql.ts';
import { reading, type PlantedFaults } from './planted-fault.ts';

/** Links that receivers press do something else than they say. */
export const OF_ANSWERS: PlantedFaults = {
  // An object that starts has forgotten who has which incident.
  'an acknowledgement that ends with its object': () => ({
    read: (_object, text, _values, rows) => (text.includes('FROM incidents') ? rows.map(withNobody) : rows),
  }),
  // What was taken back counts as pressed still.
  'a press that cannot be undone': () => ({
    write: (_object, text, values) =>
      !text.startsWith('UPDATE dedupe_claims SET expires_at') || !String(values[1]).includes('press:'),
  }),
  // A link that was pressed can be pressed again.
  'a question that stays open': () => ({
    read: (_object, text, values, rows) =>
      text.includes('FROM dedupe_claims') && String(values[0]).includes('press:') ? [] : rows,
  }),
  // The browser is sent on to the page, whatever went wrong.
  'a press that was not saved is answered as done': () => ({
    answer: (request, response) =>
      response.status === 503 && request.method === 'POST' && request.url.includes('/a/')
        ? new Response(null, { status: 303 })
        : response,
  }),
  // What it should hold back is sent.
  'a pressed silence that is not heeded': () => reading(/"keys":\["/g, () => '"keys":["no '),
};

/** The row of an incident that nobody has. */
const withNobody = (row: Row): Row =>
  typeof row['state'] === 'string'
    ? {
        ...row,
        state: row['state'].replace(/"acknowledged":\{(?:[^{}]|\{[^}]*\})*\}/, '"acknowledged":null'),
      }
    : row;
