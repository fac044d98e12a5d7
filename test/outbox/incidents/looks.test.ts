import { expect, it } from 'vitest';
import { Beyond } from '../../../src/outbox/incidents/beyond.ts';
import { InForce } from '../../../src/outbox/incidents/in-force.ts';
import { Looks } from '../../../src/outbox/incidents/looks.ts';
import { OpenIncidents } from '../../../src/outbox/incidents/open-incidents.ts';
import { configOf } from '../../ingest/support.ts';
import { START, UNPACED } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const activated = (activation: number) => ({ ...configOf({}), activation });

function looksIn(storage: DurableObjectStorage) {
  const inForce = new InForce(storage.sql);
  const open = new OpenIncidents();
  const looks = new Looks(
    {
      storage,
      inForce,
      policyIn: () => UNPACED,
      updateAt: (_, __, now) => now,
      queue: () => null,
      rewrite: (row) => row,
      isUnderWay: () => false,
      hurry: () => undefined,
      onBeyond: () => undefined,
      onNobody: () => undefined,
      onMoved: () => undefined,
      onNotified: () => undefined,
      wakeAt: () => undefined,
      account: () => 'default',
      clock: () => START,
    },
    new Beyond(storage.sql),
  );
  return { inForce, looks, open };
}

it('a configuration is used at once if it is newer, and not if it is older', () =>
  inStorage(({ storage }) => {
    const { looks, open } = looksIn(storage);
    const [first, second] = [activated(1), activated(2)];
    expect(looks.by(first, open)?.config).toBe(first);
    expect(looks.by(second, open)?.config).toBe(second);
    expect([looks.by(first, open), looks.isBehind]).toEqual([null, true]);
    expect(looks.byLast(open).config).toBe(second);
    expect([looks.by(second, open)?.config, looks.isBehind]).toEqual([second, false]);
  }));

it('a configuration that is older than the one of a webhook is not used', () =>
  inStorage(({ storage }) => {
    const { inForce, looks, open } = looksIn(storage);
    inForce.expect(2);
    expect([looks.by(activated(1), open), looks.isBehind]).toEqual([null, true]);
    expect(looks.byLast(open).config.activation).toBe(0);
  }));

it('a due handover looks at everything again, once', () =>
  inStorage(({ storage }) => {
    const { looks, open } = looksIn(storage);
    const config = activated(1);
    looks.by(config, open);
    open.handoverAt = START;
    looks.by(config, open);
    expect(open.handoverAt).toBe(Infinity);
  }));
