import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { admin, publish } from '../../integration/relay.ts';
import { addMessage } from '../../outbox/bare-outbox.ts';

/** Fills an outbox with dead letters, numbered from 1. */
const fill = (name: string, count: number) =>
  runInDurableObject(env.OUTBOX.getByName(name), (outbox, { storage }) => {
    outbox.pause('test', 'so that nothing is sent');
    storage.transactionSync(() => {
      for (let seq = 1; seq <= count; seq += 1) addMessage(storage.sql, { seq, state: 'dead' });
    });
  });

const retryAll = () =>
  admin<{ retried: number; more: boolean }>('POST', '/messages/retry', { state: 'dead' });

describe('POST /messages/retry', () => {
  beforeAll(() => publish({ accounts: { default: { rate: false, shards: 2 }, sales: {} } }));

  it('goes through every object of every account, a thousand at a time', async () => {
    await fill('default', 2_500);
    await fill('default#1', 1);
    await fill('sales', 1_000);
    expect(await retryAll()).toEqual({ status: 200, body: { retried: 3_501, more: false } });
    expect((await retryAll()).body).toEqual({ retried: 0, more: false });
  });

  it('ends, and says that there is more, when an outbox has more than one request takes', async () => {
    await runInDurableObject(env.OUTBOX.getByName('sales'), (_outbox, { storage: { sql } }) => {
      sql.exec('DELETE FROM messages');
    });
    await fill('sales', 20_500);
    expect((await retryAll()).body).toEqual({ retried: 20_000, more: true });
    expect((await retryAll()).body).toEqual({ retried: 500, more: false });
  });
});

describe('retry and cancel', () => {
  it.each(['retry', 'cancel'])('%s says 404 for an id that is none', async (action) => {
    const { status, body } = await admin<{ detail: string }>('POST', `/messages/msg_1/${action}`);
    expect(status).toBe(404);
    expect(body.detail).toContain('msg_1');
  });

  it('need the admin token', async () => {
    const { exports } = await import('cloudflare:workers');
    for (const path of [
      'messages/msg_1/retry',
      'messages/msg_1/cancel',
      'messages/retry',
      'events/evt_1/replay',
    ]) {
      const response = await exports.default.fetch(`https://relay.example/admin/api/v1/${path}`, {
        method: 'POST',
      });
      expect(response.status).toBe(401);
    }
  });
});
