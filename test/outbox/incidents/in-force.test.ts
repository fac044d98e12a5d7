import { expect, it } from 'vitest';
import { InForce } from '../../../src/outbox/incidents/in-force.ts';
import { inStorage } from '../in-storage.ts';

const isOlder = (inForce: InForce, activation: number): boolean => inForce.isOlder({ activation });

it('a configuration is older than any that this object knows of', () =>
  inStorage(({ storage: { sql } }) => {
    const inForce = new InForce(sql);
    expect(isOlder(inForce, 0)).toBe(false);
    inForce.expect(2);
    expect([1, 2, 3].map((activation) => isOlder(inForce, activation))).toEqual([true, false, false]);
  }));

it('a webhook that an older one has routed changes nothing', () =>
  inStorage(({ storage: { sql } }) => {
    const inForce = new InForce(sql);
    inForce.expect(2);
    inForce.expect(1);
    expect(inForce.newest).toBe(2);
  }));

it('an object that starts again knows the same', () =>
  inStorage(({ storage: { sql } }) => {
    new InForce(sql).expect(2);
    expect(isOlder(new InForce(sql), 1)).toBe(true);
  }));

it('what an undone transaction has brought is not known', () =>
  inStorage(({ storage, storage: { sql } }) => {
    const inForce = new InForce(sql);
    inForce.expect(2);
    expect(() =>
      storage.transactionSync(() => {
        inForce.expect(3);
        throw new Error('the disk is full');
      }),
    ).toThrow('the disk is full');
    inForce.forget();
    expect([inForce.newest, isOlder(inForce, 2)]).toEqual([2, false]);
  }));

it('the registry has the last word: it may have been restored', () =>
  inStorage(({ storage: { sql } }) => {
    const inForce = new InForce(sql);
    inForce.expect(7);
    inForce.settle(3);
    expect([isOlder(inForce, 3), isOlder(new InForce(sql), 3)]).toEqual([false, false]);
  }));
