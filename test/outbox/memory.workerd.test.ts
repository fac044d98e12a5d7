import { describe, expect, it } from 'vitest';
import { cancelMessages } from '../../src/outbox/operate/cancel-many.ts';
import { retryMessages, type OperateContext } from '../../src/outbox/operate/operate.ts';
import { listMessages } from '../../src/outbox/read/read.ts';
import type { MessageRow } from '../../src/outbox/state/message.ts';
import { addMessage, inOutbox } from './bare-outbox.ts';
import { Bench, reading } from './bench.ts';
import { TAG } from './support.ts';

const LARGE = 700_000;
const MESSAGES = 12;

/** The most characters that one query gave back at once: what has to be in memory together. */
function largestAnswer(sql: SqlStorage): () => number {
  let largest = 0;
  const exec = sql.exec.bind(sql);
  sql.exec = <Row extends Record<string, SqlStorageValue>>(query: string, ...values: unknown[]) => {
    const cursor = exec<Row>(query, ...values);
    const toArray = cursor.toArray.bind(cursor);
    cursor.toArray = () => {
      const rows = toArray();
      largest = Math.max(largest, JSON.stringify(rows).length);
      return rows;
    };
    return cursor;
  };
  return () => largest;
}

/** Runs `body` over an outbox that holds large messages in this state, and says how much one query gave back. */
const largestIn = (state: MessageRow['state'], body: (context: OperateContext) => void): Promise<number> =>
  inOutbox((_, { sql }) => {
    const params = JSON.stringify({ message: 'x'.repeat(LARGE) });
    for (let seq = 1; seq <= MESSAGES; seq += 1) addMessage(sql, { seq, state, params });
    const largest = largestAnswer(sql);
    body({ sql, now: Date.now(), by: 'token', isSending: () => false });
    return largest();
  });

describe('many large messages are never in memory together', () => {
  it('when they are retried', async () => {
    const largest = await largestIn('dead', (context) => {
      expect(retryMessages(context, { state: 'dead' }, { after: 0, isDryRun: false }).retried).toBe(MESSAGES);
    });
    expect(largest).toBeLessThan(2 * LARGE);
  });

  it.each([true, false])('when they are cancelled (only counted: %s)', async (isDryRun) => {
    const largest = await largestIn('queued', (context) => {
      expect(cancelMessages(context, {}, { after: 0, isDryRun }).cancelled).toBe(MESSAGES);
    });
    expect(largest).toBeLessThan(2 * LARGE);
  });

  it('when they are listed', async () => {
    const largest = await largestIn('sent', ({ sql }) => {
      const { claims } = new Bench(reading(sql));
      expect(listMessages({ sql, tag: TAG, account: 'a', claims }, { limit: 200 }).items).toHaveLength(1);
    });
    expect(largest).toBeLessThan(2 * LARGE);
  });
});
