import { describe, expect, it } from 'vitest';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, item, PHONE, route } from './bench.ts';

const MINUTE = 60_000;
const OTHERS = ['4915112345601', '4915112345699'];

describe('a receiver whose notification cannot be made', () => {
  it.each([0, 1, 2])('keeps no other from being notified, and is notified later (place %i)', (place) =>
    inStorage(async ({ storage }) => {
      const all = OTHERS.toSpliced(place, 0, PHONE);
      const one = new IncidentsBench(storage, [route({ to: all })]);
      const sentTo = () =>
        new Set(one.messages.filter(({ state }) => state === 'sent').map(({ phone }) => phone));
      one.poisoned = PHONE;
      await one.take(item('a', { phones: all }));
      await one.pass(MINUTE);
      expect(sentTo()).toEqual(new Set(OTHERS));
      one.poisoned = null;
      await one.pass(MINUTE);
      expect(sentTo()).toEqual(new Set(all));
    }),
  );
});
