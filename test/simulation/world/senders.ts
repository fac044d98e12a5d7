import type { Severity } from '../model/changes.ts';
import type { Random } from '../simulation.ts';
import type { WorldHost } from './host.ts';
import { LateAlerts, type PostedAlert } from './late-alerts.ts';
import { ALERTS_ACCOUNT, CREW, CUSTOMERS } from './plan.ts';
import type { Answer } from './relay.ts';
import { shortOrder } from './unsent.ts';

/** The waits after which a sender tries again (ms). After them it does so every ten minutes until the world ends. */
const RETRIES_MS = [5_000, 30_000, 120_000, 600_000];

/** A request whose answer nobody saw has been handled by then (ms). */
const UNANSWERED_MS = 60_000;

/** The receiver of a campaign. */
export const BUSY = '4915160999999';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A forgotten incident is said to have resolved so long after it expired, at least (ms). */
const LATE_END_MS = 900_000;

/** Systems that post webhooks, and try again until they are answered. */
export class Senders {
  readonly #host: WorldHost;
  readonly #end: number;
  #busy = 0;
  #number = 0;
  readonly #problems = new Map<string, 'firing' | 'resolved'>();
  readonly #severities = new Map<string, Severity>();
  /** Keys that fire, and of which the monitor speaks no more. */
  readonly #forgotten = new Set<string>();
  /** Since when the state of a key is so (ms). */
  readonly #since = new Map<string, number>();
  readonly #late: LateAlerts;
  /** Requests of monitors under way. */
  #talking = 0;
  /** True if no monitor begins another one. */
  #rests = false;
  /** Keys whose state the monitor has yet to post. */
  readonly #changed = new Set<string>();
  /** Wakes the monitor. */
  #wake: () => void = () => undefined;

  constructor(host: WorldHost) {
    this.#host = host;
    this.#end = host.simulation.startedAt + host.simulation.duration;
    this.#late = new LateAlerts(host);
  }

  /** Nobody waits for an answer, and nothing new comes. */
  get areDone(): boolean {
    return this.#busy === 0 && this.#host.simulation.now() >= this.#end;
  }

  start(): void {
    const { simulation, plan, random } = this.#host;
    const { keys, ordersEveryMs, problemEveryMs, stormEveryMs } = plan;
    const every = (name: string, meanMs: number, deed: (random: Random) => Promise<void>): void => {
      const own = random.fork(name);
      simulation.spawn(name, async () => {
        for (;;) {
          await simulation.sleep(own.next() * 2 * meanMs);
          if (simulation.now() >= this.#end) return;
          await deed(own);
        }
      });
    };
    every('orders', ordersEveryMs, (own) => this.#order(own));
    every('batches', 6 * ordersEveryMs, (own) => this.#batch(own));
    every('bursts', 12 * HOUR_MS, async (own) => {
      for (let count = own.int(5, 60); count > 0; count -= 1) await this.#order(own);
    });
    every('problems', problemEveryMs, (own) => this.#problem(own, own.pick(keys)));
    every('storms', stormEveryMs, async (own) => {
      for (const key of keys) await this.#problem(own, key);
    });
    every('rubbish', DAY_MS / 6, (own) => this.#rubbish(own));
    if (plan.hasBacklog) simulation.spawn('campaign', () => this.#campaign(random.fork('campaign')));
    if (plan.tells) {
      every('late alerts', problemEveryMs / 2, (own) => this.#unlessResting(() => this.#late.post(own)));
      if (plan.answers === null)
        every('acknowledged', problemEveryMs, (own) =>
          this.#unlessResting(() =>
            this.#late.acknowledge(
              own,
              keys.filter((key) => this.#isGoingOn(key)).map((key) => this.#stateOf(key)),
            ),
          ),
        );
    }
    simulation.spawn('monitor', () => this.#monitor(random.fork('monitor')));
  }

  async #unlessResting(post: () => Promise<void>): Promise<void> {
    if (this.#rests) return;
    this.#busy += 1;
    this.#talking += 1;
    await post();
    this.#talking -= 1;
    this.#busy -= 1;
  }

  /** Monitors say nothing during the work, and what they said before has arrived. */
  async restDuring(work: () => Promise<void>): Promise<void> {
    const { simulation } = this.#host;
    this.#rests = true;
    while (this.#talking > 0) await simulation.sleep(1_000);
    await simulation.sleep(UNANSWERED_MS);
    await work();
    this.#late.forget();
    this.#rests = false;
  }

  /** Posts until the relay has said what it is. Returns the answer, and when it was asked for last. */
  async #deliver(source: string, body: string): Promise<{ answer: Answer; requestedAt: number }> {
    const { simulation, relay } = this.#host;
    this.#busy += 1;
    for (let tries = 0; ; tries += 1) {
      const requestedAt = simulation.now();
      const answer = await relay.post(source, body);
      simulation.count('webhooks');
      simulation.trace({
        who: `sender of ${source}`,
        what: `is answered ${answer.status}`,
        detail: { body: body.slice(0, 120) },
      });
      if (answer.status === 202) {
        this.#busy -= 1;
        return { answer, requestedAt };
      }
      if (answer.status > 0 && answer.status < 500 && answer.status !== 429)
        simulation.report('a good webhook is accepted', `${source} was answered ${answer.status}`);
      await simulation.sleep(simulation.isCalm ? 30_000 : (RETRIES_MS[tries] ?? 600_000));
    }
  }

  async #order(random: Random): Promise<void> {
    const { simulation, messages, plan, owner } = this.#host;
    const phone = random.pick(CUSTOMERS);
    const isTwice = random.chance(0.1);
    const isOnItsOwn = random.chance(0.3);
    const n = (this.#number += 1);
    if (!simulation.decide('webhook.order')) return;
    const note = plan.isSmall ? 'x'.repeat(random.fork(`note ${n}`).int(0, 120_000)) : undefined;
    const body = JSON.stringify({ id: `o${n}`, n, phone: `+${phone}`, note });
    const firstAt = simulation.now();
    const deliver = async (): Promise<void> => {
      await this.#deliver('orders', body);
      const text = `order ${n}`;
      owner?.heard(simulation.now());
      messages.accepted({
        source: 'orders',
        phone,
        text,
        isHeld: plan.isHeld,
        other: null,
        expiresMs: plan.maxAge?.ofOrdersMs ?? null,
        fallback: plan.fallbacks?.ofOrders === true ? shortOrder(text) : null,
        requestedAt: firstAt,
        acceptedAt: simulation.now(),
      });
    };
    // A sender that did not see the answer sends the same again, even at the same time.
    if (isTwice) simulation.spawn('order twice', deliver);
    if (isOnItsOwn) simulation.spawn('order', deliver);
    else await deliver();
  }

  /** 59 of 60 messages are for one receiver, and the others wait in the midst of them. */
  async #campaign(random: Random): Promise<void> {
    const { simulation, messages } = this.#host;
    await simulation.sleep(HOUR_MS);
    const others = Array.from({ length: 200 }, (_, index) => `4915160${100_000 + index}`);
    for (let n = 1; n <= 60; n += 1) {
      const to =
        n === 40 ? Array.from({ length: 1_000 }, () => random.pick(others)) : Array<string>(1_000).fill(BUSY);
      await this.#deliver('campaign', JSON.stringify({ n, to: to.map((phone) => `+${phone}`) }));
      if (n !== 40) continue;
      to.forEach((phone, index) =>
        messages.soon({ phone, text: `campaign ${n}.${index + 1}` }, simulation.now()),
      );
    }
  }

  async #batch(random: Random): Promise<void> {
    const { simulation, messages, plan, owner } = this.#host;
    const size = random.int(1, 8);
    const n = (this.#number += 1);
    if (!simulation.decide('webhook.batch')) return;
    const parts = Array.from({ length: size }, (_, part) => part);
    const firstAt = simulation.now();
    await this.#deliver('batches', JSON.stringify({ id: `b${n}`, n, parts }));
    const times = { requestedAt: firstAt, acceptedAt: simulation.now() };
    const owed = { source: 'batches', isHeld: false, other: plan.handOnMs === null ? null : ALERTS_ACCOUNT };
    for (const part of parts)
      for (const phone of CREW) {
        const batch = { ...owed, phone, text: `batch ${n}.${part}`, ...times };
        messages.accepted(batch);
        owner?.accepted(batch);
      }
  }

  /** Begins, and ends by itself; some come back soon, and of some nobody ever says that they ended. */
  async #problem(random: Random, key: string): Promise<void> {
    const { simulation, plan } = this.#host;
    const times = random.chance(0.3) ? random.int(2, 6) : 1;
    const longerBy =
      (plan.escalation !== null || plan.worsens || plan.maxAge !== null) &&
      random.fork(`lasts ${key} ${simulation.now()}`).chance(0.4)
        ? plan.worsens
          ? 16
          : 4
        : 1;
    const lasting = Array.from({ length: times }, () => ({
      on: longerBy * 20_000 * 10 ** (random.next() * 3),
      off: random.next() * plan.comesBackMs,
    }));
    // Another stream: what is drawn after it stays the same.
    const isForgotten =
      plan.expiresMs !== null && random.fork(`forgets ${key} ${simulation.now()}`).chance(0.3);
    const late = random.fork(`says late ${key} ${simulation.now()}`);
    const endsLateMs = late.chance(0.6) ? LATE_END_MS * (1 + 8 * late.next()) : null;
    const worse = random.fork(`worsens ${key} ${simulation.now()}`);
    const isCriticalAfter = plan.worsens && worse.chance(0.6) ? worse.next() / 2 : null;
    if (!simulation.decide('problem') || this.#isGoingOn(key)) return;
    simulation.spawn(`problem ${key}`, async () => {
      for (const { on, off } of lasting) {
        this.#change(key, 'firing', 'warning');
        if (isCriticalAfter !== null) {
          await simulation.sleep(on * isCriticalAfter);
          this.#change(key, 'firing', 'critical');
        }
        await simulation.sleep(on * (1 - (isCriticalAfter ?? 0)));
        if (isForgotten) {
          this.#forgotten.add(key);
          simulation.trace({ who: 'monitor', what: 'forgets', detail: { key } });
          if (endsLateMs === null) return;
          await simulation.sleep((plan.expiresMs ?? 0) + endsLateMs);
          if (this.#forgotten.has(key)) this.#change(key, 'resolved');
          return;
        }
        this.#change(key, 'resolved');
        await simulation.sleep(off);
        if (simulation.now() >= this.#end || this.#isGoingOn(key)) return;
      }
    });
    await Promise.resolve();
  }

  #isGoingOn(key: string): boolean {
    return this.#problems.get(key) === 'firing' && !this.#forgotten.has(key);
  }

  #change(key: string, status: 'firing' | 'resolved', severity?: Severity): void {
    if (this.#host.simulation.now() >= this.#end) return;
    this.#problems.set(key, status);
    if (severity !== undefined && this.#host.plan.worsens) this.#severities.set(key, severity);
    this.#forgotten.delete(key);
    if (status === 'firing' || !this.#host.plan.tellsBegin) this.#since.set(key, this.#host.simulation.now());
    // Its webhook is under way for long: what comes next overtakes it.
    if (status === 'firing' && this.#late.isHeldUp(this.#stateOf(key))) return;
    this.#changed.add(key);
    this.#wake();
  }

  /** Posts what has changed, each five seconds at most, and each hour what is firing. */
  async #monitor(random: Random): Promise<void> {
    const { simulation } = this.#host;
    const hourNow = (): number => Math.floor(simulation.now() / HOUR_MS);
    let hour = 0;
    while (simulation.now() < this.#end || this.#changed.size > 0) {
      if (this.#changed.size === 0 && hourNow() === hour) await this.#wakes((hour + 1) * HOUR_MS);
      await simulation.sleep(random.int(2_000, 5_000));
      while (this.#rests) await simulation.sleep(5_000);
      const isHour = hourNow() !== hour;
      hour = hourNow();
      const keys = isHour
        ? new Set([...this.#changed, ...[...this.#problems.keys()].filter((key) => this.#isGoingOn(key))])
        : new Set(this.#changed);
      if (keys.size > 0) await this.#postAlerts([...keys]);
    }
  }

  /** Waits for a change, until then at most. */
  #wakes(until: number): Promise<void> {
    const { simulation } = this.#host;
    return new Promise((resolve) => {
      this.#wake = resolve;
      void simulation.sleep(Math.min(until, this.#end) - simulation.now()).then(resolve);
    });
  }

  #stateOf(key: string): PostedAlert {
    const severity = this.#severities.get(key);
    const since = this.#since.get(key);
    return {
      key,
      status: this.#problems.get(key) ?? 'resolved',
      ...(severity && { severity }),
      ...(this.#host.plan.tells && since !== undefined && { at: new Date(since).toISOString() }),
    };
  }

  async #postAlerts(keys: readonly string[]): Promise<void> {
    const { simulation, alerts } = this.#host;
    const said = keys.map((key) => this.#stateOf(key));
    const requestedAt = simulation.now();
    const note = (acceptedAt: number | null): void => {
      for (const one of said) {
        const { key, ...change } = one;
        const mayBeOutdated = this.#late.mayBeOutdated(one);
        alerts.changes.said(key, { ...change, requestedAt, acceptedAt, mayBeOutdated });
      }
    };
    note(null);
    this.#busy += 1;
    this.#talking += 1;
    const answer = await this.#host.relay.post('monitor', JSON.stringify({ alerts: said }));
    this.#talking -= 1;
    this.#busy -= 1;
    simulation.count('webhooks');
    simulation.trace({
      who: 'monitor',
      what: `is answered ${answer.status}`,
      detail: { said: said.map((one) => Object.values(one).join(' ')).join(', ') },
    });
    if (answer.status !== 202) {
      // The next post says what is true by then.
      for (const key of keys) this.#changed.add(key);
      await simulation.sleep(30_000);
      return;
    }
    note(simulation.now());
    for (const one of said) {
      const { key, status, severity } = one;
      this.#late.accepted(one);
      const isSaid = this.#problems.get(key) === status && this.#severities.get(key) === severity;
      if (isSaid) this.#changed.delete(key);
    }
  }

  /** Posts something that is refused, whoever sends it. */
  async #rubbish(random: Random): Promise<void> {
    const { simulation, relay, owner } = this.#host;
    const body = random.pick(['{"id": ', '', '[]', '\u0000', '{"phone": 5}']);
    const source = random.pick(['orders', 'nobody']);
    if (!simulation.decide('webhook.rubbish')) return;
    const { status } = await relay.post(source, body);
    if (source === 'orders' && (status === 202 || status === 0))
      owner?.heard(simulation.now(), status === 202);
    if (source === 'nobody' && status === 202) simulation.report('rubbish is refused', `${source}: ${body}`);
  }
}
