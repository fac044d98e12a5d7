import { describe, expect, it } from 'vitest';
import type { Acceptance, AcceptedEvent } from '../../src/outbox/state/acceptance.ts';
import {
  SWEEP_START,
  sweepStep,
  type RetentionContext,
  type SweepPosition,
} from '../../src/outbox/storage/retention.ts';
import { Outbox } from '../../src/outbox/outbox.ts';
import { readFact } from '../../src/outbox/state/facts.ts';
import { envWith } from '../platform/env.ts';
import { acceptanceTo, addMessage, inOutbox, inStorage } from './bare-outbox.ts';
import { diskOf } from './full-disk.ts';

const DAY = 86_400_000;
const PHONE = '4915112345678';

const contextOf = (sql: SqlStorage, sending: readonly number[] = []): RetentionContext => ({
  sql,
  now: Date.now(),
  before: null,
  isSending: (seq) => sending.includes(seq),
});

/** All steps, to the end; how many they were. */
function sweep(context: RetentionContext): number {
  let steps = 0;
  for (let at: SweepPosition | null = SWEEP_START; at !== null; steps += 1) at = sweepStep(context, at);
  return steps;
}

const eventsLeft = (sql: SqlStorage) =>
  sql
    .exec<{ id: string; payload: string; stored: number }>(
      'SELECT id, payload, stored FROM events ORDER BY id',
    )
    .toArray();

const seqsLeft = (sql: SqlStorage): readonly number[] =>
  sql
    .exec<{ seq: number }>('SELECT seq FROM messages ORDER BY seq')
    .toArray()
    .map(({ seq }) => seq);

const toOne = (extra: Partial<AcceptedEvent> = {}): Acceptance => acceptanceTo([PHONE], extra);

const setState = (sql: SqlStorage, state: string, ...seqs: readonly number[]): void => {
  for (const seq of seqs) sql.exec('UPDATE messages SET state = ? WHERE seq = ?', state, seq);
};

describe('an early sweep', () => {
  it.each(['sent', 'dead', 'expired', 'cancelled'])(
    'deletes an event whose messages are %s, with these',
    (state) =>
      inOutbox(async (outbox, { sql }) => {
        await outbox.accept(acceptanceTo([PHONE, PHONE]));
        setState(sql, state, 1, 2);
        sweep(contextOf(sql));
        expect([eventsLeft(sql), seqsLeft(sql)]).toEqual([[], []]);
      }),
  );

  it('deletes what was never to be sent', () =>
    inOutbox(async (outbox, { sql }) => {
      await outbox.accept(acceptanceTo([], { state: 'unmatched' }));
      await outbox.accept(acceptanceTo([], { state: 'failed' }));
      sweep(contextOf(sql));
      expect(eventsLeft(sql)).toEqual([]);
    }));

  it.each(['queued', 'retrying', 'uncertain'])('leaves an event of which one message is %s, whole', (state) =>
    inOutbox(async (outbox, { sql }) => {
      const { event } = await outbox.accept(acceptanceTo([PHONE, PHONE]));
      setState(sql, 'sent', 1);
      setState(sql, state, 2);
      sweep(contextOf(sql));
      expect(eventsLeft(sql)).toEqual([{ id: event, payload: '{"n":1}', stored: 1 }]);
      expect(seqsLeft(sql)).toEqual([1, 2]);
    }),
  );

  it('leaves what is in flight, whatever its row says', () =>
    inOutbox(async (outbox, { sql }) => {
      await outbox.accept(toOne());
      setState(sql, 'dead', 1);
      addMessage(sql, { seq: 2, state: 'dead' });
      sweep(contextOf(sql, [1, 2]));
      expect([eventsLeft(sql).length, seqsLeft(sql)]).toEqual([1, [1, 2]]);
    }));

  it('leaves a dedupe claim in force and what answers a duplicate, but neither payload nor messages', () =>
    inOutbox(async (outbox, { sql }) => {
      const dedupe = { key: 'k', windowMs: DAY };
      const first = await outbox.accept(toOne({ dedupe }));
      setState(sql, 'sent', 1);
      sweep(contextOf(sql));
      expect(eventsLeft(sql)).toEqual([{ id: first.event, payload: 'null', stored: 0 }]);
      expect(seqsLeft(sql)).toEqual([]);
      expect(await outbox.accept(toOne({ dedupe }))).toEqual({ ...first, duplicate: true });
      expect(seqsLeft(sql)).toEqual([]);
      // Its number is not given away again.
      const next = await outbox.accept(toOne());
      expect(next.messages[0]).not.toBe(first.messages[0]);
    }));

  it('deletes what was sent by hand, once the events are done', () =>
    inOutbox((_, { sql }) => {
      addMessage(sql, { seq: 1, state: 'sent', source: null });
      addMessage(sql, { seq: 2, state: 'queued', source: null });
      sweep(contextOf(sql));
      expect(seqsLeft(sql)).toEqual([2]);
    }));

  it('goes from the oldest to the newest in bounded steps', () =>
    inOutbox(async (outbox, { sql }) => {
      for (let n = 0; n < 120; n += 1) await outbox.accept(acceptanceTo([], { receivedAt: Date.now() + n }));
      const all = eventsLeft(sql).map(({ id }) => id);
      sweepStep(contextOf(sql), SWEEP_START);
      expect(eventsLeft(sql).map(({ id }) => id)).toEqual(all.slice(50));
      expect(sweep(contextOf(sql))).toBe(2);
      expect(eventsLeft(sql)).toEqual([]);
    }));
});

/** One that may have 4 MiB. Half a MiB is accepted with each event. */
const inSmallOutbox = (
  body: (outbox: Outbox, storage: DurableObjectStorage) => Promise<void>,
): Promise<void> =>
  inStorage(async (state) => body(new Outbox(state, envWith({ OUTBOX_MAX_MIB: 4 })), state.storage));

const large = (): Acceptance =>
  acceptanceTo([], { state: 'unmatched', payload: JSON.stringify('x'.repeat(500_000)) });

describe('an outbox whose owner cannot be notified that it fills up', () => {
  it.each([
    ['the level', 'INTO meta'],
    ['the notification', 'INTO notices'],
  ])('since %s cannot be written answers all the same, and says it with the next event', (_, write) =>
    inSmallOutbox(async (outbox, storage) => {
      for (let n = 0; n < 6; n += 1) await outbox.accept(large());
      let notices = 0;
      const disk = diskOf(storage.sql, (query) => {
        if (query.includes('INTO notices')) notices += 1;
        return query.includes(write);
      });
      disk.fails = 1;
      expect(await outbox.accept(large())).toMatchObject({ duplicate: false });
      expect([disk.fails, readFact(storage.sql, 'storage')]).toEqual([0, null]);
      notices = 0;
      await outbox.accept(acceptanceTo([]));
      await outbox.accept(acceptanceTo([]));
      expect(notices).toBe(1);
    }),
  );
});
