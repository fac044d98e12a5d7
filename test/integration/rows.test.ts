import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { admin, isSent, listOf, message, newPhone, open, outbox, publish, take, text } from './relay.ts';
import { UNPACED } from './relay.ts';

type Rows = Readonly<Record<string, number>>;

/** Rows that statements on each table wrote since it was emptied; `alarm`: how often the alarm was set, a row each. */
const written = new Map<string, number>();
const add = (what: string, rows: number): void => {
  if (rows > 0) written.set(what, (written.get(what) ?? 0) + rows);
};

/** Counts as the platform bills. */
const countRows = (): Promise<void> =>
  runInDurableObject(outbox(), (_, { storage }) => {
    const { sql } = storage;
    const exec = sql.exec.bind(sql);
    sql.exec = <Row extends Record<string, SqlStorageValue>>(query: string, ...values: unknown[]) => {
      const cursor = exec<Row>(query, ...values);
      add(/\b(?:INTO|UPDATE|FROM)\s+([a-z_]+)/i.exec(query)?.[1] ?? query, cursor.rowsWritten);
      return cursor;
    };
    const setAlarm = storage.setAlarm.bind(storage);
    storage.setAlarm = (...args) => {
      add('alarm', 1);
      return setAlarm(...args);
    };
  });

/** Until the object writes nothing more: what it does after a commit it has done when it has answered some questions. */
async function quiet(): Promise<void> {
  for (let before = ''; before !== JSON.stringify([...written]);) {
    before = JSON.stringify([...written]);
    for (let asked = 0; asked < 5; asked += 1) await admin('GET', '/accounts/default/status');
  }
}

/** The rows that some work writes; those of its event and of each commit's checkpoint are not counted. */
async function rowsOf(work: () => Promise<unknown>): Promise<Rows> {
  await quiet();
  written.clear();
  await work();
  await quiet();
  const { events: _, dedupe_claims: __, checkpoint: ___, ...rows } = Object.fromEntries(written);
  return rows;
}
const total = (rows: Rows): number => Object.values(rows).reduce((sum, some) => sum + some, 0);

const SIZES = [10, 1_000];
const phones = new Map(SIZES.map((size) => [size, newPhone()]));
const group = (name: string, to: string, wait: string): object => ({
  name,
  when: `payload.route == "${name}"`,
  each: 'payload.alerts',
  to,
  incident: { key: '{{ item.name }}' },
  group: { wait, interval: '1h' },
  send: text('{{ count }} firing'),
});
const asking = (words: string, to: string, actions?: object) =>
  open([{ name: 'ask', to, actions, send: text(words) }]);
const SOURCES = {
  alerts: open(
    SIZES.flatMap((size) => [
      group(`reported-${size}`, phones.get(size) ?? '', '1s'),
      group(`new-${size}`, newPhone(), '1h'),
    ]),
  ),
  plain: asking('May we?', newPhone()),
  asking: asking('May we? {{ actions.yes.url }}', newPhone(), { yes: { label: 'Yes' } }),
  fresh: asking('May we?', newPhone()),
};

beforeAll(async () => {
  await publish({ sources: SOURCES });
  await sends('plain');
  await countRows();
});

async function sends(from: string): Promise<void> {
  const { messages } = await take(from, {});
  await message(messages[0] ?? '', isSent);
}

/** The rows of each table that a message's event writes, the fewest of some: a timer may write in the middle of one. */
async function fewestRowsOf(from: string): Promise<Rows> {
  const all = [
    await rowsOf(() => sends(from)),
    await rowsOf(() => sends(from)),
    await rowsOf(() => sends(from)),
  ];
  const fewest = [...new Set(all.flatMap((rows) => Object.keys(rows)))].map(
    (table) => [table, Math.min(...all.map((rows) => rows[table] ?? 0))] as const,
  );
  return Object.fromEntries(fewest.filter(([table, rows]) => rows > 0 && table !== 'alarm'));
}
const messageRows = async (from: string): Promise<Rows> => {
  const { alarm: _, ...rows } = await rowsOf(() => sends(from));
  return rows;
};

describe('a message', () => {
  it('writes no row of an item or of a group', async () => {
    const rows = await rowsOf(() => sends('plain'));
    expect(Object.keys(rows).filter((table) => /incidents|subscribers/.test(table))).toEqual([]);
    expect(rows['messages']).toBeGreaterThan(0);
  });

  it('with links writes no row more than one without, but for the outbox’s first, which makes the key', async () => {
    const plain = await fewestRowsOf('plain');
    const metaRows = () =>
      runInDurableObject(
        outbox(),
        (_, { storage: { sql } }) => sql.exec<{ n: number }>('SELECT count(*) AS n FROM meta').one().n,
      );
    const before = await metaRows();
    expect({ ...(await messageRows('asking')), meta: 0 }).toEqual({ ...plain, meta: 0 });
    expect(await metaRows()).toBe(before + 1);
    expect(await fewestRowsOf('asking')).toEqual(plain);
  });

  it('that is the first to a number writes one row more, where new contacts are limited, and the second one none', async () => {
    const plain = await fewestRowsOf('plain');
    const limited = { default: { ...UNPACED, new_contacts: { per_day: 9 } } };
    await publish({ accounts: limited, sources: SOURCES });
    const known = { to: newPhone(), kind: 'text', message: 'x' };
    const { body } = await admin<{ id: string }>('POST', '/messages', known);
    await message(body.id, isSent);
    const first = await messageRows('fresh');
    expect({ ...first, contacts: 0, meta: 0 }).toEqual({ ...plain, contacts: 0, meta: 0 });
    expect(first['contacts']).toBe(1);
    expect(await fewestRowsOf('fresh')).toEqual(plain);
    await publish({ sources: SOURCES });
  });
});

describe.each(SIZES)('an item that joins an open group of %i', (size) => {
  const post = (name: string, names: readonly string[]) =>
    take('alerts', { route: `${name}-${size}`, alerts: names.map((one) => ({ name: one })) });
  const members = Array.from({ length: size }, (_, n) => `member-${n}`);
  const isCheap = (rows: Rows, incidents: number, most: number): void => {
    expect(rows['incidents'], JSON.stringify(rows)).toBe(incidents);
    expect(total(rows), JSON.stringify(rows)).toBeLessThanOrEqual(most);
  };

  it('writes at most 3 rows, reported or not, and one row and an alarm if it is in it', async () => {
    await post('new', members);
    isCheap(await rowsOf(() => post('new', ['late'])), 2, 3);
    await post('reported', members);
    const sent = () => listOf(`/messages?phone=${phones.get(size)}&state=sent`);
    await eventually(async () => expect(await sent()).toHaveLength(1));
    // With its commit the last message is recorded.
    await post('reported', ['early']);
    isCheap(await rowsOf(() => post('reported', ['late'])), 2, 3);
    isCheap(await rowsOf(() => post('reported', ['member-3'])), 1, 2);
  });
});
