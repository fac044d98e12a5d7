import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { admin, postJson, publish, type MessageJson } from './relay.ts';

/** Rows that statements on each table wrote since it was emptied; `alarm`: how often the alarm was set, a row each. */
const written = new Map<string, number>();

const add = (what: string, rows: number): void => {
  if (rows > 0) written.set(what, (written.get(what) ?? 0) + rows);
};

/** Counts as the platform bills. */
const countRows = (): Promise<void> =>
  runInDurableObject(env.OUTBOX.getByName('default'), (_, { storage }) => {
    const { sql } = storage;
    const exec = sql.exec.bind(sql);
    sql.exec = <Row extends Record<string, SqlStorageValue>>(query: string, ...values: unknown[]) => {
      const cursor = exec<Row>(query, ...values);
      const table = /\b(?:INTO|UPDATE|FROM)\s+([a-z_]+)/i.exec(query)?.[1] ?? query;
      add(table, cursor.rowsWritten);
      return cursor;
    };
    const setAlarm = storage.setAlarm.bind(storage);
    storage.setAlarm = (...args) => {
      add('alarm', 1);
      return setAlarm(...args);
    };
  });

const SEND = { kind: 'text', message: '{{ count }} firing' };
const route = (name: string, to: string, group: object): object => ({
  name,
  when: `payload.route == "${name}"`,
  each: 'payload.alerts',
  to,
  incident: { key: '{{ item.name }}' },
  group,
  send: SEND,
});

const post = async (name: string, names: readonly string[]): Promise<void> => {
  const alerts = names.map((one) => ({ name: one }));
  expect((await postJson('alerts', { route: name, alerts })).status).toBe(202);
};

const members = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `member-${n}`);

const sent = async (phone: string): Promise<number> =>
  (await admin<{ items: MessageJson[] }>('GET', `/messages?phone=${phone}&state=sent`)).body.items.length;

/** Until the object writes nothing more: what it does after a commit it has done when it has answered some questions. */
async function quiet(): Promise<void> {
  for (let before = ''; before !== JSON.stringify([...written]);) {
    before = JSON.stringify([...written]);
    for (let asked = 0; asked < 5; asked += 1) await admin('GET', '/accounts/default/status');
  }
}

/** The rows that an event writes, its own and its dedupe row's not counted. */
async function rowsOf(body: () => Promise<void>): Promise<Readonly<Record<string, number>>> {
  await quiet();
  written.clear();
  await body();
  await quiet();
  const { events: _, dedupe_claims: __, ...rows } = Object.fromEntries(written);
  return rows;
}

const total = (rows: Readonly<Record<string, number>>): number =>
  Object.values(rows).reduce((sum, some) => sum + some, 0);

const SIZES = [10, 1_000];
const phoneOf = (size: number, isReported: boolean): string =>
  String(4_915_112_370_000 + size + (isReported ? 1 : 0));

describe('an item that joins an open group', () => {
  beforeAll(async () => {
    const routes = SIZES.flatMap((size) => [
      route(`reported-${size}`, phoneOf(size, true), { wait: '1s', interval: '1h' }),
      route(`new-${size}`, phoneOf(size, false), { wait: '1h', interval: '1h' }),
    ]);
    await publish({
      sources: {
        alerts: { verify: { scheme: 'none' }, limit: false, routes },
        form: {
          verify: { scheme: 'none' },
          limit: false,
          routes: [
            { name: 'all', to: '4915112379999', send: { kind: 'text', message: '{{ payload.name }}' } },
          ],
        },
      },
    });
    await postJson('form', { name: 'first' });
    await eventually(async () => expect(await sent('4915112379999')).toBe(1));
    await countRows();
  });

  it.each(SIZES)('of %i that waits to be reported writes at most 3 rows', async (size) => {
    await post(`new-${size}`, members(size));
    const rows = await rowsOf(() => post(`new-${size}`, ['late']));
    expect(rows['incidents'], JSON.stringify(rows)).toBe(2);
    expect(total(rows), JSON.stringify(rows)).toBeLessThanOrEqual(3);
  });

  it.each(SIZES)('of %i that was reported writes at most 3 rows', async (size) => {
    await post(`reported-${size}`, members(size));
    await eventually(async () => expect(await sent(phoneOf(size, true))).toBe(1));
    // With its commit the last message is recorded.
    await post(`reported-${size}`, ['early']);
    const rows = await rowsOf(() => post(`reported-${size}`, ['late']));
    expect(rows['incidents'], JSON.stringify(rows)).toBe(2);
    expect(total(rows), JSON.stringify(rows)).toBeLessThanOrEqual(3);
  });

  it.each(SIZES)('of %i again writes one row, and an alarm at most', async (size) => {
    const rows = await rowsOf(() => post(`reported-${size}`, ['member-3']));
    expect(rows['incidents'], JSON.stringify(rows)).toBe(1);
    expect(total(rows), JSON.stringify(rows)).toBeLessThanOrEqual(2);
  });
});

describe('a webhook of a route without any of these keys', () => {
  it('writes no row of an item or of a group', async () => {
    const rows = await rowsOf(() => postJson('form', { name: 'second' }).then(() => undefined));
    expect(Object.keys(rows)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/incidents|subscribers/)]),
    );
    expect(rows['messages']).toBeGreaterThan(0);
  });
});
