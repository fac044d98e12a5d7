import { describe, expect, it } from 'vitest';
import { errorsOf } from './support.ts';

const RIGHT = {
  order: ['anna', 'ben'],
  every: '1w',
  from: '2026-11-23T09:00', // fixed date: never compared with a clock
  timezone: 'Europe/Berlin',
};
const PEOPLE = { anna: '4915112345678', ben: { phone: '4915112345679' } };

const errors = (rotation: object, list: object = { people: PEOPLE }): readonly string[] =>
  errorsOf({ recipients: { 'on-call': { ...list, rotation: { ...RIGHT, ...rotation } } } }).map((error) =>
    error.replace('recipients.on-call.', ''),
  );

const override = (from: string, to: string, person = 'ben') => ({
  person,
  from: `2026-12-${from}`,
  to: `2026-12-${to}`,
});
const LOCAL =
  'must be a date and time in the time zone of the rotation, such as "2026-01-31T09:00", in quotes'; // fixed date: in an error

describe('a rotation', () => {
  it('may have shifts and overrides that touch', () => {
    expect(
      errors({
        shifts: [{ order: ['ben'], from: '20:00', to: '08:00', days: ['sat'] }],
        overrides: [override('03T00:00', '04T00:00'), override('02T00:00', '03T00:00')],
      }),
    ).toEqual([]);
  });

  it.each([
    [{ order: [] }, 'rotation.order: must not be empty'],
    [{ order: ['Anna'] }, 'rotation.order[0]: there is no person `Anna`; did you mean `anna`?'],
    [
      { shifts: [{ order: ['zoe'], from: '20:00', to: '08:00' }] },
      'rotation.shifts[0].order[0]: there is no person `zoe`; there are anna, ben',
    ],
    [
      { overrides: [override('01T00:00', '02T00:00', 'zoe')] },
      'rotation.overrides[0].person: there is no person `zoe`; there are anna, ben',
    ],
    [{ overrides: [override('02T00:00', '01T00:00')] }, 'rotation.overrides[0].to: must be after `from`'],
    [{ overrides: [override('01T00:00', '01T00:00')] }, 'rotation.overrides[0].to: must be after `from`'],
    [
      { overrides: [override('05T00:00', '08T00:00'), override('01T00:00', '06T00:00', 'anna')] },
      'rotation.overrides[0].from: overlaps with override 2 (anna, until 2026-12-06T00:00): end one before the other begins', // fixed date: in an error
    ],
    [{ overrides: [override('32T00:00', '33T00:00')] }, `rotation.overrides[0].from: ${LOCAL}`],
    [{ from: '2026-02-30T09:00' }, `rotation.from: ${LOCAL}`], // fixed date: in no calendar
    [{ from: '2026-11-23T09:00+01:00' }, `rotation.from: ${LOCAL}`], // fixed date: never compared with a clock
    [{ timezone: 'Europe/Berlyn' }, 'rotation.timezone: must be an IANA time zone such as Europe/Berlin'],
    [{ timezone: undefined }, 'rotation.timezone: is required'],
    [
      { every: '12h' },
      'rotation.every: must be a number of days or weeks, such as `1w` or `2d`, at most 366d',
    ],
    [
      { every: '53w' },
      'rotation.every: must be a number of days or weeks, such as `1w` or `2d`, at most 366d',
    ],
    [{ every: 7 }, 'rotation.every: must be a number of days or weeks, such as `1w` or `2d`, at most 366d'],
    [
      { shifts: [{ order: ['ben'], from: '08:00', to: '08:00' }] },
      'rotation.shifts[0].to: must differ from `from` (a whole day is "00:00" to "24:00") and the hours must not fill the week',
    ],
  ])('%j is refused: %s', (rotation, error) => {
    expect(errors(rotation)[0]).toBe(error);
  });

  it('is refused beside numbers, which have no turn', () => {
    expect(errors({}, { people: PEOPLE, numbers: ['4915112345670'] })).toEqual([
      'numbers: have no turn in a `rotation`: give them names under `people`, or put them into another list and add it to the routes',
    ]);
  });

  it('of a list without people is refused', () => {
    expect(errors({}, { people: {} })[0]).toBe(
      'rotation.order[0]: there is no person `anna`; there are none yet',
    );
  });
});
