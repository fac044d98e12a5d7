import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileConfig } from '../../../src/config/compile.ts';
import { EMPTY_SET } from '../../../src/config/schema.ts';
import { parseOwnJson } from '../../../src/lib/own-json.ts';
import { insertMessages } from '../../../src/outbox/accept/rows.ts';
import { Overflow } from '../../../src/outbox/overflow/overflow.ts';
import { rewriteMessage } from '../../../src/outbox/accept/rewrite.ts';
import { Queue } from '../../../src/outbox/send/queue.ts';
import type { About, DraftMessage } from '../../../src/outbox/state/acceptance.ts';
import { messageId, type MessageRow } from '../../../src/outbox/state/message.ts';
import { allRows, draft, empty, MINUTE, rowOf, rowsFrom, START, TAG, UNPACED } from '../support.ts';
import { inStorage } from '../in-storage.ts';

const PHONE = '4915112345601';
const OTHER = '4915112345602';

/** An outbox's queue with its own tables, whose messages are sent on demand. */
class Bench {
  readonly #storage: DurableObjectStorage;
  readonly #above: number | null;
  readonly sql: SqlStorage;
  queue: Queue;
  overflow: Overflow;
  now = START;
  readonly sent: MessageRow[] = [];
  counted = 0;

  constructor(storage: DurableObjectStorage, above: number | null = 3) {
    this.#storage = storage;
    this.#above = above;
    this.sql = storage.sql;
    empty(this.sql);
    this.queue = this.#open();
    this.overflow = this.#start();
  }

  /** The object stops and starts again. */
  restart(): void {
    this.queue = this.#open();
    this.overflow = this.#start();
  }

  /** Messages are accepted in one commit. */
  async accept(...drafts: readonly DraftMessage[]): Promise<void> {
    this.queue.accepted(
      rowsFrom('shop', this.sql, this.now, ...drafts).map((row) => ({ row, receivedAt: this.now })),
    );
    await this.commit();
  }

  commit = (): Promise<void> => this.overflow.look((change) => change());

  /** The next message of any receiver is sent; false: none waits. */
  send(): boolean {
    this.queue.load(this.now);
    for (
      let next = this.queue.turns.take(this.now, () => 0);
      next !== null;
      next = this.queue.turns.take(this.now, () => 0)
    ) {
      const ready = this.queue.takeRow(next.seq, this.now);
      this.queue.turns.release(next);
      if (ready === null) continue;
      this.sql.exec("UPDATE messages SET state = 'sent', next_at = NULL WHERE seq = ?", next.seq);
      this.sent.push(rowOf(this.sql, next.seq));
      return true;
    }
    return false;
  }

  waiting(phone = PHONE): readonly MessageRow[] {
    return allRows(this.sql).filter((row) => row.state === 'queued' && row.phone === phone);
  }

  #open = (): Queue => new Queue({ sql: this.sql, cursor: 0, isInFlight: () => false });

  #start(): Overflow {
    const { sql } = this;
    const policy = { ...UNPACED, digestAbove: this.#above };
    const routes = [{ name: 'all', to: PHONE, send: { kind: 'text', message: 'x' } }];
    const sources = { shop: { verify: { scheme: 'none' }, locale: 'de-DE', routes } };
    const { config } = compileConfig({ ...EMPTY_SET, sources }, 1);
    return new Overflow({
      sql,
      tag: TAG,
      queue: () => this.queue,
      policyNow: () => policy,
      config: () => Promise.resolve(config),
      policyIn: () => policy,
      messages: {
        queue: ({ drafts, origin }, also) => {
          const nextSeq = Math.max(...allRows(sql).map(({ seq }) => seq)) + 1;
          this.#storage.transactionSync(() => {
            also(nextSeq);
            insertMessages({ sql, tag: TAG, now: this.now, nextSeq }, drafts, origin);
          });
          this.queue.changed(this.now);
          return nextSeq;
        },
        replace: (seq, { drafts: [one], origin }, also) => {
          this.#storage.transactionSync(() => {
            also();
            if (one !== undefined) rewriteMessage(sql, { seq }, one, origin);
          });
          this.queue.changed(this.now);
          return seq;
        },
      },
      onCounted: (rows) => (this.counted += rows.length),
      account: () => 'default',
      clock: () => this.now,
    });
  }
}

const bench = (body: (bench: Bench) => Promise<void>, above?: number | null): Promise<void> =>
  inStorage(({ storage }) => body(new Bench(storage, above)));

const texts = (count: number, over: Partial<DraftMessage> = {}, from = 1): readonly DraftMessage[] =>
  Array.from({ length: count }, (_, at) => draft({ params: { message: `no ${from + at}` }, ...over }));

const aboutOf = ({ about }: MessageRow): About | null => (about === null ? null : parseOwnJson<About>(about));

describe('messages that wait for one receiver', () => {
  it('are left alone up to `digest_above`', () =>
    bench(async (one) => {
      await one.accept(...texts(3), ...texts(3, { phone: OTHER }));
      expect(allRows(one.sql).map(({ state }) => state)).toEqual(Array(6).fill('queued'));
    }));

  it('are one digest above it, and each says where it is counted', () =>
    bench(async (one) => {
      await one.accept(...texts(4));
      const rows = allRows(one.sql);
      const digest = rows[4];
      expect(rows.slice(0, 4).map(({ state, reason }) => [state, reason])).toEqual(
        Array.from({ length: 4 }, () => ['cancelled', `summarized in ${messageId(5, TAG)}`]),
      );
      expect(digest && aboutOf(digest)).toMatchObject({
        form: 'digest',
        summarized: 4,
        since: new Date(START).toISOString(),
      });
      expect(digest?.params).toContain('4 Nachrichten:\\n• no 4\\n• no 3\\n• no 2\\n• no 1');
      expect(one.counted).toBe(4);
    }));

  it('are counted by the digest that waits already, in its place', () =>
    bench(async (one) => {
      await one.accept(...texts(4));
      one.now += MINUTE;
      await one.accept(...texts(3, {}, 5));
      expect(one.waiting()).toHaveLength(4);
      await one.accept(...texts(1, {}, 8));
      expect(one.waiting().map(({ seq }) => seq)).toEqual([5]);
      expect(aboutOf(rowOf(one.sql, 5))).toMatchObject({
        summarized: 8,
        since: new Date(START).toISOString(),
      });
      expect(rowOf(one.sql, 5).params).toContain(
        '8 Nachrichten:\\n• no 8\\n• no 7\\n• no 6\\n• no 5\\n• no 4\\nund 3',
      );
    }));

  it('are another digest when the first is sent', () =>
    bench(async (one) => {
      await one.accept(...texts(4));
      one.send();
      await one.accept(...texts(4, {}, 5));
      expect(one.waiting().map(aboutOf)).toMatchObject([{ summarized: 4 }]);
      expect(one.send()).toBe(true);
      expect(one.send()).toBe(false);
    }));

  it.each<[string, Partial<DraftMessage>]>([
    ['urgent', { priority: 'high' }],
    ['delayed', { delayMs: 5 }],
    [
      'notifications of incidents',
      { about: { form: 'group', new: 1, resolved: 0, firing: 1, incidents: [] } },
    ],
    ['of no receiver', { phone: null, kind: 'status', params: { text: 'x' } }],
  ])('are left alone if they are %s', (_, over) =>
    bench(async (one) => {
      await one.accept(...texts(9, over), ...texts(3));
      one.now += MINUTE;
      await one.commit();
      expect(allRows(one.sql).filter(({ state }) => state === 'cancelled')).toEqual([]);
    }),
  );

  it('are left alone once they were tried', () =>
    bench(async (one) => {
      rowsFrom('shop', one.sql, one.now, ...texts(9));
      one.sql.exec("UPDATE messages SET state = 'retrying', next_at = ?, attempts = '[{}]'", START);
      await one.accept(...texts(3, {}, 10));
      expect(allRows(one.sql).filter(({ state }) => state === 'cancelled')).toEqual([]);
    }));

  it('are left alone without the key', () =>
    bench(async (one) => {
      await one.accept(...texts(100));
      expect(one.waiting()).toHaveLength(100);
    }, null));

  it('give their digest the longest life, the most care, and nothing to keep', () =>
    bench(async (one) => {
      const [expiring, held, bare] = [
        { expiresMs: MINUTE },
        { onUncertain: 'hold' as const },
        { forget: true },
      ];
      await one.accept(
        ...texts(3, { expiresMs: 2 * MINUTE }),
        ...texts(1, { ...expiring, ...held, ...bare }),
      );
      const [digest] = one.waiting();
      expect(digest).toMatchObject({ expires_at: START + 2 * MINUTE, on_uncertain: 'hold', forget: 1 });
      expect(rowOf(one.sql, 4).params).toBe('{}');
      await one.accept(...texts(4, { phone: PHONE }));
      expect(one.waiting()).toMatchObject([
        { seq: digest?.seq, expires_at: null, on_uncertain: 'hold', forget: 1 },
      ]);
    }));

  it('of a long backlog are one digest, in steps', () =>
    bench(async (one) => {
      await one.accept(...texts(2_500));
      expect(one.waiting().map(aboutOf)).toMatchObject([{ summarized: 2_500 }]);
    }));

  it('are sent, or summarized in one digest that is sent, and never more than one beyond `digest_above` wait', () => {
    const step = fc.oneof(
      fc.record({ accept: fc.integer({ min: 1, max: 12 }), phone: fc.constantFrom(PHONE, OTHER) }),
      fc.constant('send' as const),
      fc.constant('restart' as const),
    );
    return inStorage(({ storage }) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 25 }),
          fc.integer({ min: 1, max: 6 }),
          async (steps, above) => {
            const one = new Bench(storage, above);
            for (const next of steps) {
              if (next === 'send') one.send();
              else if (next === 'restart') {
                one.restart();
                await one.commit();
              } else await one.accept(...texts(next.accept, { phone: next.phone }));
              for (const phone of [PHONE, OTHER])
                expect(one.waiting(phone).length).toBeLessThanOrEqual(above + 1);
            }
            while (one.send());
            const accepted = allRows(one.sql).filter(({ about }) => about === null);
            const counted = Map.groupBy(
              accepted.filter(({ state }) => state === 'cancelled'),
              ({ reason }) => reason,
            );
            for (const { state } of accepted) expect(['sent', 'cancelled']).toContain(state);
            const digests = one.sent.filter(({ about }) => about !== null);
            expect(
              digests.map((row) => [`summarized in ${messageId(row.seq, TAG)}`, aboutOf(row)?.summarized]),
            ).toEqual(
              digests.map(({ seq }) => {
                const reason = `summarized in ${messageId(seq, TAG)}`;
                return [reason, counted.get(reason)?.length];
              }),
            );
            expect(digests).toHaveLength(counted.size);
          },
        ),
        { numRuns: 60 },
      ),
    );
  });
});
