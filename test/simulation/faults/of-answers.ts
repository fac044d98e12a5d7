import type { Row } from '../platform/sql.ts';
import type { PlantedFault } from './planted-fault.ts';

/** Links that receivers press do something else than they say. */
export const OF_ANSWERS: readonly PlantedFault[] = [
  {
    name: 'an acknowledgement that ends with its object',
    note: 'an object that starts has forgotten who has which incident',
    seams: () => ({
      read: (_object, text, _values, rows) => (text.includes('FROM incidents') ? rows.map(withNobody) : rows),
    }),
  },
  {
    name: 'a press that cannot be undone',
    note: 'what was taken back counts as pressed still',
    seams: () => ({
      write: (_object, text, values) =>
        !text.startsWith('UPDATE dedupe_claims SET expires_at') || !String(values[1]).includes('press:'),
    }),
  },
  {
    name: 'a question that stays open',
    note: 'a link that was pressed can be pressed again',
    seams: () => ({
      read: (_object, text, values, rows) =>
        text.includes('FROM dedupe_claims') && String(values[0]).includes('press:') ? [] : rows,
    }),
  },
  {
    name: 'a press that was not saved is answered as done',
    note: 'the browser is sent on to the page, whatever went wrong',
    seams: () => ({
      answer: (request, response) =>
        response.status === 503 && request.method === 'POST' && request.url.includes('/a/')
          ? new Response(null, { status: 303 })
          : response,
    }),
  },
  {
    name: 'a pressed silence that is not heeded',
    note: 'what it should hold back is sent',
    seams: () => ({ kvGet: (_key, value) => value?.replaceAll('(key == ', '(item.none == ') ?? null }),
  },
];

/** The row of an incident that nobody has. */
const withNobody = (row: Row): Row =>
  typeof row['state'] === 'string'
    ? {
        ...row,
        state: row['state'].replace(/"acknowledged":\{(?:[^{}]|\{[^}]*\})*\}/, '"acknowledged":null'),
      }
    : row;
