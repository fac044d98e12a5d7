import type { Row } from '../platform/sql.ts';
import type { PlantedFault } from './planted-fault.ts';

/** Whom a step should call, and whom it should leave alone. */
export const OF_ESCALATIONS: readonly PlantedFault[] = [
  {
    name: 'a step that is sent twice',
    note: 'an object that starts has forgotten which steps it took, and whom they called',
    seams: () => ({
      read: (_object, text, _values, rows) =>
        text.includes('FROM incidents') ? rows.map(withoutSteps) : rows,
    }),
  },
  {
    name: 'a step that is taken too early',
    note: 'its time is a minute, or two for a later one',
    seams: () => ({
      kvGet: (_key, value) => {
        let step = 0;
        return value?.replaceAll(/"after":"\d+m","to"/g, () => `"after":"${(step += 1)}m","to"`) ?? null;
      },
    }),
  },
  {
    name: 'a step that is never taken',
    note: 'the managers are not called',
    seams: () => ({
      kvGet: (_key, value) => value?.replaceAll('"to":["managers"]', '"to":["second-line"]') ?? null,
    }),
  },
  {
    name: 'an escalation that goes on after an acknowledgement',
    note: 'the acknowledgement lasts a second',
    seams: () => ({ kvGet: (_key, value) => value?.replaceAll(LASTS, '"acknowledged_for":"1s"') ?? null }),
  },
  {
    name: 'an acknowledgement that never expires',
    note: 'it lasts ninety days',
    seams: () => ({ kvGet: (_key, value) => value?.replaceAll(LASTS, '"acknowledged_for":"90d"') ?? null }),
  },
  {
    name: 'a resolution that receivers of a step do not get',
    note: 'an object that starts takes whomever a step called for somebody who knows that it is resolved',
    seams: () => ({
      read: (_object, text, _values, rows) =>
        text.includes('FROM incidents') ? rows.map(withoutBelief) : rows,
    }),
  },
];

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
