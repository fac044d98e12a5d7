import { expect, it } from 'vitest';
import { InForce } from '../../../src/outbox/incidents/in-force.ts';
import { configOf } from '../../ingest/support.ts';
import { inStorage } from '../support.ts';

const activated = (activation: number) => ({ ...configOf({}), activation });

const isOlder = (inForce: InForce, activation: number): boolean => inForce.isOlder({ activation });

it('a configuration is older than any that this object knows of', () =>
  inStorage(({ storage: { sql } }) => {
    const inForce = new InForce(sql);
    expect(isOlder(inForce, 0)).toBe(false);
    inForce.expect(2);
    expect([1, 2, 3].map((activation) => isOlder(inForce, activation))).toEqual([true, false, false]);
  }));

it('a configuration is used at once if it is newer, and not if it is older', () =>
  inStorage(({ storage: { sql } }) => {
    const inForce = new InForce(sql);
    const [first, second] = [activated(1), activated(2)];
    const used = [first, first, second, first].map((config) => inForce.use(config));
    expect(used).toEqual(['new', 'same', 'new', 'older']);
    expect([inForce.config, inForce.isBehind]).toEqual([second, true]);
    expect([inForce.use(second), inForce.isBehind]).toEqual(['same', false]);
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

it('the registry has the last word: it may have been restored', () =>
  inStorage(({ storage: { sql } }) => {
    const inForce = new InForce(sql);
    inForce.expect(7);
    inForce.settle(3);
    expect([isOlder(inForce, 3), isOlder(new InForce(sql), 3)]).toEqual([false, false]);
  }));
