import type { Random } from '../simulation.ts';
import type { WorldHost } from './host.ts';
import { withoutLinks } from './links.ts';
import { ALERTS_ACCOUNT, documentsOf, ON_CALL } from './plan.ts';
import { field } from './relay.ts';
import { onCallAt, onCallSince } from './turns.ts';
import type { MaxAge } from './unsent.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const REGISTRY = 'Registry/registry';

const DEEDS = ['publish', 'pause', 'silence', 'list', 'retry', 'cancel', 'replay', 'roll back'] as const;

/** Admins: they publish, pause, silence, retry, cancel, replay, change lists and roll back. */
export class People {
  readonly #host: WorldHost;
  readonly #end: number;
  #onCall: readonly string[];
  #receivers: readonly string[];
  #version = 0;
  /** The number of names that the route of alerts had before. */
  #renames = 0;
  #isPublishing = false;
  #busy = 0;

  constructor(host: WorldHost) {
    this.#host = host;
    this.#end = host.simulation.startedAt + host.simulation.duration;
    // Not all are on call from the first day on.
    this.#onCall = ON_CALL.slice(0, host.random.int(1, ON_CALL.length));
    this.#receivers = this.#receiversAt(host.simulation.startedAt);
    for (const phone of this.#receivers) host.alerts.members.joined(phone, -Infinity);
  }

  /** Those of the list who are notified: all, or whoever has the turn. */
  #receiversAt(at: number): readonly string[] {
    const { turns } = this.#host.plan;
    return turns === null ? this.#onCall : [onCallAt(turns, this.#onCall, at)];
  }

  /** They take turns, for as long as the run lasts. */
  async handOver(): Promise<void> {
    const { simulation, plan } = this.#host;
    if (plan.turns === null) return;
    for (;;) {
      const before = this.#receivers;
      const next = this.#receiversAt(simulation.now());
      if (next.some((phone) => !before.includes(phone))) {
        simulation.count('handovers');
        simulation.trace({ who: 'people', what: 'hand over', detail: { to: next.join() } });
        this.#join(next, simulation.now());
        this.#leave(before, simulation.now());
      }
      await simulation.sleep(HOUR_MS - (simulation.now() % HOUR_MS) + 1);
    }
  }

  #join(next: readonly string[], at: number): void {
    const { members } = this.#host.alerts;
    for (const phone of next) if (!this.#receivers.includes(phone)) members.joined(phone, at);
    this.#receivers = next;
  }

  #leave(before: readonly string[], at: number): void {
    const { members } = this.#host.alerts;
    for (const phone of before) if (!this.#receivers.includes(phone)) members.left(phone, at);
  }

  get areDone(): boolean {
    return this.#busy === 0 && this.#host.simulation.now() >= this.#end;
  }

  async publish(): Promise<void> {
    const { relay, plan } = this.#host;
    const version = this.#version;
    const route = this.#renames === 0 ? 'on-call' : `on-call-${this.#renames}`;
    const documents = documentsOf(plan, { 'on-call': this.#onCall }, version, route);
    const { status, body } = await relay.insist('POST', '/config', documents);
    if (status >= 300) throw new Error(`publishing is answered with ${status}: ${JSON.stringify(body)}`);
  }

  async act(): Promise<void> {
    const { simulation, random, plan } = this.#host;
    if (plan.deedsADay === 0) return;
    for (;;) {
      await simulation.sleep(random.next() * 2 * (DAY_MS / plan.deedsADay));
      if (simulation.now() >= this.#end) return;
      const deed = random.pick(DEEDS);
      const own = random.fork(`deed ${simulation.now()}`);
      if (!simulation.decide(`deed.${deed.replaceAll(' ', '-')}`)) continue;
      simulation.count('deeds');
      this.#busy += 1;
      await this.#do(deed, own);
      this.#busy -= 1;
    }
  }

  async #do(deed: (typeof DEEDS)[number], random: Random): Promise<void> {
    const { simulation } = this.#host;
    simulation.trace({ who: 'admin', what: deed });
    switch (deed) {
      case 'publish':
        this.#version += 1;
        return await this.#alone(() => this.publish());
      case 'roll back':
        return await this.#alone(() => this.#rollBack());
      case 'pause':
        return await this.#pause(random);
      case 'silence':
        return await this.#silence(random);
      case 'list':
        return await this.#alone(() => this.#changeList(random));
      case 'retry':
        return await this.#operate(random, 'retry', ['uncertain', 'dead']);
      case 'cancel':
        return await this.#operate(random, 'cancel', ['queued', 'retrying']);
      case 'replay':
        return await this.#replay(random);
    }
  }

  /** Does what publishes, after whatever else does. */
  async #alone(deed: () => Promise<void>): Promise<void> {
    while (this.#isPublishing) await this.#host.simulation.sleep(MINUTE_MS);
    this.#isPublishing = true;
    await deed();
    this.#isPublishing = false;
  }

  /** They give the route of alerts another name, mostly while it is quiet. `during`: no monitor posts meanwhile. */
  async rename(
    random: Random,
    everyMs: number,
    during: (deed: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { simulation, alerts } = this.#host;
    for (;;) {
      await simulation.sleep(random.next() * 2 * everyMs);
      if (random.chance(0.8)) await this.#untilQuiet(random);
      if (simulation.now() >= this.#end) return;
      if (!simulation.decide('deed.rename')) continue;
      this.#busy += 1;
      await this.#alone(() =>
        during(async () => {
          simulation.count('renames');
          simulation.trace({ who: 'admin', what: 'rename' });
          this.#renames += 1;
          this.#version += 1;
          const renamed = alerts.renames.begins(simulation.now());
          await this.publish();
          const publishedAt = simulation.now();
          while (simulation.now() < alerts.inForceBy(publishedAt)) await simulation.sleep(MINUTE_MS);
          renamed.until = simulation.now();
        }),
      );
      this.#busy -= 1;
    }
  }

  /** They have the registry as it was some publishes ago, and go on from there. */
  async restore(random: Random, everyMs: number): Promise<void> {
    const { simulation, alerts } = this.#host;
    for (;;) {
      await simulation.sleep(random.next() * 2 * everyMs);
      if (simulation.now() >= this.#end) return;
      const publishes = random.int(1, 4);
      if (!simulation.decide('deed.restore')) continue;
      this.#busy += 1;
      await this.#alone(async () => {
        const from = simulation.now();
        const restore = simulation.snapshot(REGISTRY);
        for (let count = 0; count < publishes; count += 1) {
          this.#version += 1;
          await this.publish();
          await simulation.sleep(2 * MINUTE_MS);
        }
        simulation.trace({ who: 'admin', what: 'restore' });
        restore();
        alerts.holds.restored(from, simulation.now());
        await this.#changeList(random);
      });
      this.#busy -= 1;
    }
  }

  async #untilQuiet(random: Random): Promise<void> {
    const { simulation, alerts } = this.#host;
    while (!alerts.quiet.has(simulation.now()) && simulation.now() < this.#end)
      await simulation.sleep(random.next() * HOUR_MS);
  }

  /** To the version before and back, while events come. */
  async #rollBack(): Promise<void> {
    const { relay, simulation } = this.#host;
    const { body } = await relay.insist('GET', '/config/versions');
    const [last, before] = [field(body, 'items')].flat().map((item) => field(item, 'version'));
    if (typeof last !== 'number' || typeof before !== 'number') return;
    this.#version += 1;
    await this.publish();
    await simulation.sleep(5 * MINUTE_MS);
    await relay.insist('POST', `/config/versions/${last}/activate`);
  }

  /** They pause the account of alerts, often for so long that what waits is too old then. */
  async pauseForLong(random: Random, { ofAlertsMs, pausesEveryMs }: MaxAge): Promise<void> {
    const { simulation } = this.#host;
    for (;;) {
      await simulation.sleep(random.next() * 2 * pausesEveryMs);
      if (simulation.now() >= this.#end) return;
      const lasting = ofAlertsMs + 2 * HOUR_MS * random.next();
      if (!simulation.decide('deed.pause-long')) continue;
      simulation.trace({ who: 'admin', what: 'pause for long' });
      this.#busy += 1;
      await this.#pauseFor(ALERTS_ACCOUNT, lasting);
      this.#busy -= 1;
    }
  }

  #pause(random: Random): Promise<void> {
    const account = random.pick(['default', 'second']);
    return this.#pauseFor(account, MINUTE_MS * 10 ** (random.next() * 2.5));
  }

  async #pauseFor(account: string, lasting: number): Promise<void> {
    const { relay, simulation, urgent } = this.#host;
    if (account === ALERTS_ACCOUNT) urgent.paused(simulation.now());
    await relay.insist('POST', `/accounts/${account}/pause`);
    if (account === ALERTS_ACCOUNT) urgent.paused(simulation.now());
    await simulation.sleep(Math.min(lasting, Math.max(0, this.#end - simulation.now())));
    await this.#resume(account);
    simulation.trace({ who: 'admin', what: 'resume' });
  }

  /**
   * Waiting messages are sent before the answer is here; the account may have been paused long before, by an answer
   * of its gateway.
   */
  async #resume(account: string): Promise<void> {
    const { relay, simulation, alerts, urgent } = this.#host;
    const goesOn = (): void => {
      if (account !== ALERTS_ACCOUNT) return;
      alerts.heldUp(simulation.now());
      urgent.resumed(simulation.now());
    };
    goesOn();
    await relay.insist('POST', `/accounts/${account}/resume`);
    goesOn();
  }

  async #silence(random: Random): Promise<void> {
    const { relay, simulation, alerts, plan } = this.#host;
    const key = random.pick(plan.keys);
    const lasting = 10 * MINUTE_MS * 10 ** (random.next() * 1.5);
    const until = Math.floor(Math.min(simulation.now() + lasting, this.#end));
    const { status } = await relay.insist('POST', '/silences', {
      when: `item.key == "${key}"`,
      until: new Date(until).toISOString(),
      reason: 'maintenance',
    });
    if (status >= 300) return;
    alerts.holds.silenced(key, simulation.now(), until - MINUTE_MS);
  }

  async #changeList(random: Random): Promise<void> {
    const { simulation, alerts, plan } = this.#host;
    const before = this.#onCall;
    const phone = random.pick(ON_CALL);
    const next = before.includes(phone) ? before.filter((one) => one !== phone) : [...before, phone];
    if (next.length === 0) return;
    this.#onCall = next;
    this.#version += 1;
    const receivers = this.#receivers;
    const { turns } = plan;
    this.#join(this.#receiversAt(simulation.now()), simulation.now());
    if (turns !== null) {
      const since = onCallSince(turns, next, simulation.now());
      for (const one of this.#receivers) alerts.members.hasTurn(one, since);
    }
    await this.publish();
    // It takes some tries at times, in which the phone is on the list.
    this.#leave(receivers, simulation.now());
  }

  async #operate(random: Random, what: 'retry' | 'cancel', states: readonly string[]): Promise<void> {
    const { relay, simulation, messages } = this.#host;
    const { body } = await relay.insist(
      'GET',
      `/messages?state=${random.pick(states)}&source=orders&limit=20`,
    );
    const found = ordersIn(body);
    if (found.length === 0) return;
    const one = random.pick(found);
    const name = nameOf(one);
    if (what === 'retry') messages.again(name, simulation.now());
    const path = `/messages/${String(field(one, 'id'))}`;
    await relay.insist('POST', `${path}/${what}`);
    if (what === 'retry') return;
    // A call without an answer may have cancelled it; the next one is refused then.
    const { body: after } = await relay.insist('GET', path);
    // A small disk may have deleted it by then.
    const state = field(after, 'state');
    if (state === 'cancelled' || state === undefined) messages.cancelled(name);
  }

  async #replay(random: Random): Promise<void> {
    const { relay, simulation, messages } = this.#host;
    const { body } = await relay.insist('GET', '/messages?source=orders&limit=20');
    const found = ordersIn(body);
    if (found.length === 0) return;
    const one = random.pick(found);
    messages.again(nameOf(one), simulation.now());
    await relay.insist('POST', `/events/${String(field(one, 'event'))}/replay`);
  }

  /** Once faults have ended: whatever is paused goes on, and what waits for a person does not fill a small disk. */
  async resumeAll(): Promise<void> {
    const { relay, messages, plan } = this.#host;
    for (const account of ['default', 'second']) await this.#resume(account);
    if (!plan.isSmall) return;
    for (const one of await relay.list('/messages?state=uncertain&source=orders&limit=100')) {
      await relay.insist('POST', `/messages/${String(field(one, 'id'))}/cancel`);
      messages.cancelled(nameOf(one));
    }
  }
}

/** The listed messages, without digests of others: of these there may be several with one text. */
const ordersIn = (body: unknown): readonly unknown[] =>
  [field(body, 'items')].flat().filter((item) => typeof field(item, 'route') === 'string');

/** The model's name for a message. */
export const nameOf = (message: unknown): { phone: string; text: string } => ({
  phone: String(field(message, 'phone')),
  text: withoutLinks(String(field(field(message, 'params'), 'message'))),
});
