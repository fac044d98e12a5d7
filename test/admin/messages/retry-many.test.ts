import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, expect, it } from 'vitest';
import { admin, publish } from '../../integration/relay.ts';
import { addMessage } from '../../outbox/bare-outbox.ts';

/** Fills an outbox with dead letters, numbered from 1. */
const fill = (name: string, count: number) =>
  runInDurableObject(env.OUTBOX.getByName(name), (outbox, { storage }) => {
    outbox.pause('test');
    storage.transactionSync(() => {
      for (let seq = 1; seq <= count; seq += 1) addMessage(storage.sql, { seq, state: 'dead' });
    });
  });

interface Retried {
  readonly retried: number;
  readonly phones?: readonly string[];
  readonly more: boolean;
  readonly next_cursor: string | null;
}

const retryAll = () => admin<Retried>('POST', '/messages/retry', { state: 'dead' });

const step = (body: object, query = '') => admin<Retried>('POST', `/messages/retry${query}`, body);

beforeAll(() => publish({ accounts: { default: { rate: false }, sales: {}, press: {} } }));

it('POST /messages/retry goes through every account, a thousand at a time', async () => {
  await fill('default', 2_500);
  await fill('press', 1);
  await fill('sales', 1_000);
  expect(await retryAll()).toEqual({ status: 200, body: { retried: 3_501, more: false, next_cursor: null } });
  expect((await retryAll()).body).toEqual({ retried: 0, more: false, next_cursor: null });
});

it('POST /messages/retry ends, says that there is more, goes on where it was, and counts without doing anything', async () => {
  await runInDurableObject(env.OUTBOX.getByName('sales'), (_outbox, { storage: { sql } }) => {
    sql.exec('DELETE FROM messages');
  });
  await fill('sales', 20_500);
  const first = (await step({ state: 'dead' }, '?dry_run=true')).body;
  expect(first).toMatchObject({ retried: 20_000, more: true });
  const next = (await step({ state: 'dead', cursor: first.next_cursor }, '?dry_run=true')).body;
  expect(next).toMatchObject({ retried: 500, more: false, next_cursor: null });
  expect((await step({ state: 'dead', cursor: first.next_cursor })).body.retried).toBe(500);
  expect((await retryAll()).body.retried).toBe(20_000);
});

it('POST /messages/retry leaves what does not match', async () => {
  await publish({ accounts: { default: {}, other: {} } });
  await fill('other', 1);
  for (const filter of [{ phone: '4930' }, { event: 'evt_0' }, { source: 'form' }, { since: '1ms' }])
    expect((await step({ state: 'dead', ...filter }, '?dry_run=true')).body.retried).toBe(0);
  expect((await step({ state: 'dead' }, '?dry_run=true')).body.retried).toBe(1);
});

it('POST /messages/retry finds a number in any spelling', async () => {
  await runInDurableObject(env.OUTBOX.getByName('default'), (_outbox, { storage: { sql } }) => {
    sql.exec('DELETE FROM messages');
    addMessage(sql, { seq: 1, state: 'dead', phone: '4915112345699' });
  });
  for (const phone of ['4915112345699', '+49 151 12345699', '0049 (0)151 12345699'])
    expect((await step({ state: 'dead', phone }, '?dry_run=true')).body.retried).toBe(1);
});

it('POST /messages/retry names the receivers when it only counts, and not when it retries', async () => {
  await publish({ accounts: { default: {}, other: {} } });
  for (const name of ['default', 'other'])
    await runInDurableObject(env.OUTBOX.getByName(name), (_outbox, { storage: { sql } }) => {
      sql.exec('DELETE FROM messages');
      for (const seq of [1, 2])
        addMessage(sql, { seq, state: 'dead', phone: seq === 1 ? '4930001' : `${name}@example.com` });
    });
  const { body } = await step({ state: 'dead' }, '?dry_run=true');
  expect(body.phones?.toSorted()).toEqual(['4930001', 'default@example.com', 'other@example.com']);
  expect((await retryAll()).body).not.toHaveProperty('phones');
});

it('POST /messages/retry refuses a cursor of another list', async () => {
  const cursor = btoa('{"default":"evt_1"}').replaceAll('=', '');
  for (const wrong of ['x', cursor]) expect((await step({ state: 'dead', cursor: wrong })).status).toBe(422);
});
