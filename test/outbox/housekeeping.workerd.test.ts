import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { registry } from '../../src/config/registry-client.ts';
import { SWEEP_EACH_MS } from '../../src/outbox/housekeeping.ts';
import { Outbox } from '../../src/outbox/outbox.ts';
import { Loop } from '../../src/outbox/loop.ts';
import { Registry } from '../../src/registry/registry.ts';
import { eventually } from '../eventually.ts';
import { postJson, publish, UNPACED } from '../integration/relay.ts';
import { acceptanceTo, addMessage, freshName, inOutbox } from './bare-outbox.ts';
import { countRows, HOUR, SECOND } from './support.ts';

const DAY = 24 * HOUR;

const alarmOf = (name: string): Promise<number | null> =>
  runInDurableObject(env.OUTBOX.getByName(name), (_, { storage }) => storage.getAlarm());

const deleteAlarm = (name: string): Promise<void> =>
  runInDurableObject(env.OUTBOX.getByName(name), (_, { storage }) => storage.deleteAlarm());

/** An event without messages, so that nothing waits. */
const quietEvent = () => acceptanceTo([], { state: 'unmatched' });

/** N messages of long ago that were sent. */
const addOld = (sql: SqlStorage, count: number): unknown =>
  sql.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO messages (seq, kind, params, state, priority, on_uncertain, created_at, config_version)
     SELECT i, 'text', '{}', 'sent', 0, 'retry', i, 1 FROM n`,
    count,
  );

const countMessages = (sql: SqlStorage): number =>
  sql.exec<{ count: number }>('SELECT count(*) AS count FROM messages').one().count;

/** A clock that stands until it is set, ahead of the real one, by which no alarm rings of its own accord. */
function fakeClock() {
  let now = Date.now() + 1_000 * DAY;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return {
    get now(): number {
      return now;
    },
    set now(at: number) {
      now = at;
    },
  };
}

/** Rings each alarm at its time until `until`, and says how often. */
async function ring(
  outbox: Outbox,
  storage: DurableObjectStorage,
  clock: { now: number },
  until: number,
): Promise<number> {
  for (let times = 0; ; times += 1) {
    const at = await storage.getAlarm();
    if (at === null || at > until) return times;
    await storage.deleteAlarm();
    clock.now = Math.max(clock.now, at);
    await outbox.alarm();
  }
}

beforeAll(() => publish({ accounts: { default: UNPACED } }));

describe('an alarm for housekeeping', () => {
  it('is due now, and not in 1970, in an object that never swept', () =>
    inOutbox(async (outbox, storage) => {
      const before = Date.now();
      await outbox.accept(quietEvent());
      await storage.deleteAlarm();
      await outbox.look();
      expect(await storage.getAlarm()).toBeGreaterThanOrEqual(before);
    }));

  it('ends while the registry, which it makes sure of once a day, does not answer', () =>
    inOutbox(async (outbox) => {
      const wake = vi
        .spyOn(Registry.prototype, 'wake')
        .mockImplementation(() => new Promise(() => undefined));
      onTestFinished(() => wake.mockRestore());
      await outbox.accept(quietEvent());
      await outbox.alarm();
      await eventually(() => Promise.resolve(expect(wake).toHaveBeenCalled()));
    }));

  it('is none of an object that holds nothing', async () => {
    const name = freshName();
    const stub = env.OUTBOX.getByName(name);
    await stub.status();
    await stub.look();
    expect(await alarmOf(name)).toBeNull();
    await evictDurableObject(stub);
    await stub.status();
    expect(await alarmOf(name)).toBeNull();
  });

  it('stands from the first event on, though nothing is to be sent', async () => {
    const name = freshName();
    await env.OUTBOX.getByName(name).accept(quietEvent());
    expect(await alarmOf(name)).toBeGreaterThan(Date.now());
  });

  it('ends when the last row is deleted', () =>
    inOutbox(async (outbox, storage) => {
      const clock = fakeClock();
      addMessage(storage.sql, { seq: 1, state: 'sent', created_at: clock.now - 29 * DAY });
      await outbox.alarm();
      const rung = await ring(outbox, storage, clock, clock.now + 4 * DAY);
      expect(storage.sql.exec('SELECT 1 FROM messages').toArray()).toEqual([]);
      // A day until it has expired, and another in which a new one could overwrite it.
      expect(rung).toBeGreaterThan(47);
      expect(rung).toBeLessThan(51);
      expect(await storage.getAlarm()).toBeNull();
    }));

  it('of a quiet account costs at most 48 rows and 24 alarms a day', () =>
    inOutbox(async (outbox, storage) => {
      const clock = fakeClock();
      await outbox.accept(quietEvent());
      await outbox.alarm();
      const rows = countRows(storage.sql);
      const set = vi.spyOn(storage, 'setAlarm');
      expect(await ring(outbox, storage, clock, clock.now + DAY)).toBeLessThanOrEqual(24);
      expect(set.mock.calls.length + rows.written()).toBeLessThanOrEqual(48);
    }));

  it('goes on where one alarm’s steps ended', () =>
    inOutbox(async (outbox, storage) => {
      addOld(storage.sql, 101_000);
      await outbox.alarm();
      expect(countMessages(storage.sql)).toBe(1_000);
      expect(await storage.getAlarm()).toBeLessThanOrEqual(Date.now());
      await outbox.alarm();
      expect(countMessages(storage.sql)).toBe(0);
    }));

  it('yields to a message that comes meanwhile, but gets through as much as a run sends', () =>
    runInDurableObject(env.OUTBOX.getByName('sales'), async (_, state) => {
      const { sql } = state.storage;
      // The platform would run it in another instance.
      state.storage.setAlarm = () => Promise.resolve();
      addOld(sql, 30_000);
      // Its numbers go on behind them.
      const outbox = new Outbox(state, env);
      const alarm = outbox.alarm();
      await eventually(() => expect(countMessages(sql)).toBeLessThan(30_000));
      await outbox.accept(acceptanceTo(['4915112345678']));
      await alarm;
      expect(countMessages(sql)).toBeGreaterThan(10_000);
      expect(countMessages(sql)).toBeLessThan(25_000);
    }));
});

describe('an outbox to which events keep coming', () => {
  it('deletes nothing: it overwrites what has expired, and counts the same after a restart', () =>
    runInDurableObject(env.OUTBOX.getByName(freshName()), async (_, state) => {
      const { storage } = state;
      const clock = fakeClock();
      storage.setAlarm = (at) => storage.put('alarm', Number(at));
      storage.deleteAlarm = async () => void (await storage.delete('alarm'));
      storage.getAlarm = async () => (await storage.get<number>('alarm')) ?? null;
      let outbox = new Outbox(state, env);
      let n = 0;
      const go = async (days: number): Promise<void> => {
        for (let times = 0; times < 4 * days; times += 1) {
          n += 1;
          const dedupe = { key: `key-${n}`, windowMs: DAY };
          await outbox.accept(acceptanceTo([], { state: 'unmatched', dedupe }));
          const next = clock.now + 6 * HOUR;
          await ring(outbox, storage, clock, next);
          clock.now = next;
        }
      };
      const stored = (): readonly unknown[] =>
        ['events', 'dedupe_claims'].map(
          (table) => storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one()['n'],
        );
      await go(31);
      const before = stored();
      for (const table of ['events', 'dedupe_claims'])
        storage.sql.exec(
          `CREATE TRIGGER keep_${table} BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, 'deleted'); END`,
        );
      const failed = vi.spyOn(console, 'error');
      await go(5);
      expect(failed).not.toHaveBeenCalled();
      expect(stored()).toEqual(before);
      expect(before).toEqual([121, 121]);
      const { totals } = outbox.metrics();
      outbox = new Outbox(state, env);
      expect(outbox.metrics().totals).toEqual(totals);
    }));
});

describe('an alarm that the platform gave up', () => {
  it('is back when anything calls the object after an eviction', async () => {
    const name = freshName();
    const stub = env.OUTBOX.getByName(name);
    await stub.accept(quietEvent());
    await deleteAlarm(name);
    await evictDurableObject(stub);
    await stub.status();
    await eventually(async () => expect(await alarmOf(name)).not.toBeNull());
  });

  it('costs nothing extra where it is the alarm that starts the object', async () => {
    const name = freshName();
    const stub = env.OUTBOX.getByName(name);
    await stub.accept(quietEvent());
    await runDurableObjectAlarm(stub);
    const set = await runInDurableObject(stub, (_, { storage }) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the next instance's storage inherits
      vi.spyOn(Object.getPrototypeOf(storage) as DurableObjectStorage, 'setAlarm'),
    );
    await evictDurableObject(stub);
    await runDurableObjectAlarm(stub);
    await stub.status();
    // Other objects set theirs meanwhile.
    const own = await runInDurableObject(
      stub,
      (_, { storage }) => set.mock.contexts.filter((one) => one === storage).length,
    );
    expect(own).toBe(1);
    set.mockRestore();
  });

  it('comes back by the registry’s alarm, with no traffic at all', async () => {
    await publish({
      accounts: { default: UNPACED },
      sources: { form: { verify: { scheme: 'none' }, routes: [] } },
    });
    await postJson('form', {});
    await runDurableObjectAlarm(env.OUTBOX.getByName('default'));
    await deleteAlarm('default');
    await evictDurableObject(env.OUTBOX.getByName('default'));

    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR);
    await runDurableObjectAlarm(registry(env));
    later.mockRestore();
    await eventually(async () => expect(await alarmOf('default')).not.toBeNull());
  });

  it('of the registry comes back by an outbox’s first sweep of a day', async () => {
    await runInDurableObject(registry(env), (_, { storage }) => storage.deleteAlarm());
    const tomorrow = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY);
    await inOutbox(async (outbox) => {
      await outbox.accept(quietEvent());
      await outbox.alarm();
    });
    tomorrow.mockRestore();
    await runInDurableObject(registry(env), async (_, { storage }) =>
      expect(await storage.getAlarm()).not.toBeNull(),
    );
  });
});

describe('a fault of sending', () => {
  it('delays no housekeeping: what has expired is deleted, and sending is tried again in 30 s', () =>
    inOutbox(async (outbox, storage) => {
      const clock = fakeClock();
      const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      const run = vi.spyOn(Loop.prototype, 'run').mockRejectedValueOnce(new Error('a bug'));
      onTestFinished(() => {
        logged.mockRestore();
        run.mockRestore();
      });
      addMessage(storage.sql, { seq: 1, state: 'sent', created_at: 0 });
      await outbox.alarm();
      expect(String(logged.mock.calls.at(-1)?.[0])).toContain('outbox.alarm.failed');
      expect(storage.sql.exec('SELECT seq FROM messages').toArray()).toEqual([]);
      expect(await storage.getAlarm()).toBe(clock.now + 30 * SECOND);
    }));
});

describe('a fault of housekeeping', () => {
  it('is logged, delays no message, and is put off', () =>
    inOutbox(async (outbox, storage) => {
      const clock = fakeClock();
      const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      onTestFinished(() => logged.mockRestore());
      addMessage(storage.sql, { seq: 1, state: 'sent', created_at: 0 });
      storage.sql.exec(
        "CREATE TRIGGER refuse BEFORE DELETE ON messages BEGIN SELECT RAISE(ABORT, 'a bug'); END",
      );
      await outbox.alarm();
      expect(logged).toHaveBeenCalledOnce();
      expect(String(logged.mock.calls[0]?.[0])).toContain('outbox.sweep.failed');
      expect(await storage.getAlarm()).toBe(clock.now + 5 * 60 * SECOND);
      storage.sql.exec('DROP TRIGGER refuse');
      await ring(outbox, storage, clock, clock.now + SWEEP_EACH_MS);
      expect(storage.sql.exec('SELECT 1 FROM messages').toArray()).toEqual([]);
    }));
});
