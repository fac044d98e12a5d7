import { describe, expect, it } from 'vitest';
import type { SaysHolder } from '../../../src/outbox/incidents/entries.ts';
import { messageSample } from '../samples.ts';
import { HOUR } from '../support.ts';
import { inStorage } from '../in-storage.ts';
import { IncidentsBench, PHONE, route } from './bench.ts';

const REF = { source: 'alerts', route: 'on-call' };

const bench = (body: (one: IncidentsBench) => Promise<void>): Promise<void> =>
  inStorage(({ storage }) => body(new IncidentsBench(storage, [route()])));

/** A message that somebody has these, or has them no more. */
const message = (keys: readonly string[], over: Partial<SaysHolder> = {}) => {
  const says: SaysHolder = {
    form: 'holder',
    who: 'Anna',
    keys,
    locale: 'en',
    isBack: false,
    maxLength: 100,
    ...over,
  };
  return messageSample({
    seq: 900,
    ...REF,
    phone: PHONE,
    params: '{"message":"as it was"}',
    says: JSON.stringify(says),
  });
};

/** The text that is sent; or why none is. */
function textOf(one: IncidentsBench, keys: readonly string[], over: Partial<SaysHolder> = {}): string {
  const row = message(keys, over);
  return one.incidents.review(row)?.params ?? row.state;
}

const acknowledge = (one: IncidentsBench, by: string, ...keys: readonly string[]): void => {
  for (const key of keys) one.incidents.change({ ...REF, key }, 'acknowledged', by);
};

describe('a message about who has incidents, when it can be sent', () => {
  it('is sent as it was written while all of it is so, over a restart as well', () =>
    bench(async (one) => {
      await one.fire('disk', 'cpu');
      acknowledge(one, 'Anna', 'disk', 'cpu');
      expect(textOf(one, ['disk', 'cpu'])).toBe('{"message":"as it was"}');
      one.restart();
      expect(textOf(one, ['disk', 'cpu'])).toBe('{"message":"as it was"}');
    }));

  it('names what is left, once one of them is resolved, and is not sent once all are, or unknown', () =>
    bench(async (one) => {
      await one.fire('disk', 'cpu');
      acknowledge(one, 'Anna', 'disk', 'cpu');
      await one.resolve('disk');
      expect(textOf(one, ['disk', 'cpu'])).toBe('{"message":"Anna has it: cpu"}');
      await one.resolve('cpu');
      for (const keys of [['disk', 'cpu'], ['never']]) expect(textOf(one, keys)).toBe('superseded');
    }));

  it('is not sent once nobody has it, or somebody else', () =>
    bench(async (one) => {
      await one.fire('disk');
      expect(textOf(one, ['disk'])).toBe('superseded');
      acknowledge(one, 'Ben', 'disk');
      expect(textOf(one, ['disk'])).toBe('superseded');
      // Whoever it is has no name.
      expect(textOf(one, ['disk'], { who: null })).not.toBe('superseded');
    }));

  it('says that they have it no more only while that is so', () =>
    bench(async (one) => {
      await one.fire('disk');
      acknowledge(one, 'Anna', 'disk');
      expect(textOf(one, ['disk'], { isBack: true })).toBe('superseded');
      one.incidents.change({ ...REF, key: 'disk' }, 'given back', 'Anna');
      expect(textOf(one, ['disk'], { isBack: true })).toBe('{"message":"as it was"}');
      await one.pass(HOUR);
      await one.resolve('disk');
      expect(textOf(one, ['disk'], { isBack: true })).toBe('superseded');
    }));
});
