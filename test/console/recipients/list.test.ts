import { expect, test } from 'vitest';
import { changed, usedBy } from '../../../console/pages/recipients/list.ts';
import { partsOfDay } from '../../../console/ui/day-strip.tsx';

test('what the form does not show of a list stays', () => {
  const throttle = { max: 5, per: '1h' };
  const quiet = { from: '22:00', to: '07:00', do: 'digest' };
  expect(
    changed({ numbers: ['1'], throttle, quiet }, { numbers: [], people: { Anna: '4915112345678' } }, quiet),
  ).toEqual({
    throttle,
    people: { Anna: '4915112345678' },
    quiet,
  });
});

test('a list without receivers still has its key', () => {
  expect(changed({ people: { Anna: '1' } }, { numbers: [], people: {} }, null)).toEqual({ numbers: [] });
});

test('a list is used by routes that name it, or one of its people', () => {
  const sources = {
    shop: {
      routes: [
        { name: 'paid', to: 'team' },
        {
          name: 'late',
          to: 'day',
          escalate: [
            { after: '5m', to: 'day' },
            { after: '1h', to: ['team/ben'] },
          ],
        },
        { name: 'other', to: ['teams', '{{ payload.team }}'] },
      ],
    },
    alerts: { routes: [{ name: 'firing', to: ['owners', 'team/anna'] }] },
    empty: {},
  };
  expect(usedBy('team', sources)).toEqual([
    { source: 'shop', route: 'paid' },
    { source: 'shop', route: 'late' },
    { source: 'alerts', route: 'firing' },
  ]);
});

test('hours that go over midnight are two parts of a day', () => {
  expect(partsOfDay('22:00', '07:00')).toEqual([
    [1320, 1440],
    [0, 420],
  ]);
  expect(partsOfDay('22:00', '00:00')).toEqual([[1320, 1440]]);
  expect(partsOfDay('12:00', '13:30')).toEqual([[720, 810]]);
  expect(partsOfDay('12:00', '12:00')).toEqual([]);
});
