import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { admin, isSent, message, postJson, publish } from './relay.ts';

/** Rows that statements on each table wrote since it was emptied. */
const written = new Map<string, number>();

const countRows = (): Promise<void> =>
  runInDurableObject(env.OUTBOX.getByName('default'), (_, { storage: { sql } }) => {
    const exec = sql.exec.bind(sql);
    sql.exec = <Row extends Record<string, SqlStorageValue>>(query: string, ...values: unknown[]) => {
      const cursor = exec<Row>(query, ...values);
      const table = /\b(?:INTO|UPDATE|FROM)\s+([a-z_]+)/i.exec(query)?.[1] ?? query;
      if (cursor.rowsWritten > 0) written.set(table, (written.get(table) ?? 0) + cursor.rowsWritten);
      return cursor;
    };
  });

const source = (text: string, actions?: object, to = '4915112395001') => ({
  verify: { scheme: 'none' },
  limit: false,
  routes: [{ name: 'ask', to, actions, send: { kind: 'text', message: text } }],
});

const SOURCES = {
  plain: source('May we?'),
  asking: source('May we? {{ actions.yes.url }}', { yes: { label: 'Yes' } }),
  fresh: source('May we?', undefined, '4915112395009'),
};

beforeAll(async () => {
  await publish({ sources: SOURCES });
  await admin('GET', '/accounts/default/status');
  await countRows();
});

/** The rows that an event of one message writes. The checkpoint’s are left out: each commit writes one. */
async function rowsOf(from: string): Promise<Readonly<Record<string, number>>> {
  written.clear();
  const accepted = await postJson(from, {});
  const { messages } = await accepted.json<{ messages: string[] }>();
  await message(messages[0] ?? '', isSent);
  const { checkpoint: _, ...rows } = Object.fromEntries(written);
  return rows;
}

/** The fewest of some events: a timer may write in the middle of one. */
async function fewestRowsOf(from: string): Promise<Readonly<Record<string, number>>> {
  const all = [await rowsOf(from), await rowsOf(from), await rowsOf(from)];
  const tables = new Set(all.flatMap((rows) => Object.keys(rows)));
  return Object.fromEntries(
    [...tables]
      .map((table) => [table, Math.min(...all.map((rows) => rows[table] ?? 0))] as const)
      .filter(([, rows]) => rows > 0),
  );
}

const metaRows = (): Promise<number> =>
  runInDurableObject(
    env.OUTBOX.getByName('default'),
    (_, { storage: { sql } }) => sql.exec<{ n: number }>('SELECT count(*) AS n FROM meta').one().n,
  );

describe('a first message to a number', () => {
  it('writes one row more, where new contacts are limited, and the second one none', async () => {
    const plain = await fewestRowsOf('plain');
    const accounts = { default: { rate: false, per_recipient: false, new_contacts: { per_day: 9 } } };
    await publish({ accounts, sources: SOURCES });
    const known = { to: '4915112395002', kind: 'text', message: 'x' };
    const { body } = await admin<{ id: string }>('POST', '/messages', known);
    await message(body.id, isSent);
    const first = await rowsOf('fresh');
    expect({ ...first, contacts: 0, meta: 0 }).toEqual({ ...plain, contacts: 0, meta: 0 });
    expect(first['contacts']).toBe(1);
    expect(await fewestRowsOf('fresh')).toEqual(plain);
    await publish({ sources: SOURCES });
  });
});

describe('a message with links', () => {
  it('writes no row more than one without, but for the outbox’s first, which makes the key', async () => {
    const plain = await fewestRowsOf('plain');
    const before = await metaRows();
    const first = await rowsOf('asking');
    expect({ ...first, meta: 0 }).toEqual({ ...plain, meta: 0 });
    expect(await metaRows()).toBe(before + 1);
    expect(await fewestRowsOf('asking')).toEqual(plain);
  });
});
