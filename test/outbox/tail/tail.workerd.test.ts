import { describe, expect, it } from 'vitest';
import type { TailFrame } from '../../../src/outbox/tail/frame.ts';
import type { Committed } from '../../../src/outbox/accept/commit.ts';
import type { Acceptance } from '../../../src/outbox/state/acceptance.ts';
import { Tail, type CommittedEvent } from '../../../src/outbox/tail/tail.ts';
import { messageId, type MessageRow } from '../../../src/outbox/state/message.ts';
import { addMessage, eventOf, inOutbox, messageRow } from '../bare-outbox.ts';
import { START, TAG } from '../support.ts';

/** A tail over an outbox's own tables, and what it got. */
function stage(isWatched = true) {
  const frames: TailFrame[] = [];
  const due: (() => void)[] = [];
  const tail = new Tail({
    tag: TAG,
    account: () => 'default',
    watched: { isWatched },
    send: async (batch) => frames.push(...batch.frames) > 0,
    clock: () => START,
    later: (_, work) => due.push(work),
  });
  const shown = (): readonly TailFrame[] => {
    for (const work of due.splice(0)) work();
    return frames;
  };
  return { tail, shown };
}

const committed = (queued: readonly MessageRow[], extra: Partial<Committed['receipt']> = {}): Committed => ({
  receipt: { event: 'evt_1', duplicate: false, messages: [], ...extra },
  queued,
  isNew: extra.duplicate !== true,
});

const taken = (event: Acceptance['event'], one: Committed): CommittedEvent => ({
  acceptance: { event, messages: [] },
  committed: one,
});

const about = (frames: readonly TailFrame[]) =>
  frames.map((frame) =>
    frame.type === 'event' ? `event ${frame.event}` : frame.type === 'message' ? frame.message : '',
  );

describe('what the tail gets from an outbox', () => {
  it('is each event, and then its messages', () =>
    inOutbox((_, { sql }) => {
      for (const seq of [5, 6, 7]) addMessage(sql, { seq, event_id: `evt_${seq}` });
      const { tail, shown } = stage();
      tail.accepted([
        taken(eventOf(START), committed([messageRow(sql, 5), messageRow(sql, 6)], { event: 'evt_a' })),
        taken(eventOf(START), committed([], { event: 'evt_b', duplicate: true })),
        taken(eventOf(START), committed([messageRow(sql, 7)])),
      ]);
      expect(about(shown())).toEqual([
        'event evt_a',
        messageId(5, TAG),
        messageId(6, TAG),
        'event evt_b',
        'event evt_1',
        messageId(7, TAG),
      ]);
      expect(shown()[3]).toMatchObject({ duplicate: true });
    }));

  it('says why an event is a duplicate, when that is not by its id', () =>
    inOutbox(() => {
      const { tail, shown } = stage();
      const receipt = { duplicate: true, reason: 'its body came before' };
      const event = { ...eventOf(START), reason: 'the reason of what is not kept' };
      tail.accepted([taken(event, committed([], receipt))]);
      expect(shown()).toMatchObject([receipt]);
    }));

  it('has how many items wait, and what a message reports, without keys', () =>
    inOutbox((_, { sql }) => {
      const reported = { form: 'digest', new: 1, resolved: 2, firing: 3 };
      addMessage(sql, { seq: 5, about: JSON.stringify({ ...reported, incidents: ['inc_1'] }) });
      const { tail, shown } = stage();
      tail.accepted([taken(eventOf(START), committed([messageRow(sql, 5)], { waiting: 4 }))]);
      const [event, message] = shown();
      expect(event).toMatchObject({ type: 'event', waiting: 4 });
      expect(message).toMatchObject({ type: 'message', about: reported });
      expect(JSON.stringify(message)).not.toContain('inc_1');
    }));

  it('cuts the sender’s own word for a type', () =>
    inOutbox(() => {
      const { tail, shown } = stage();
      tail.accepted([taken(eventOf(START, { type: 'x'.repeat(5_000) }), committed([]))]);
      expect(shown()).toMatchObject([{ event_type: 'x'.repeat(200) }]);
    }));

  it('is why it failed, which attempt that was, and when there is another', () =>
    inOutbox((_, { sql }) => {
      addMessage(sql, { seq: 5, reason: 'not to 4915112345678', phone: '4915112345678' });
      const { tail, shown } = stage();
      const attempt = { n: 2, at: START, duration_ms: 12, outcome: 'refused', http_status: 200 } as const;
      const reason = `the gateway refused: 4915112345612 is not known ${'x'.repeat(400)}`;
      tail.changed(messageRow(sql, 5), 'retrying', {
        attempt: { ...attempt, response: 'to 4915112345678', detail: reason },
        decision: { state: 'retrying', tries: 2, refusals: 2, reason, nextAt: START + 30_000 },
      });
      const [frame] = shown();
      expect(frame).toMatchObject({
        n: 2,
        reason: 'the gateway refused: +4915•••••12 is not known '.padEnd(300, 'x'),
        next_attempt_at: new Date(START + 30_000).toISOString(),
      });
      expect(JSON.stringify(frame)).not.toContain('49151');
    }));

  it('is why an event failed', () =>
    inOutbox(() => {
      const { tail, shown } = stage();
      tail.accepted([
        taken(eventOf(START, { state: 'failed', reason: 'route `a`: it is empty' }), committed([])),
      ]);
      expect(shown()).toMatchObject([{ state: 'failed', reason: 'route `a`: it is empty' }]);
    }));

  it('is of a message nothing that it says, nor to whom', () =>
    inOutbox((_, { sql }) => {
      addMessage(sql, { seq: 5, reason: 'not to 4915112345678', phone: '4915112345678' });
      const { tail, shown } = stage();
      const attempt = { n: 1, at: START, duration_ms: 12, outcome: 'rejected', http_status: 404 } as const;
      tail.changed(messageRow(sql, 5), 'dead', {
        attempt: { ...attempt, response: 'to 4915112345678', detail: 'it rejects this call' },
        decision: { state: 'dead', tries: 1, refusals: 0, reason: 'it rejects this call', nextAt: null },
      });
      expect(shown()).toEqual([
        {
          type: 'message',
          at: new Date(START).toISOString(),
          message: messageId(5, TAG),
          event: null,
          source: 'shop',
          route: 'all',
          kind: 'text',
          state: 'dead',
          n: 1,
          outcome: 'rejected',
          reason: 'it rejects this call',
          duration_ms: 12,
          http_status: 404,
          account: 'default',
        },
      ]);
    }));

  it('is nothing while nobody looks', () =>
    inOutbox((_, { sql }) => {
      addMessage(sql, { seq: 5 });
      const { tail, shown } = stage(false);
      tail.accepted([taken(eventOf(START), committed([messageRow(sql, 5)]))]);
      tail.changed(messageRow(sql, 5), 'sent');
      expect(shown()).toEqual([]);
    }));
});
