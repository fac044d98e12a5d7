import type { Row } from '../platform/sql.ts';
import { reading, type PlantedFaults } from './planted-fault.ts';

/** What a monitor said before, what it says too late, and what it says no more. */
export const OF_LATE_ALERTS: PlantedFaults = {
  // Each alert counts as of its arrival.
  'a late alert that opens again what is over': () => reading('{{ item.at }}', '{{ event.received_at }}'),
  // An incident is read without the times of its alerts, and without what came before its opening.
  'an end that is forgotten before its opening comes': () => ({
    read: (_object, text, _values, rows) => (text.includes('FROM early') ? [] : rows),
  }),
  // An object that starts has forgotten since when things are so.
  'times of alerts that a restart forgets': () => ({
    read: (_object, text, _values, rows) =>
      text.includes('FROM incidents')
        ? rows.map((row) => withState(row, (state) => state.replace(/"told":\{[^}]*\}/, '"told":null')))
        : rows,
  }),
  // An object that starts does not know what it was told last for an end, so an opening as old as that is news.
  'an opening as old as its end that opens again': () => ({
    read: (_object, _text, _values, rows) =>
      rows.map((row) =>
        'is_end' in row
          ? { ...row, is_end: 0 }
          : withState(row, (state) => state.replace('"isEnd":true', '"isEnd":false')),
      ),
  }),
  // The acknowledgement at the monitor is taken for an alert that fires.
  'an acknowledgement at the monitor is not heeded': () =>
    reading('item.status == \\"acknowledged\\"', 'item.status == \\"never\\"'),
  // What is not watched any more since its route was renamed is read as resolved.
  'an end of watching that is told as a resolution': () => ({
    read: (_object, text, _values, rows) =>
      text.includes('FROM incidents')
        ? rows.map((row) => withState(row, (state) => state.replace('"lost":"unwatched"', '"lost":null')))
        : rows,
  }),
};

const withState = (row: Row, change: (state: string) => string): Row =>
  typeof row['state'] === 'string' ? { ...row, state: change(row['state']) } : row;
