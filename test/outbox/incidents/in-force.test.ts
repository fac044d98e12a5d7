import { expect, it } from 'vitest';
import { InForce } from '../../../src/outbox/incidents/in-force.ts';
import { inStorage } from '../in-storage.ts';

const areOlder = (inForce: InForce, ...activations: readonly number[]) =>
  activations.filter((activation) => inForce.isOlder({ activation }));

it('a configuration is older than any that this object knows of, from a newer webhook, also after a restart', () =>
  inStorage(({ storage: { sql } }) => {
    const inForce = new InForce(sql);
    expect(areOlder(inForce, 0)).toEqual([]);
    for (const activation of [2, 1]) inForce.expect(activation);
    expect(inForce.newest).toBe(2);
    for (const known of [inForce, new InForce(sql)]) expect(areOlder(known, 1, 2, 3)).toEqual([1]);
  }));

it('what an undone transaction has brought is not known', () =>
  inStorage(({ storage, storage: { sql } }) => {
    const inForce = new InForce(sql);
    inForce.expect(2);
    const undone = () =>
      storage.transactionSync(() => {
        inForce.expect(3);
        throw new Error('the disk is full');
      });
    expect(undone).toThrow('the disk is full');
    expect([inForce.newest, ...areOlder(inForce, 2)]).toEqual([2]);
  }));

it('the registry has the last word: it may have been restored', () =>
  inStorage(({ storage: { sql } }) => {
    const inForce = new InForce(sql);
    inForce.expect(7);
    inForce.settle(3);
    for (const known of [inForce, new InForce(sql)]) expect(areOlder(known, 3)).toEqual([]);
  }));
