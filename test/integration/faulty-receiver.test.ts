import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { watchOutside } from './outside.ts';
import { admin, callsTo, postJson, publish, type MessageJson } from './relay.ts';

const FAULTY = '4915112380042';
const OTHERS = ['4915112380041', '4915112380043'] as const;
const outbox = env.OUTBOX.getByName('default');

const publishTo = (source: string, to: readonly string[], message = '{{ count }} firing'): Promise<void> =>
  publish({
    sources: {
      [source]: {
        verify: { scheme: 'none' },
        routes: [
          {
            name: 'all',
            to,
            incident: { key: '{{ payload.id }}' },
            send: { kind: 'text', message },
          },
        ],
      },
    },
  });

beforeAll(async () => {
  watchOutside();
  await publishTo('alerts', [OTHERS[0], FAULTY, OTHERS[1]]);
});

/** From now on, such a write of a row of that receiver throws. */
const breakWrites = (write: string, phone = FAULTY): Promise<void> =>
  runInDurableObject(outbox, (_, { storage: { sql } }) => {
    sql.exec(
      `CREATE TRIGGER faulty BEFORE ${write} WHEN NEW.phone = '${phone}'
         BEGIN SELECT RAISE(ABORT, 'it cannot be written'); END`,
    );
  });
const repair = (): Promise<void> =>
  runInDurableObject(outbox, (_, { storage: { sql } }) => void sql.exec('DROP TRIGGER IF EXISTS faulty'));

afterEach(repair);

const listed = async (): Promise<readonly MessageJson[]> =>
  (await admin<{ items: readonly MessageJson[] }>('GET', '/messages')).body.items;
const called = async (phone: string): Promise<number> => (await callsTo(phone)).length;

it('a receiver whose message cannot be written keeps no other from being notified, and these get one message', async () => {
  await breakWrites('INSERT ON messages');
  await postJson('alerts', { id: 'disk' });
  await eventually(async () => {
    for (const phone of OTHERS) expect(await callsTo(phone)).toHaveLength(1);
  });
  // The next item has everything looked at again.
  await postJson('alerts', { id: 'fan' });
  await eventually(async () => {
    for (const phone of OTHERS) expect(await callsTo(phone)).toHaveLength(2);
  });
  const { body } = await admin<{ items: readonly MessageJson[] }>('GET', '/messages');
  expect(body.items.map(({ phone, state }) => `${phone} ${state}`).toSorted()).toEqual(
    OTHERS.flatMap((phone) => [`${phone} sent`, `${phone} sent`]),
  );
});

it('a receiver whose queued message cannot be brought up to date keeps no other from getting theirs', async () => {
  // The other one's rest after a fault is not over.
  const phone = '4915112380046';
  const to = [OTHERS[0], phone, OTHERS[1]];
  await publishTo('queued', to);
  await runInDurableObject(outbox, (object) => object.pause('anna', 'a test'));
  await postJson('queued', { id: 'cpu' });
  await publishTo('queued', to, '{{ count }} open');
  await breakWrites('UPDATE OF params ON messages', phone);
  await runInDurableObject(outbox, (object) => object.resume());
  await postJson('queued', { id: 'net' });
  await eventually(async () => {
    const queued = (await listed()).filter(({ source }) => source === 'queued');
    for (const other of OTHERS) {
      const own = queued.filter((one) => one.phone === other);
      expect(own.map(({ state, attempts }) => `${state} ${attempts.length}`)).toEqual(['sent 1', 'sent 1']);
      expect(own.map(({ params }) => params['message'])).toEqual(['1 open', '1 open']);
    }
  });
  const left = (await listed()).filter((one) => one.phone === phone);
  expect(left.map(({ state, attempts }) => `${state} ${attempts.length}`)).toContain('queued 0');
});

it.each([
  ['message', 'UPDATE OF attempts ON messages'],
  ['incident', 'UPDATE OF state ON incidents'],
])(
  'a call whose record cannot be written, in the row of its %s, keeps no other from being made',
  async (name, write) => {
    const phone = name === 'message' ? '4915112380044' : '4915112380045';
    await publishTo(name, [phone, OTHERS[0]]);
    await breakWrites(write, phone);
    const before = await called(OTHERS[0]);
    await postJson(name, { id: 'disk' });
    await eventually(async () => expect(await called(phone)).toBe(1));
    for (let more = 1; more <= 12; more += 1) {
      await postJson(name, { id: `more-${more}` });
      await eventually(async () => expect(await called(OTHERS[0])).toBeGreaterThanOrEqual(before + more));
    }
    // The alarm tries again, in vain, and comes again for it.
    await runDurableObjectAlarm(outbox);
    const at = await runInDurableObject(outbox, (_, { storage }) => storage.getAlarm());
    expect((at ?? Infinity) - Date.now()).toBeLessThan(40_000);
    await repair();
    // Any later commit writes the record.
    await postJson(name, { id: 'last' });
    await eventually(async () => {
      const { body } = await admin<{ items: readonly MessageJson[] }>('GET', `/messages?phone=${phone}`);
      expect(body.items.length).toBeGreaterThan(1);
      for (const { state, attempts } of body.items) expect([state, attempts.length]).toEqual(['sent', 1]);
      expect(await called(phone)).toBe(body.items.length);
    });
  },
);
