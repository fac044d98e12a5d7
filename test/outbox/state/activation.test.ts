import { expect } from 'vitest';
import { expectActivation, newestActivation, settleActivation } from '../../../src/outbox/state/meta.ts';
import { it } from '../it.ts';

it('a configuration is older than any that this object knows of, from a newer webhook', ({ sql }) => {
  expect(newestActivation(sql)).toBe(0);
  for (const activation of [2, 1]) expectActivation(sql, activation);
  expect(newestActivation(sql)).toBe(2);
});

it('what an undone transaction has brought is not known', ({ storage, sql }) => {
  expectActivation(sql, 2);
  const undone = () =>
    storage.transactionSync(() => {
      expectActivation(sql, 3);
      throw new Error('the disk is full');
    });
  expect(undone).toThrow('the disk is full');
  expect(newestActivation(sql)).toBe(2);
});

it('the registry has the last word: it may have been restored', ({ sql }) => {
  expectActivation(sql, 7);
  settleActivation(sql, 3);
  expect(newestActivation(sql)).toBe(3);
});
