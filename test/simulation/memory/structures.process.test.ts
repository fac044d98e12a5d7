import { beforeAll, expect, it } from 'vitest';
import { compileWorker, type Program } from '../platform/bundle.ts';
import { faultlessPlatform } from '../platform/faultless.ts';
import type { Platform } from '../platform/platform.ts';
import { passTime } from '../run/pass-time.ts';
import { Relay, SENDER_SECRET, type Answer } from '../world/relay.ts';
import { grown, Structures, total, type Reachable, type Sizes } from './structures.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** An object that is asked so often is never idle for long enough to be evicted. */
const ASKED_EACH = 9 * SECOND;

/** A signed source with a route to whoever the payload names. */
const sourceOf = (route: object, over: object = {}): object => ({
  provider: 'generic',
  verify: { scheme: 'hmac', header: 'X-Signature' },
  secrets: ['SENDER_SECRET'],
  routes: [
    { name: 'one', to: '{{ payload.phone }}', send: { kind: 'text', message: '{{ count }}' }, ...route },
  ],
  ...over,
});

const DOCUMENTS = {
  sources: {
    orders: sourceOf(
      { send: { kind: 'text', message: 'order {{ payload.id }}' } },
      { dedupe: { key: '{{ payload.id }}', window: '3d' } },
    ),
    monitor: sourceOf({
      incident: { key: '{{ payload.key }}', resolved: 'payload.status == "resolved"' },
      throttle: { max: 1, per: '30m' },
    }),
  },
  templates: {},
  recipients: {},
  accounts: { default: { rate: { per_minute: 600, burst: 50 }, per_recipient: { per_hour: 3 } } },
};

const sent = (): Response => Response.json({ success: true, data: { status_code: 200 } });

/** One outbox of a relay without faults, which stays in memory. */
class Lab {
  readonly #platform: Platform;
  readonly #relay: Relay;
  readonly #outboxes: object[] = [];
  calls = 0;

  constructor(program: Program) {
    this.#platform = faultlessPlatform((modules, globals) => {
      const { Outbox, ...others } = program(modules, globals);
      if (typeof Outbox !== 'function') throw new Error('the Worker exports no class Outbox');
      const construct = (target: object, args: unknown[]): object => {
        if (typeof target !== 'function') throw new TypeError('no class');
        const made: unknown = Reflect.construct(target, args);
        if (typeof made !== 'object' || made === null) throw new TypeError('no object');
        this.#outboxes.push(made);
        return made;
      };
      return { ...others, Outbox: new Proxy(Outbox, { construct }) };
    });
    this.#platform.bindings['SENDER_SECRET'] = SENDER_SECRET;
    this.#platform.outside('gateway.example', () => {
      this.calls += 1;
      return { kind: 'answer', afterMs: 50, response: sent() };
    });
    this.#relay = new Relay(this.#platform, this.#platform.random.fork('relay'));
  }

  async start(): Promise<void> {
    expect((await this.#until(this.#relay.admin('POST', '/config', DOCUMENTS))).status).toBe(200);
    await this.#pass(2 * MINUTE);
  }

  async order(id: string, phone: string): Promise<void> {
    await this.#post('orders', { id, phone });
  }

  async alert(key: string, phone: string, status: 'firing' | 'resolved'): Promise<void> {
    await this.#post('monitor', { key, phone, status });
  }

  async #post(source: string, payload: object): Promise<void> {
    const { status } = await this.#until(this.#relay.post(source, JSON.stringify(payload)));
    expect(status).toBe(202);
  }

  /** Lets time pass in which nothing comes. The outbox is read, so that it stays in memory. */
  async quiet(ms: number): Promise<void> {
    for (const end = this.#platform.now() + ms; this.#platform.now() < end;) {
      expect((await this.#until(this.#relay.admin('GET', '/messages?limit=1'))).status).toBe(200);
      await this.#pass(ASKED_EACH);
    }
  }

  /** All that the one instance has in memory. */
  reachable(): Reachable {
    const [outbox, ...others] = this.#outboxes;
    expect(others).toEqual([]);
    if (outbox === undefined) throw new Error('there is no outbox in memory');
    return Structures.of(outbox);
  }

  #pass(ms: number): Promise<void> {
    return passTime(this.#platform, this.#platform.scheduler.now + ms);
  }

  async #until(work: Promise<Answer>): Promise<Answer> {
    const state = { isOver: false };
    const end = (): void => void (state.isOver = true);
    work.then(end, end);
    while (!state.isOver) await this.#pass(SECOND / 10);
    return await work;
  }
}

const phoneOf = (n: number): string => `49151${String(n).padStart(8, '0')}`;

/** Structures that grow until they are full, or have one element for each kind of thing: the most that each has. */
const BOUNDED: readonly (readonly [path: RegExp, most: number])[] = [
  // The checkpoint's open block: two numbers a send.
  [/^\.#parts\.claims\.#checkpoint\.#open$/, 512],
  // The open hour and the one before it, until its row is written; and its steps of five minutes, by what was counted.
  [/^\.#parts\.claims\.series\.#hours$/, 2],
  [/^\.#parts\.claims\.series\.#hours\[\]\.\w+ \w+$/, 12],
  // One for each source and outcome, and each bucket of a histogram.
  [/^\.#parts\.claims\.counters\.#all$/, 30],
  // The last changes, for who looks on.
  [/^\.#parts\.tail\.#changes$/, 200],
  // The counts since the last checkpoint, of a few events.
  [/^\.#parts\.claims\.counters\.#since$/, 30],
];

const isBounded = (sizes: Sizes, path: string): boolean =>
  BOUNDED.some(([one, most]) => one.test(path) && (sizes.get(path) ?? 0) <= most);

/** The structures that have more than before, and that nothing bounds. */
const crept = (before: Sizes, after: Sizes): readonly string[] =>
  grown(before, after).filter((line) => !isBounded(after, line.split(': ')[0] ?? ''));

/** Far fewer than one for each repeat. There may be a new counter, or a promise of the test itself. */
const A_FEW = 20;

/** Paths with more objects than before, if there are more than a few more in all; ten: a chain has one for each link. */
const moreObjects = (before: Reachable, after: Reachable): readonly string[] => {
  const [was, is] = [unkept(before.objects), unkept(after.objects)];
  return total(is) < total(was) + A_FEW ? [] : grown(was, is).slice(0, 10);
};

/** Without the last changes, which are {@link BOUNDED}. */
const unkept = (objects: Sizes): Sizes =>
  new Map([...objects].filter(([path]) => !path.startsWith('.#parts.tail.#changes[]')));

let program: Program;
beforeAll(async () => void (program = await compileWorker()));

/** An outbox that has met each kind of webhook already, and nothing for an hour. */
async function startLab(): Promise<Lab> {
  const lab = new Lab(program);
  await lab.start();
  await lab.order('first', phoneOf(0));
  await lab.order('first', phoneOf(0));
  await lab.alert('first', phoneOf(0), 'firing');
  await lab.quiet(MINUTE);
  await lab.alert('first', phoneOf(0), 'resolved');
  await lab.quiet(61 * MINUTE);
  await lab.order('second', phoneOf(0));
  await lab.quiet(MINUTE);
  return lab;
}

it('the structures that an outbox has in memory are no larger after many repeats of a webhook, and no chain of objects or promises is longer', async () => {
  const lab = await startLab();
  await lab.alert('again', phoneOf(1), 'firing');
  await lab.quiet(MINUTE);
  const [before, calls] = [lab.reachable(), lab.calls];
  // All of them are found: maps, sets and lists, in private fields and closures.
  const paths = [...before.sizes.keys()];
  const some = ['.#parts.incidents.#open.subscribers.#byKey', '.#parts.loop.#waiting'];
  expect(paths).toEqual(expect.arrayContaining(some));
  expect(paths.filter((path) => path.startsWith('bundle')).length).toBeGreaterThan(50);
  for (let n = 0; n < 200; n += 1) {
    await lab.order('second', phoneOf(0));
    await lab.alert('again', phoneOf(1), 'firing');
  }
  await lab.quiet(2 * MINUTE);
  expect(lab.calls).toBe(calls);
  const after = lab.reachable();
  expect(crept(before.sizes, after.sizes)).toEqual([]);
  expect(moreObjects(before, after)).toEqual([]);
  expect(after.promises).toBeLessThan(before.promises + A_FEW);
});

it('the structures that an outbox has in memory are no larger when receivers who were at their limits have been quiet', async () => {
  const lab = await startLab();
  const before = lab.reachable();
  const receivers = 60;
  for (let n = 1; n <= receivers; n += 1) {
    for (let order = 1; order <= 5; order += 1) await lab.order(`${n}.${order}`, phoneOf(n));
    for (const key of ['a', 'b', 'c']) await lab.alert(key, phoneOf(1_000 + n), 'firing');
  }
  await lab.quiet(2 * MINUTE);
  const busy = lab.reachable().sizes;
  expect(busy.get('.#parts.claims.#queue.turns.#full')).toBe(receivers);
  expect(busy.get('.#parts.incidents.#open.subscribers.#byKey')).toBe(receivers);
  for (let n = 1; n <= receivers; n += 1)
    for (const key of ['a', 'b', 'c']) await lab.alert(key, phoneOf(1_000 + n), 'resolved');
  // The last orders go out in the second hour; after a third, no send matters any more.
  await lab.quiet(3 * HOUR);
  await lab.order('last', phoneOf(0));
  await lab.quiet(MINUTE);
  expect(lab.calls).toBeGreaterThan(5 * receivers);
  const after = lab.reachable();
  expect(crept(before.sizes, after.sizes)).toEqual([]);
  expect(moreObjects(before, after)).toEqual([]);
});
