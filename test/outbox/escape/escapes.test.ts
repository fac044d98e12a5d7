import fc from 'fast-check';
import { expect } from 'vitest';
import type { EscapePolicy } from '../../../src/config/compiled/config.ts';
import { parseOwnJson } from '../../../src/lib/json.ts';
import { numberOf, type Standing } from '../../../src/lib/shares.ts';
import { Escapes } from '../../../src/outbox/escape/escapes.ts';
import { it } from '../it.ts';
import { addMany, addMessage, countRows, empty, MINUTE } from '../support.ts';

const ESCAPE: EscapePolicy = {
  afterMs: 3 * MINUTE,
  via: { url: '{secret}', secret: 'NOTIFY_ME', format: 'json' },
};

/** An outbox with nothing but messages. A restart makes another instance over the same rows. */
class World {
  now = 1_000_000_000;
  escape: EscapePolicy | null = ESCAPE;
  isKnown = true;
  secret: string | undefined = 'https://channel.example/x';
  /** The channel's answers to the next calls; then 200. */
  answers: (number | null)[] = [];
  readonly sending = new Set<number>();
  readonly calls: { readonly at: number; readonly text: string; readonly status: number | null }[] = [];
  escapes: Escapes;
  readonly #sql: SqlStorage;
  readonly #work: Promise<void>[] = [];
  #seq = 0;

  constructor(sql: SqlStorage) {
    empty(sql);
    sql.exec('DELETE FROM escapes');
    this.#sql = sql;
    this.escapes = this.#open();
  }

  restart(): void {
    this.escapes = this.#open();
  }

  #open(): Escapes {
    const lastPolicy = (): World | null => (this.isKnown ? this : null);
    return new Escapes({
      sql: this.#sql,
      account: () => 'default',
      tag: '7777777',
      config: {
        get last() {
          return lastPolicy();
        },
        policy: () => Promise.resolve(this),
        localeOf: () => 'en',
      },
      claims: { flight: this.sending, counters: { escape: () => undefined } },
      secret: () => this.secret,
      fetch: (_url, init) => {
        const { text } = parseOwnJson<{ text: string }>(typeof init?.body === 'string' ? init.body : '{}');
        const status = this.answers.length === 0 ? 200 : (this.answers.shift() ?? null);
        this.calls.push({ at: this.now, text, status });
        if (status === null) return Promise.reject(new Error('no answer'));
        return Promise.resolve(new Response(null, { status }));
      },
      outbox: () => ({ takeHanded: () => Promise.resolve([]) }),
      calls: { left: 1, spend: () => undefined },
      alarm: { bringForward: () => undefined },
      waitUntil: (run) => void this.#work.push(run),
      clock: () => this.now,
    });
  }

  /** An urgent message that waits. */
  queue(standing: Standing = 'urgent'): number {
    this.#seq += 1;
    const row = { seq: this.#seq, priority: 1, created_at: this.now, next_at: this.now, escaped: null };
    const params = JSON.stringify({ message: `no. ${this.#seq}` });
    addMessage(this.#sql, { ...row, params, standing: numberOf(standing) });
    this.escapes.watch([row]);
    return this.#seq;
  }

  sent(seq: number): void {
    this.#sql.exec("UPDATE messages SET state = 'sent', next_at = NULL WHERE seq = ?", seq);
    this.escapes.forget({ seq, priority: 1 });
  }

  /** Lets so long pass, and wakes as asked. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (let turn = 0; turn < 1_000; turn += 1) {
      this.escapes.send((change) => change(), { escaped: () => undefined });
      await Promise.all(this.#work.splice(0));
      const next = this.escapes.nextAt();
      if (next === null || next > end) break;
      this.now = Math.max(this.now, next);
    }
    this.now = end;
  }
}

it('no row is kept of what is not urgent, or of an account without an escape channel', ({ sql }) => {
  const world = new World(sql);
  world.escapes.watch([{ seq: 1, priority: 0, created_at: 0, next_at: null, escaped: null }]);
  world.escape = null;
  world.queue();
  expect(sql.exec('SELECT * FROM escapes').toArray()).toEqual([]);
});

it('what was queued before the policy was known goes to the channel all the same, also after a restart', async ({
  sql,
}) => {
  for (const isAgain of [false, true]) {
    const world = new World(sql);
    world.isKnown = false;
    world.queue();
    await world.pass(MINUTE);
    if (isAgain) world.restart();
    world.isKnown = true;
    await world.pass(MINUTE);
    expect(world.calls).toEqual([]);
    await world.pass(2 * MINUTE);
    expect(world.calls).toHaveLength(1);
  }
});

it('messages of open sources leave half of the channel to others, and are all there later', async ({
  sql,
}) => {
  const world = new World(sql);
  for (let n = 0; n < 100; n += 1) world.queue('open');
  await world.pass(4 * MINUTE);
  expect(world.calls.map(({ text }) => numbersIn(text)[0] ?? 'summary')).toEqual([1, 2, 3, 4, 'summary']);
  for (let n = 0; n < 20; n += 1) world.queue('open');
  await world.pass(2 * MINUTE);
  world.restart();
  const alert = world.queue();
  await world.pass(3 * MINUTE);
  expect(world.calls.slice(5).map(({ text }) => numbersIn(text))).toEqual([[alert]]);
  await world.pass(20 * MINUTE);
  expect(world.calls).toHaveLength(11);
  expect(sql.exec('SELECT * FROM escapes').toArray()).toEqual([]);
});

it('what is due is found without reading the other messages that wait', async ({ sql }) => {
  const world = new World(sql);
  world.queue();
  addMany(sql, 500, {}, 10);
  const rows = countRows(sql);
  await world.pass(4 * MINUTE);
  expect(world.calls).toHaveLength(1);
  expect(rows.read()).toBeLessThan(30);
});

it('the end of a call that is under way is waited for', async ({ sql }) => {
  const world = new World(sql);
  world.sending.add(world.queue());
  await world.pass(4 * MINUTE);
  expect(world.calls).toEqual([]);
  world.sending.clear();
  await world.pass(6_000);
  expect(world.calls).toHaveLength(1);
});

it('no address is called but an https one', async ({ sql }) => {
  for (const secret of [undefined, 'http://10.0.0.1/x', 'https://user:password@channel.example/']) {
    const world = new World(sql);
    world.secret = secret;
    world.queue();
    await world.pass(3 * MINUTE);
    expect([secret, world.calls]).toEqual([secret, []]);
    const detail = 'NOTIFY_ME is not an https address';
    expect(world.escapes.state).toMatchObject({ failures: 1, last: { detail } });
  }
});

it('a message is tried five times, each later one once until one is answered', async ({ sql }) => {
  const world = new World(sql);
  world.answers = Array.from({ length: 7 }, () => null);
  world.queue();
  await world.pass(60 * MINUTE);
  const [first = 0] = world.calls.map(({ at }) => at);
  expect(world.calls.map(({ at }) => at - first)).toEqual([0, 5_000, 35_000, 155_000, 755_000]);
  for (const count of [1, 2, 1]) {
    for (let more = 0; more < count; more += 1) world.queue();
    await world.pass(60 * MINUTE);
  }
  expect(world.calls).toHaveLength(8);
  expect(world.calls.at(-1)?.text).toBe('This message may not have arrived: no. 5');
  expect(world.escapes.state.failures).toBe(0);
});

const numbersIn = (text: string): readonly number[] =>
  text.startsWith('This message may not have arrived: no. ') ? [Number(text.split('no. ')[1])] : [];

it('the channel gets each message once, none sent in time, in few calls', async ({ sql }) => {
  const step = fc.record({
    act: fc.constantFrom('queue', 'send', 'pass', 'fail', 'restart'),
    count: fc.integer({ min: 1, max: 15 }),
    seq: fc.nat(30),
    seconds: fc.integer({ min: 1, max: 300 }),
  });
  const trips = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const world = new World(sql);
    const queuedAt = new Map<number, number>();
    const sentInTime = new Set<number>();
    for (const { act, count, seq, seconds } of steps) {
      if (act === 'queue')
        for (let n = 0; n < count; n += 1)
          queuedAt.set(world.queue(seconds % 2 === 0 ? 'open' : 'urgent'), world.now);
      else if (act === 'fail') world.answers.push(...Array.from({ length: count % 3 }, () => 500));
      else if (act === 'restart') world.restart();
      else if (act === 'pass') await world.pass(seconds * 1_000);
      else if (queuedAt.has(seq)) {
        if (world.now < (queuedAt.get(seq) ?? 0) + ESCAPE.afterMs) sentInTime.add(seq);
        world.sent(seq);
      }
    }
    world.answers = [];
    await world.pass(24 * 60 * MINUTE);
    const left =
      "SELECT seq FROM messages WHERE state <> 'sent' AND escaped IS NULL UNION ALL SELECT seq FROM escapes";
    expect(sql.exec(left).toArray()).toEqual([]);
    const got = world.calls.flatMap(({ text, status }) => (status === 200 ? numbersIn(text) : []));
    expect(new Set(got).size).toBe(got.length);
    expect(got.filter((one) => sentInTime.has(one))).toEqual([]);
    const times = world.calls.map(({ at }) => at);
    const most = times.map((at) => times.filter((other) => other >= at && other < at + 10 * MINUTE).length);
    expect(Math.max(0, ...most)).toBeLessThanOrEqual(22);
  });
  await fc.assert(trips, { numRuns: 100 });
});
