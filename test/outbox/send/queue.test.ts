import { expect } from 'vitest';
import { Queue } from '../../../src/outbox/send/queue.ts';
import { it } from '../it.ts';
import { messageSample } from '../samples.ts';
import { addMany, addMessage, HOUR, rowOf } from '../support.ts';

const FLOODED = '4915100000001';
const OTHER = '4915100000002';
const NOW = 1_000_000;
const FLOOD = 12_000;

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

/** More messages for one receiver than fit into memory. At the cap: it gets nothing for an hour. */
function flooded(sql: SqlStorage, isAtCap = false): Sender {
  sql.exec('DELETE FROM messages');
  addMany(sql, FLOOD, { phone: FLOODED });
  const sender = new Sender(sql);
  if (isAtCap) sender.opensAt = (phone) => (phone === FLOODED ? NOW + HOUR : NOW);
  return sender;
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);

/** For another receiver: fresh, urgent, and to be retried. */
const KINDS = [{}, { priority: 1, next_at: NOW - 1 }, { state: 'retrying', next_at: NOW - 1 }] as const;

it('a flood for one receiver holds up no message for another, though it is at the cap', ({ sql }) => {
  for (const isAtCap of [false, true])
    for (const over of KINDS) {
      const sender = flooded(sql, isAtCap);
      addMessage(sql, { seq: FLOOD + 1, phone: OTHER, source: 'other', ...over });
      const taken = sender.take(20);
      expect(taken).toContain(FLOOD + 1);
      expect([isAtCap, over, taken.length]).toEqual([isAtCap, over, isAtCap ? 1 : 20]);
    }
});

it('a flood holds up no urgent message and no retry for the same receiver', ({ sql }) => {
  const sender = flooded(sql);
  sender.take(5);
  addMessage(sql, { seq: FLOOD + 1, phone: FLOODED, priority: 1, next_at: NOW - 1 });
  sql.exec("UPDATE messages SET state = 'retrying', next_at = ? WHERE seq = 2", NOW - 1);
  sender.queue.changed(NOW);
  expect(sender.take(2)).toEqual([FLOOD + 1, 2]);
});

it('floods for many receivers leave room for others', ({ sql }) => {
  const receivers = 20;
  for (let n = 0; n < receivers; n += 1) addMany(sql, 6_000, { phone: `49151000001${n}` }, 1 + n * 6_000);
  addMessage(sql, { seq: receivers * 6_000 + 1, phone: OTHER, source: 'other' });
  const sender = new Sender(sql);
  expect(sender.take(100)).toContain(receivers * 6_000 + 1);
  expect(sender.queue.turns.size).toBeLessThan(40_000);
});

it('a flood is sent whole, each once and in order, over a restart', ({ sql }) => {
  addMany(sql, 6_000, { phone: FLOODED });
  addMany(sql, 10, { phone: OTHER }, 6_001);
  addMany(sql, 3_000, { phone: FLOODED }, 6_011);
  const sender = new Sender(sql);
  const sent: number[] = [];
  for (let some = sender.take(1_000); some.length > 0; some = sender.take(1_000)) {
    sent.push(...some);
    const { cursor } = sender.queue;
    expect(sent.filter((seq) => seq <= cursor)).toHaveLength(cursor);
    if (sent.length === 4_000) sender.restart();
  }
  const toFlooded = sent.filter((seq) => seq <= 6_000 || seq > 6_010);
  expect(toFlooded).toEqual(toFlooded.toSorted((one, other) => one - other));
  expect(new Set(sent).size).toBe(9_010);
  expect([sender.queue.cursor, sender.queue.atMost, sender.queue.nextAt(NOW)]).toEqual([9_010, 0, null]);
});

it('a flood keeps its order with what is accepted meanwhile', ({ sql }) => {
  addMany(sql, 7_000, { phone: FLOODED });
  const sender = new Sender(sql);
  const first = sender.take(100);
  expect(sender.queue.turns.size).toBeLessThan(7_000 - 100);
  addMessage(sql, { seq: 7_001, phone: FLOODED });
  sender.queue.accepted([{ row: rowOf(sql, 7_001), receivedAt: NOW }]);
  expect([...first, ...sender.take(10_000)]).toEqual(upTo(7_001));
});

it('a flood that is due is sent whole, too', ({ sql }) => {
  addMany(sql, 7_000, { phone: FLOODED, next_at: NOW - 10 });
  addMany(sql, 10, { phone: OTHER, next_at: NOW - 1 }, 7_001);
  const sender = new Sender(sql);
  expect(sender.take(40)).toContain(7_001);
  expect(sender.take(20_000)).toHaveLength(7_010 - 40);
  expect(sender.queue.nextAt(NOW)).toBeNull();
});

it('a flood that is cancelled is forgotten', ({ sql }) => {
  const sender = flooded(sql);
  sender.take(5);
  sql.exec("UPDATE messages SET state = 'cancelled' WHERE state = 'queued' AND seq > 2000");
  for (let seq = 2_001; seq <= FLOOD; seq += 1) sender.queue.turns.remove({ seq, phone: FLOODED });
  expect(sender.take(10_000)).toHaveLength(2_000 - 5);
  expect([sender.queue.cursor, sender.queue.atMost]).toEqual([FLOOD, 0]);
});

it('a flood at the cap is read once until it opens, and is then sent in order, over a restart', ({ sql }) => {
  const sender = flooded(sql, true);
  expect(sender.take(20)).toEqual([]);
  expect(sender.queue.nextAt(NOW)).toBe(NOW + HOUR);
  KINDS.forEach((over, at) =>
    addMessage(sql, { seq: FLOOD + 1 + at, phone: OTHER, source: 'other', ...over }),
  );
  sender.queue.changed(NOW);
  expect(new Set(sender.take(20))).toEqual(new Set([FLOOD + 1, FLOOD + 2, FLOOD + 3]));
  expect([sender.queue.nextAt(NOW), sender.queue.atMost]).toEqual([NOW + HOUR, FLOOD]);
  sender.now = NOW + HOUR - 1;
  expect(sender.take(20)).toEqual([]);
  sender.now = NOW + HOUR;
  const before = sender.take(5_000);
  sender.restart();
  expect([...before, ...sender.take(5_000)]).toEqual(upTo(10_000));
  expect([sender.queue.cursor, sender.queue.atMost]).toEqual([10_000, FLOOD - 10_000]);
});

/** Takes the rows of messages, which have no rows in the table. */
const taken = (queue: Queue, ...seqs: readonly number[]): readonly number[] =>
  seqs.flatMap((seq) => queue.takeRow(seq, NOW)?.row.seq ?? []);

const acceptRows = (queue: Queue, from: number, to: number, params = '{}'): void => {
  for (let seq = from; seq <= to; seq += 1)
    queue.accepted([{ row: messageSample({ seq, phone: `${seq}`, params }), receivedAt: NOW }]);
};

it('rows that were just accepted are not read again, up to a number and a number of characters', ({
  sql,
}) => {
  const many = new Sender(sql).queue;
  acceptRows(many, 1, 3_000);
  expect(taken(many, 1, 1, 2_000, 2_001)).toEqual([1, 2_000]);
  acceptRows(many, 3_001, 3_001);
  expect(taken(many, 3_001)).toEqual([3_001]);
  const long = new Sender(sql).queue;
  const params = 'x'.repeat(900_000);
  acceptRows(long, 1, 3, params);
  expect(taken(long, 3, 1)).toEqual([1]);
  acceptRows(long, 4, 4, params);
  expect(taken(long, 4)).toEqual([4]);
});

it('fresh rows beside one that is read are kept as well', ({ sql }) => {
  for (const seq of [1, 2, 3]) addMessage(sql, { seq, phone: `${seq}`, ...(seq === 3 && { next_at: NOW }) });
  const { queue } = new Sender(sql);
  queue.load(NOW);
  expect(taken(queue, queue.turns.take(NOW, () => NOW)?.seq ?? 0)).toEqual([1]);
  sql.exec('DELETE FROM messages');
  expect(taken(queue, 2, 3)).toEqual([2]);
});

it('a stranger’s message between two limits of memory is not skipped for a later one to its receiver', ({
  sql,
}) => {
  const open = { source: 'open', standing: 2 };
  // As many as all strangers together may have in memory, then as many as one receiver may have once half of these went.
  addMany(sql, 10_000, open);
  addMany(sql, 1_445, open, 10_556);
  sql.exec("UPDATE messages SET phone = 'r' || seq");
  addMany(sql, 555, { ...open, phone: FLOODED }, 10_001);
  addMessage(sql, { ...open, seq: 12_001, phone: FLOODED });
  const sender = new Sender(sql);
  for (let slice = 0; slice < 10; slice += 1) sender.queue.load(NOW);
  const before = sender.take(5_002);
  addMessage(sql, { ...open, seq: 12_002, phone: FLOODED });
  sender.queue.accepted([{ row: rowOf(sql, 12_002), receivedAt: NOW }]);
  const toFlooded = [...before, ...sender.take(20_000)].filter((seq) => seq > 12_000);
  expect(toFlooded).toEqual([12_001, 12_002]);
});
