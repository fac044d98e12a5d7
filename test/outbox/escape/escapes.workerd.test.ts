import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EscapePolicy } from '../../../src/config/escape.ts';
import { parseOwnJson } from '../../../src/lib/own-json.ts';
import { Escapes } from '../../../src/outbox/escape/escapes.ts';
import { addMessage, inOutbox } from '../bare-outbox.ts';
import { countRows, empty } from '../support.ts';

const MINUTE = 60_000;
const ESCAPE: EscapePolicy = {
  afterMs: 3 * MINUTE,
  via: { url: '{secret}', secret: 'NOTIFY_ME', format: 'json' },
};

interface World {
  now: number;
  escape: EscapePolicy | null;
  secret: string | undefined;
  /** The channel's answers to the next calls; then 200. */
  answers: (number | null)[];
  readonly sending: Set<number>;
  readonly calls: { at: number; text: string; status: number | null }[];
  woken: number | null;
}

/** An outbox with nothing but messages. A restart makes another instance over the same rows. */
function setUp(sql: SqlStorage) {
  empty(sql);
  sql.exec('DELETE FROM escapes');
  const world: World = {
    now: 1_000_000_000,
    escape: ESCAPE,
    secret: 'https://channel.example/x',
    answers: [],
    sending: new Set(),
    calls: [],
    woken: null,
  };
  const work: Promise<void>[] = [];
  const make = () =>
    new Escapes({
      sql,
      account: () => 'default',
      tag: '7777777',
      known: () => world.escape,
      policy: () => Promise.resolve(world.escape),
      localeOf: () => 'en',
      isSending: (seq) => world.sending.has(seq),
      secret: () => world.secret,
      fetch: (_url, init) => {
        const { text } = parseOwnJson<{ text: string }>(typeof init?.body === 'string' ? init.body : '{}');
        const status = world.answers.length === 0 ? 200 : (world.answers.shift() ?? null);
        world.calls.push({ at: world.now, text, status });
        return status === null
          ? Promise.reject(new Error('no answer'))
          : Promise.resolve(new Response(null, { status }));
      },
      give: () => Promise.resolve([]),
      mayCall: () => true,
      wakeAt: (at) => void (world.woken = at),
      waitUntil: (run) => void work.push(run),
      count: () => undefined,
      clock: () => world.now,
    });
  let escapes = make();
  let seq = 0;
  return {
    world,
    restart: () => void (escapes = make()),
    get escapes() {
      return escapes;
    },
    /** An urgent message that waits. */
    queue(): number {
      seq += 1;
      const row = { seq, priority: 1, created_at: world.now, next_at: world.now, escaped: null };
      addMessage(sql, { ...row, params: JSON.stringify({ message: `no. ${seq}` }) });
      escapes.watch([row]);
      return seq;
    },
    sent(number: number): void {
      sql.exec("UPDATE messages SET state = 'sent', next_at = NULL WHERE seq = ?", number);
      escapes.forget({ seq: number, priority: 1 });
    },
    /** Lets so long pass, and wakes as asked. */
    async pass(ms: number): Promise<void> {
      const end = world.now + ms;
      for (let turn = 0; turn < 1_000; turn += 1) {
        escapes.send({ now: (change) => change(), taken: () => undefined });
        await Promise.all(work.splice(0));
        const next = escapes.nextAt();
        if (next === null || next > end) break;
        world.now = Math.max(world.now, next);
      }
      world.now = end;
    },
  };
}

const numbersIn = (text: string): readonly number[] =>
  text.startsWith('This message may not have arrived: no. ') ? [Number(text.split('no. ')[1])] : [];

describe('the escape channel of an outbox', () => {
  it('asks to be woken when the first message is due, and never without one', () =>
    inOutbox((_outbox, { sql }) => {
      const bench = setUp(sql);
      expect(bench.escapes.nextAt()).toBeNull();
      bench.queue();
      expect(bench.escapes.nextAt()).toBe(bench.world.now + 3 * MINUTE);
      bench.sent(1);
      expect(bench.escapes.nextAt()).toBeNull();
    }));

  it('keeps no row of what is not urgent, or of an account without it', () =>
    inOutbox((_outbox, { sql }) => {
      const bench = setUp(sql);
      bench.escapes.watch([{ seq: 1, priority: 0, created_at: 0, next_at: null, escaped: null }]);
      bench.world.escape = null;
      bench.queue();
      expect(sql.exec('SELECT * FROM escapes').toArray()).toEqual([]);
    }));

  it.each([1, 500])('reads the rows of what is due, and not of %i other messages that wait', (others) =>
    inOutbox(async (_outbox, { sql }) => {
      const bench = setUp(sql);
      bench.queue();
      for (let seq = 10; seq < 10 + others; seq += 1) addMessage(sql, { seq });
      const rows = countRows(sql);
      await bench.pass(4 * MINUTE);
      expect(bench.world.calls).toHaveLength(1);
      expect(rows.read()).toBeLessThan(30);
    }),
  );

  it('waits for the end of a call that is under way', () =>
    inOutbox(async (_outbox, { sql }) => {
      const bench = setUp(sql);
      const seq = bench.queue();
      bench.world.sending.add(seq);
      await bench.pass(4 * MINUTE);
      expect(bench.world.calls).toEqual([]);
      bench.world.sending.clear();
      await bench.pass(6_000);
      expect(bench.world.calls).toHaveLength(1);
    }));

  it.each([
    [undefined, 'NOTIFY_ME is not an https address'],
    ['http://10.0.0.1/x', 'NOTIFY_ME is not an https address'],
    ['https://user:password@channel.example/', 'NOTIFY_ME is not an https address'],
  ])('calls no address but an https one: %s', (secret, detail) =>
    inOutbox(async (_outbox, { sql }) => {
      const bench = setUp(sql);
      bench.world.secret = secret;
      bench.queue();
      await bench.pass(3 * MINUTE);
      expect(bench.world.calls).toEqual([]);
      expect(bench.escapes.state).toMatchObject({ failures: 1, last: { detail } });
    }),
  );

  it('tries a message five times over a quarter of an hour, and each later one once until it answers again', () =>
    inOutbox(async (_outbox, { sql }) => {
      const bench = setUp(sql);
      const { world } = bench;
      world.answers = Array.from({ length: 7 }, () => null);
      bench.queue();
      await bench.pass(60 * MINUTE);
      const [first = 0] = world.calls.map(({ at }) => at);
      expect(world.calls.map(({ at }) => at - first)).toEqual([0, 5_000, 35_000, 155_000, 755_000]);
      bench.queue();
      await bench.pass(60 * MINUTE);
      bench.queue();
      bench.queue();
      await bench.pass(60 * MINUTE);
      expect(world.calls).toHaveLength(7);
      bench.queue();
      await bench.pass(60 * MINUTE);
      expect(world.calls.at(-1)?.text).toBe('This message may not have arrived: no. 5');
      expect(bench.escapes.state.failures).toBe(0);
    }));

  it('gets each message at most once, none that was sent in time, and makes at most 22 calls in any ten minutes', () =>
    inOutbox(async (_outbox, { sql }) => {
      const step = fc.oneof(
        fc.record({ do: fc.constant('queue' as const), n: fc.integer({ min: 1, max: 15 }) }),
        fc.record({ do: fc.constant('send' as const), n: fc.nat(30) }),
        fc.record({ do: fc.constant('pass' as const), n: fc.integer({ min: 1, max: 300 }) }),
        fc.record({ do: fc.constant('fail' as const), n: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ do: fc.constant('restart' as const), n: fc.constant(0) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
          const bench = setUp(sql);
          const { world } = bench;
          const queuedAt = new Map<number, number>();
          const sentInTime = new Set<number>();
          for (const { do: what, n } of steps) {
            if (what === 'queue') for (let i = 0; i < n; i += 1) queuedAt.set(bench.queue(), world.now);
            if (what === 'send' && queuedAt.has(n)) {
              if (world.now < (queuedAt.get(n) ?? 0) + ESCAPE.afterMs) sentInTime.add(n);
              bench.sent(n);
            }
            if (what === 'fail') world.answers.push(...Array.from({ length: n }, () => 500));
            if (what === 'restart') bench.restart();
            if (what === 'pass') await bench.pass(n * 1_000);
          }
          world.answers = [];
          await bench.pass(24 * 60 * MINUTE);
          const states = sql
            .exec<{ state: string; escaped: number | null }>('SELECT * FROM messages')
            .toArray();
          expect(states.every(({ state, escaped }) => state === 'sent' || escaped !== null)).toBe(true);
          expect(sql.exec('SELECT * FROM escapes').toArray()).toEqual([]);
          const got = world.calls.flatMap(({ text, status }) => (status === 200 ? numbersIn(text) : []));
          expect(new Set(got).size).toBe(got.length);
          for (const seq of got) expect(sentInTime.has(seq)).toBe(false);
          for (const { at } of world.calls)
            expect(
              world.calls.filter((other) => other.at >= at && other.at < at + 10 * MINUTE).length,
            ).toBeLessThanOrEqual(22);
        }),
        { numRuns: 60 },
      );
    }));
});
