import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Subscribers } from '../../../src/outbox/incidents/open-incidents.ts';
import { refOf } from './said.ts';

const PHONES = ['1', '2', '3', '4', '5'];

it('the receivers that are to be looked at are taken at their earliest time, the earliest first, and it is known when the next one is', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ phone: fc.constantFrom(...PHONES), at: fc.nat(50) }),
      fc.record({ now: fc.nat(50) }),
    ),
  );
  fc.assert(
    fc.property(steps, (all) => {
      const subscribers = new Subscribers(() => null);
      const times = new Map<string, number>();
      for (const step of all) {
        if ('phone' in step) {
          subscribers.bringForward(subscribers.of(refOf('', step.phone)), step.at);
          times.set(step.phone, Math.min(step.at, times.get(step.phone) ?? Infinity));
        } else {
          const taken = subscribers.takeDue(step.now).map(({ phone }) => phone);
          const due = [...times].filter(([, at]) => at <= step.now).map(([phone]) => phone);
          expect(taken.toSorted()).toEqual(due.toSorted());
          const order = taken.map((phone) => times.get(phone) ?? Infinity);
          expect(order).toEqual(order.toSorted((one, other) => one - other));
          for (const phone of due) times.delete(phone);
        }
        expect(subscribers.nextAt).toBe(times.size === 0 ? null : Math.min(...times.values()));
      }
    }),
  );
});
