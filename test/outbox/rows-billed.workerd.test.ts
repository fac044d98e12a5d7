import { runInDurableObject } from 'cloudflare:test';
import { beforeAll, expect, it } from 'vitest';
import { retryMessages } from '../../src/outbox/operate.ts';
import { outboxGauges, MAX_COUNTED, outboxStatus } from '../../src/outbox/read/status.ts';
import { listMessages } from '../../src/outbox/read/read.ts';
import type { Acceptance } from '../../src/outbox/state/acceptance.ts';
import { eventually, turn } from '../eventually.ts';
import { inStorage, newOutbox } from './bare-outbox.ts';
import { Bench } from './bench.ts';
import { connectedOutbox, publishConnected } from './connected.ts';
import { accepted, addMany, countRows, draft, HOUR, START, TAG } from './support.ts';

const one = (phone: string, key: string, messages = 1): Acceptance => ({
  event: accepted({ dedupe: { key, windowMs: HOUR } }),
  messages: Array.from({ length: messages }, () => draft({ phone })),
});

beforeAll(() => publishConnected({ rate: false }));

it('a webhook costs five rows up to the gateway’s answer, and reads none of what it has just written', async () => {
  const { written, read } = await runInDurableObject(connectedOutbox(), async (outbox, { storage }) => {
    const rows = countRows(storage.sql);
    const counts = { written: [] as number[], read: [] as number[] };
    // None is billed for here.
    storage.setAlarm = () => Promise.resolve();
    for (let event = 0; event < 10; event += 1) {
      rows.reset();
      const { messages } = await outbox.accept(one('4915112346003', `k${event}`));
      counts.read.push(rows.read());
      await eventually(async () => expect((await outbox.readMessage(messages[0] ?? ''))?.state).toBe('sent'));
      // Recorded, and the run has ended.
      await turn();
      counts.written.push(rows.written());
    }
    return counts;
  });
  // An hour's or a start's rows come with any event.
  expect(Math.min(...written)).toBe(5);
  expect(written.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(10 * 5 + 6);
  expect(Math.min(...read)).toBeLessThanOrEqual(2);
});

it('counting costs no row of an event, and one a minute while nothing is sent', async () => {
  const written = await runInDurableObject(newOutbox(), async (outbox, { storage }) => {
    const rows = countRows(storage.sql);
    const counts: number[] = [];
    for (const [at, messages] of [1, 997, 2].entries()) {
      await outbox.accept(one('4915112346003', `k${at}`, messages));
      counts.push(rows.written());
    }
    return counts;
  });
  const [ofOne = 0] = written;
  expect(written).toEqual([ofOne, 2 * ofOne + 996 + 1, 3 * ofOne + 996 + 1 + 1]);
});

it('neither status nor gauges nor lists nor retries look at more than a bounded number of messages', () =>
  inStorage(({ storage, storage: { sql } }) => {
    for (const state of ['queued', 'retrying', 'dead', 'sent'] as const) {
      sql.exec('DELETE FROM messages');
      addMany(sql, 40_000, { state, next_at: state === 'retrying' ? START + HOUR : null });
      sql.exec("UPDATE messages SET state = 'uncertain' WHERE seq IN (7, 30000)");
      const rig = new Bench(storage);
      const read = { sql, tag: TAG, account: 'sales', claims: rig.claims };
      const parts = {
        meta: rig.meta,
        level: { bytes: 1_000, maxBytes: 9_000, state: 'ok' as const },
        incidents: { open: 0, waiting: 0 },
        escapes: { state: { failures: 0 } },
        canary: { status: () => ({}) },
      };
      const rows = countRows(sql);
      outboxStatus(read, parts, rig.policy, rig.now);
      expect(rows.read()).toBeLessThan(3 * MAX_COUNTED);
      rows.reset();
      outboxGauges({ ...read, meta: rig.meta, now: rig.now });
      expect(rows.read()).toBeLessThan(4 * MAX_COUNTED);
      rows.reset();
      expect(listMessages(read, { limit: 10, state: 'uncertain' }).items).toHaveLength(2);
      expect(rows.read()).toBeLessThan(20);
      rows.reset();
      const retried = retryMessages(rig.parts, { state: 'uncertain' }, 'token', {
        after: 0,
        isDryRun: true,
      });
      expect([retried.retried, rows.read() < 20]).toEqual([2, true]);
    }
  }));
