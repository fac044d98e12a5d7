import { describe, expect, it } from 'vitest';
import { Queue } from '../../../src/outbox/send/queue.ts';
import { addMessage, inStorage } from '../bare-outbox.ts';

const FLOODED = '4915100000001';
const OTHER = '4915100000002';
const NOW = 1_000_000;
const HOUR = 3_600_000;
const FLOOD = 60_000;

/** Rows from this number on, as quickly as a test needs N. */
function flood(sql: SqlStorage, from: number, count: number, over: { phone?: string; nextAt?: number } = {}) {
  const { phone = FLOODED, nextAt = null } = over;
  addMessage(sql, { seq: from, phone, next_at: nextAt });
  sql.exec(
    `INSERT INTO messages (seq, source, route, kind, phone, params, state, priority, on_uncertain, next_at, created_at, config_version)
       WITH RECURSIVE n (seq) AS (SELECT ? UNION ALL SELECT seq + 1 FROM n WHERE seq < ?)
       SELECT seq, source, route, kind, phone, params, state, priority, on_uncertain, next_at, created_at, config_version
         FROM n, (SELECT source, route, kind, phone, params, state, priority, on_uncertain, next_at, created_at, config_version
           FROM messages WHERE seq = ?)`,
    from + 1,
    from + count - 1,
    from,
  );
}

class Sender {
  queue: Queue;
  now = NOW;
  /** The time when a receiver may have another message (ms). */
  opensAt: (phone: string | null) => number = () => NOW;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.queue = this.#open(0);
  }

  restart(): void {
    this.queue = this.#open(this.queue.cursor);
  }

  /** The next messages, each answered before the next. */
  take(count: number): readonly number[] {
    const seqs: number[] = [];
    for (let turn = 0; turn < count; turn += 1) {
      this.queue.load(this.now);
      const next = this.queue.turns.take(this.now, this.opensAt);
      if (next === null) {
        if (this.queue.nextAt(this.now) === this.now) continue;
        break;
      }
      seqs.push(next.seq);
      this.#sql.exec("UPDATE messages SET state = 'sent', next_at = NULL WHERE seq = ?", next.seq);
      this.queue.turns.release(next);
    }
    return seqs;
  }

  #open(cursor: number): Queue {
    return new Queue({ sql: this.#sql, cursor, isInFlight: () => false });
  }
}

const withFlood = (body: (sender: Sender, sql: SqlStorage) => void): Promise<void> =>
  inStorage(({ storage: { sql } }) => {
    flood(sql, 1, FLOOD);
    body(new Sender(sql), sql);
  });

const KINDS = [
  ['fresh', {}],
  ['urgent', { priority: 1, next_at: NOW - 1 }],
  ['to be retried', { state: 'retrying', next_at: NOW - 1 }],
] as const;

describe('more messages for one receiver than fit into memory', () => {
  it.each(KINDS)('do not hold up one for another that is %s', (_, over) =>
    withFlood((sender, sql) => {
      addMessage(sql, { seq: FLOOD + 1, phone: OTHER, source: 'other', ...over });
      expect(sender.take(20)).toContain(FLOOD + 1);
    }),
  );

  it('do not hold up an urgent one, or a retry, for the same receiver', () =>
    withFlood((sender, sql) => {
      sender.take(5);
      addMessage(sql, { seq: FLOOD + 1, phone: FLOODED, priority: 1, next_at: NOW - 1 });
      sql.exec("UPDATE messages SET state = 'retrying', next_at = ? WHERE seq = 2", NOW - 1);
      sender.queue.changed(NOW);
      expect(sender.take(2)).toEqual([FLOOD + 1, 2]);
    }));

  it('leave room for others, however many such receivers there are', () =>
    inStorage(({ storage: { sql } }) => {
      const receivers = 20;
      for (let n = 0; n < receivers; n += 1) flood(sql, 1 + n * 6_000, 6_000, { phone: `49151000001${n}` });
      addMessage(sql, { seq: receivers * 6_000 + 1, phone: OTHER, source: 'other' });
      const sender = new Sender(sql);
      expect(sender.take(100)).toContain(receivers * 6_000 + 1);
      expect(sender.queue.turns.size).toBeLessThan(40_000);
    }));

  it('are all sent, each once and in their order, and what is not sent is after the cursor', () =>
    inStorage(({ storage: { sql } }) => {
      flood(sql, 1, 12_000);
      flood(sql, 12_001, 10, { phone: OTHER });
      flood(sql, 12_011, 3_000);
      const sender = new Sender(sql);
      const sent: number[] = [];
      for (let some = sender.take(1_000); some.length > 0; some = sender.take(1_000)) {
        sent.push(...some);
        const { cursor } = sender.queue;
        expect(sent.filter((seq) => seq <= cursor)).toHaveLength(cursor);
        if (sent.length === 7_000) sender.restart();
      }
      const toFlooded = sent.filter((seq) => seq <= 12_000 || seq > 12_010);
      expect(toFlooded).toEqual(toFlooded.toSorted((one, other) => one - other));
      expect(new Set(sent).size).toBe(15_010);
      expect(sender.queue.cursor).toBe(15_010);
      expect(sender.queue.atMost).toBe(0);
      expect(sender.queue.nextAt(NOW)).toBeNull();
    }));

  it('keep their order with those that are accepted meanwhile', () =>
    inStorage(({ storage: { sql } }) => {
      flood(sql, 1, 7_000);
      const sender = new Sender(sql);
      const first = sender.take(100);
      expect(sender.queue.turns.size).toBeLessThan(7_000 - 100);
      addMessage(sql, { seq: 7_001, phone: FLOODED });
      const [row] = sql.exec('SELECT * FROM messages WHERE seq = 7001').toArray();
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row of the table
      sender.queue.accepted([{ row: row as never, receivedAt: NOW }]);
      const rest = sender.take(10_000);
      expect([...first, ...rest]).toEqual(Array.from({ length: 7_001 }, (_, n) => n + 1));
    }));

  it('are all sent when they are due, too', () =>
    inStorage(({ storage: { sql } }) => {
      flood(sql, 1, 12_000, { nextAt: NOW - 10 });
      flood(sql, 12_001, 10, { phone: OTHER, nextAt: NOW - 1 });
      const sender = new Sender(sql);
      expect(sender.take(40)).toContain(12_001);
      const rest = sender.take(20_000);
      expect(rest).toHaveLength(12_010 - 40);
      expect(sender.queue.nextAt(NOW)).toBeNull();
    }));

  it('are forgotten when they are cancelled', () =>
    withFlood((sender, sql) => {
      sender.take(5);
      sql.exec("UPDATE messages SET state = 'cancelled' WHERE state = 'queued' AND seq > 2000");
      for (let seq = 2_001; seq <= FLOOD; seq += 1) sender.queue.turns.remove({ seq, phone: FLOODED });
      expect(sender.take(10_000)).toHaveLength(2_000 - 5);
      expect(sender.queue.cursor).toBe(FLOOD);
      expect(sender.queue.atMost).toBe(0);
    }));
});

/** The flooded receiver has reached its cap: it gets nothing for an hour. */
const withFloodAtCap = (body: (sender: Sender, sql: SqlStorage) => void): Promise<void> =>
  withFlood((sender, sql) => {
    sender.opensAt = (phone) => (phone === FLOODED ? NOW + HOUR : NOW);
    body(sender, sql);
  });

describe('more messages than fit into memory for a receiver that has reached its cap', () => {
  it.each(KINDS)('do not hold up one for another that is %s', (_, over) =>
    withFloodAtCap((sender, sql) => {
      addMessage(sql, { seq: FLOOD + 1, phone: OTHER, source: 'other', ...over });
      expect(sender.take(20)).toEqual([FLOOD + 1]);
    }),
  );

  it('do not hold up what comes later, and have nothing read again and again until it opens', () =>
    withFloodAtCap((sender, sql) => {
      expect(sender.take(20)).toEqual([]);
      expect(sender.queue.nextAt(NOW)).toBe(NOW + HOUR);
      for (const [at, [, over]] of KINDS.entries())
        addMessage(sql, { seq: FLOOD + 1 + at, phone: OTHER, source: 'other', ...over });
      sender.queue.changed(NOW);
      expect(new Set(sender.take(20))).toEqual(new Set([FLOOD + 1, FLOOD + 2, FLOOD + 3]));
      expect(sender.queue.nextAt(NOW)).toBe(NOW + HOUR);
      expect(sender.queue.atMost).toBe(FLOOD);
    }));

  it('are all sent in their order when it opens, after a restart as well', () =>
    withFloodAtCap((sender) => {
      expect(sender.take(20)).toEqual([]);
      sender.now = NOW + HOUR - 1;
      expect(sender.take(20)).toEqual([]);
      sender.now = NOW + HOUR;
      const before = sender.take(10_000);
      sender.restart();
      expect([...before, ...sender.take(10_000)]).toEqual(Array.from({ length: 20_000 }, (_, n) => n + 1));
      expect(sender.queue.cursor).toBe(20_000);
      expect(sender.queue.atMost).toBe(FLOOD - 20_000);
    }));
});
