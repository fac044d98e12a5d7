import type { Row } from '../platform/sql.ts';
import { reading, type PlantedFaults } from './planted-fault.ts';

/** Whom a step should call, and whom it should leave alone. */
export const OF_ESCALATIONS: PlantedFaults = {
  // An object that starts has forgotten which steps it took, and whom they called.
  'a step that is sent twice': () => ({
    read: (_object, text, _values, rows) => (text.includes('FROM incidents') ? rows.map(withoutSteps) : rows),
  }),
  // Its time is a minute, or two for a later one.
  'a step that is taken too early': () => ({
    published: (set) => {
      let step = 0;
      return set.replaceAll(/"after":"\d+m","to"/g, () => `"after":"${(step += 1)}m","to"`);
    },
  }),
  // The managers are not called.
  'a step that is never taken': () => reading('"to":["managers"]', '"to":["second-line"]'),
  // The acknowledgement lasts a second.
  'an escalation that goes on after an acknowledgement': () => reading(LASTS, '"acknowledged_for":"1s"'),
  // It lasts ninety days.
  'an acknowledgement that never expires': () => reading(LASTS, '"acknowledged_for":"90d"'),
  // An object that starts takes whomever a step called for somebody who knows that it is resolved.
  'a resolution that receivers of a step do not get': () => ({
    read: (_object, text, _values, rows) =>
      text.includes('FROM incidents') ? rows.map(withoutBelief) : rows,
  }),
};

const LASTS = /"acknowledged_for":"\d+m"/g;

const withState = (row: Row, change: (state: string) => string): Row =>
  typeof row['state'] === 'string' && row['state'].includes('"isCalled":true')
    ? { ...row, state: change(row['state']) }
    : row;

const NOT_KNOWN = (state: string): string => state.replace(/"believed":"\w+"/, '"believed":"closed"');

/** The row of an incident whose receiver no step has called yet. */
const withoutSteps = (row: Row): Row =>
  withState(row, (state) => NOT_KNOWN(state).replace(/"taken":\[.*?\],"isCalled"/, '"taken":[],"isCalled"'));

/** The row of an incident of which its receiver knows nothing, once it is resolved. */
const withoutBelief = (row: Row): Row =>
  withState(row, (state) => (state.includes('"resolvedAt":null') ? state : NOT_KNOWN(state)));
