import * as fc from 'fast-check';
import { expect } from 'vitest';
import { compileConfig } from '../../src/config/compile/compile.ts';
import { EMPTY_SET } from '../../src/config/documents/schema.ts';
import { parseOwnJson } from '../../src/lib/json.ts';
import type { About, DraftMessage } from '../../src/outbox/state/acceptance.ts';
import { messageId, type MessageRow } from '../../src/outbox/state/message.ts';
import { Bench } from './bench.ts';
import { it } from './it.ts';
import { allRows, draft, empty, MINUTE, rowOf, rowsFrom, START } from './support.ts';

const PHONE = '4915112345601';
const OTHER = '4915112345602';

const ROUTES = [{ name: 'all', to: PHONE, send: { kind: 'text', message: 'x' } }];
const SOURCES = { shop: { verify: { scheme: 'none' }, locale: 'de-DE', routes: ROUTES } };
const { config: CONFIG } = compileConfig({ ...EMPTY_SET, sources: SOURCES }, 1);

/** An outbox that is paused, whose messages are sent on demand. */
class World {
  readonly #rig: Bench;
  readonly sql: SqlStorage;
  readonly sent: MessageRow[] = [];

  constructor(storage: DurableObjectStorage, above: number | null = 3) {
    empty(storage.sql);
    this.sql = storage.sql;
    this.#rig = new Bench(storage, { digestAbove: above });
    this.restart();
  }

  get now(): number {
    return this.#rig.now;
  }

  set now(at: number) {
    this.#rig.now = at;
  }

  /** The object stops and starts again. */
  restart(): void {
    this.#rig.restart();
    const { config, meta } = this.#rig.parts;
    meta.pause = { at: START, by: 'token', code: 'paused' };
    Object.assign(config, { read: () => Promise.resolve(CONFIG), policyIn: () => this.#rig.policy });
  }

  /** Messages are accepted in one commit, and what follows is done. */
  async accept(...drafts: readonly DraftMessage[]): Promise<void> {
    await this.#rig.accept(...drafts);
    await this.#rig.settled();
  }

  commit(): Promise<void> {
    this.#rig.parts.overflow.look(this.#rig.loop.late);
    return this.#rig.settled();
  }

  /** Another number was published, which is read when it is needed. Returns how often it was read. */
  publishes(above: number): () => number {
    let reads = 0;
    const read = () => {
      reads += 1;
      if (reads > 100) throw new Error('read again and again');
      this.#rig.policy = { ...this.#rig.policy, digestAbove: above };
      return Promise.resolve(CONFIG);
    };
    Object.assign(this.#rig.parts.config, { read });
    return () => reads;
  }

  /** The next message of any receiver is sent; false: none waits. */
  send(): boolean {
    const { queue } = this.#rig.claims;
    queue.load(this.now);
    for (;;) {
      const next = queue.turns.take(this.now, () => 0);
      if (next === null) return false;
      const ready = queue.takeRow(next.seq, this.now);
      queue.turns.release(next);
      if (ready === null) continue;
      this.sql.exec("UPDATE messages SET state = 'sent', next_at = NULL WHERE seq = ?", next.seq);
      this.sent.push(rowOf(this.sql, next.seq));
      return true;
    }
  }

  waiting(phone = PHONE): readonly MessageRow[] {
    return allRows(this.sql).filter((row) => row.state === 'queued' && row.phone === phone);
  }

  /** Those that were left out for a digest. */
  get cancelled(): readonly MessageRow[] {
    return allRows(this.sql).filter(({ state }) => state === 'cancelled');
  }

  /** The id of a message. */
  idOf = (seq: number): string => messageId(seq, this.#rig.parts.tag);
}

const texts = (count: number, over: Partial<DraftMessage> = {}, from = 1): readonly DraftMessage[] =>
  Array.from({ length: count }, (_, at) => draft({ params: { message: `no ${from + at}` }, ...over }));

const aboutOf = ({ about }: MessageRow): About | null => (about === null ? null : parseOwnJson<About>(about));

const summarizedIn = (world: World, seq: number): string =>
  JSON.stringify({ code: 'summarized', params: { message: world.idOf(seq) } });

it('more messages than `digest_above` for one receiver are one digest', async ({ storage }) => {
  const world = new World(storage);
  await world.accept(...texts(3), ...texts(3, { phone: OTHER }));
  expect(world.cancelled).toEqual([]);
  await world.accept(...texts(1, {}, 4));
  const digest = rowOf(world.sql, 8);
  const reasons = world.cancelled.map(({ reason }) => reason);
  expect(reasons).toEqual(Array.from({ length: 4 }, () => summarizedIn(world, 8)));
  expect(aboutOf(digest)).toMatchObject({
    form: 'digest',
    summarized: 4,
    since: new Date(START).toISOString(),
  });
  expect(digest.params).toContain('4 Nachrichten:\\n• no 4\\n• no 3\\n• no 2\\n• no 1');
  expect(world.waiting(OTHER)).toHaveLength(3);
});

it('a digest that waits counts what comes more; then there is another', async ({ storage }) => {
  const world = new World(storage);
  await world.accept(...texts(4));
  world.now += MINUTE;
  await world.accept(...texts(3, {}, 5));
  expect(world.waiting()).toHaveLength(4);
  await world.accept(...texts(1, {}, 8));
  expect(world.waiting().map(({ seq }) => seq)).toEqual([5]);
  const digest = rowOf(world.sql, 5);
  expect(aboutOf(digest)).toMatchObject({ summarized: 8, since: new Date(START).toISOString() });
  expect(digest.params).toContain('8 Nachrichten:\\n• no 8\\n• no 7\\n• no 6\\n• no 5\\n• no 4\\nund 3');
  expect(world.send()).toBe(true);
  await world.accept(...texts(4, {}, 9));
  expect(world.waiting().map(aboutOf)).toMatchObject([{ summarized: 4 }]);
  expect([world.send(), world.send()]).toEqual([true, false]);
});

it('`digest_above` may change while more wait than it allows, of which no digest can be made', async ({
  storage,
}) => {
  for (const above of [5, 2]) {
    const world = new World(storage);
    await world.accept(...texts(9, { delayMs: 5 }));
    world.now += MINUTE;
    const reads = world.publishes(above);
    await world.commit();
    expect(reads()).toBe(1);
  }
});

it('what is urgent, delayed, of incidents, awaited or tried is in no digest', async ({ storage }) => {
  const about: About = { form: 'group', why: 'new', new: 1, resolved: 0, firing: 1, incidents: [] };
  const holder = { form: 'holder', who: 'Anna', keys: ['k'], locale: 'de-DE', isBack: false, maxLength: 99 };
  const reports = { account: 'sales', message: 'msg_1' };
  const status: Partial<DraftMessage> = { phone: null, kind: 'status', params: { text: 'x' } };
  const urgent = { priority: 'high' as const };
  for (const over of [urgent, { delayMs: 5 }, { about }, { says: holder }, { reports }, status]) {
    const world = new World(storage);
    await world.accept(...texts(9, over), ...texts(3));
    world.now += MINUTE;
    await world.commit();
    expect([over, world.cancelled]).toEqual([over, []]);
  }
  const tried = "state = 'retrying', next_at = 1, attempts = '[{}]'";
  const canary = "source = NULL, links = '{}'";
  for (const set of [tried, canary]) {
    const world = new World(storage);
    rowsFrom('shop', world.sql, START, ...texts(9));
    world.sql.exec(`UPDATE messages SET ${set}`);
    world.restart();
    await world.accept(...texts(3, {}, 10));
    expect([set, world.cancelled]).toEqual([set, []]);
  }
  const without = new World(storage, null);
  await without.accept(...texts(100));
  expect(without.waiting()).toHaveLength(100);
});

it('a digest has the longest life, the most care, and nothing to keep', async ({ storage }) => {
  const world = new World(storage);
  const bare = draft({ expiresMs: MINUTE, onUncertain: 'hold', forget: true });
  await world.accept(...texts(3, { expiresMs: 2 * MINUTE }), bare);
  const [digest] = world.waiting();
  expect(digest).toMatchObject({ expires_at: START + 2 * MINUTE, on_uncertain: 'hold', forget: 1 });
  expect(rowOf(world.sql, 4).params).toBe('{}');
  await world.accept(...texts(4));
  expect(world.waiting()).toMatchObject([
    { seq: digest?.seq, expires_at: null, on_uncertain: 'hold', forget: 1 },
  ]);
});

it('a long backlog is one digest, in steps', async ({ storage }) => {
  const world = new World(storage);
  await world.accept(...texts(2_500));
  expect(world.waiting().map(aboutOf)).toMatchObject([{ summarized: 2_500 }]);
});

it('each message is sent or in one digest, and few wait', async ({ storage }) => {
  const step = fc.record({
    act: fc.constantFrom('accept', 'send', 'restart'),
    count: fc.integer({ min: 1, max: 12 }),
    phone: fc.constantFrom(PHONE, OTHER),
  });
  const aboves = fc.integer({ min: 1, max: 6 });
  const trips = fc.asyncProperty(fc.array(step, { maxLength: 25 }), aboves, async (steps, above) => {
    const world = new World(storage, above);
    for (const { act, count, phone } of steps) {
      if (act === 'send') world.send();
      else if (act === 'accept') await world.accept(...texts(count, { phone }));
      else {
        world.restart();
        await world.commit();
      }
      for (const one of [PHONE, OTHER]) expect(world.waiting(one).length).toBeLessThanOrEqual(above + 1);
    }
    while (world.send());
    const rows = allRows(world.sql).filter(({ about }) => about === null);
    for (const { state } of rows) expect(['sent', 'cancelled']).toContain(state);
    const counted = Map.groupBy(world.cancelled, ({ reason }) => reason);
    const digests = world.sent.filter(({ about }) => about !== null);
    const lengths = digests.map(({ seq }) => counted.get(summarizedIn(world, seq))?.length);
    expect(digests.map((row) => aboutOf(row)?.summarized)).toEqual(lengths);
    expect(digests).toHaveLength(counted.size);
  });
  await fc.assert(trips, { numRuns: 60 });
});
