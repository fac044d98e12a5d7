import { describe, expect, it } from 'vitest';
import { InForce } from '../../../src/outbox/incidents/in-force.ts';
import { configOf } from '../../ingest/support.ts';
import { inStorage, MINUTE, START } from '../support.ts';

const activated = (activation: number) => ({ ...configOf({}), activation });

describe('the configuration by which receivers are notified', () => {
  it('is the newest: one that is read at once is used at once', () =>
    inStorage(({ storage: { sql } }) => {
      const inForce = new InForce(sql);
      const [first, second] = [activated(1), activated(2)];
      expect([inForce.use(first, START), inForce.use(first, START), inForce.use(second, START)]).toEqual([
        'new',
        'same',
        'new',
      ]);
      expect(inForce.config).toBe(second);
    }));

  it('is no older one, which an edge cache still has: nobody is notified by the rules of yesterday', () =>
    inStorage(({ storage: { sql } }) => {
      const inForce = new InForce(sql);
      const newest = activated(2);
      inForce.use(newest, START);
      expect([inForce.use(activated(1), START + MINUTE), inForce.isOlder]).toEqual(['older', true]);
      expect(inForce.config).toBe(newest);
      expect([inForce.use(newest, START + MINUTE), inForce.isOlder]).toEqual(['same', false]);
    }));

  it('is no older one for an object that starts again, either', () =>
    inStorage(({ storage: { sql } }) => {
      new InForce(sql).use(activated(2), START);
      const again = new InForce(sql);
      expect([again.use(activated(1), START), again.config]).toEqual(['older', null]);
    }));

  it('is an older one that stays for two minutes: no edge cache is behind for so long', () =>
    inStorage(({ storage: { sql } }) => {
      const inForce = new InForce(sql);
      inForce.use(activated(2), START);
      const older = activated(1);
      expect(inForce.use(older, START + MINUTE)).toBe('older');
      expect(inForce.use(older, START + 3 * MINUTE)).toBe('new');
      expect([inForce.config, inForce.isOlder]).toEqual([older, false]);
    }));
});
