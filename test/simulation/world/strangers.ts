import { isBlocked, type UrgentModel } from '../model/strangers.ts';
import type { Random, Simulation } from '../simulation.ts';
import { field, type Relay } from './relay.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Anybody may post to a guest book, and floods it. Beside it a ward has alerts that are urgent. */
export interface Strangers {
  readonly floodsEveryMs: number;
  /** The answer of the gateway's firewall to some of their texts, whoever sends them. */
  readonly blockedWith: 'status 403' | 'status 500';
  /** Their messages have a priority that they do not get. */
  readonly isHigh: boolean;
  /** The first contacts that an account makes in a day; null: no limit. */
  readonly newContacts: number | null;
}

export function strangersOf(random: Random): Strangers | null {
  if (!random.chance(0.25)) return null;
  return {
    floodsEveryMs: random.pick([6, 12]) * HOUR_MS,
    blockedWith: random.pick(['status 403', 'status 500']),
    isHigh: random.chance(0.5),
    newContacts: random.chance(0.5) ? 30 : null,
  };
}

/** The number of posts of a flood at most, so that a seed does not cost too much. */
const MOST_POSTS = 240;

/** On call as well, and never out; the second one is called if an alert is not over by then. */
export const WARD = ['4915122345602', '4915122345603'] as const;
export const WARD_STEP = { afterMs: 10 * MINUTE_MS, phones: ['4915142345606'] } as const;
const OWNERS = ['4915122345601', ...WARD] as const;

/** The sources of both, as documents. */
export const sourcesOf = ({ isHigh }: Strangers, signed: object): object => ({
  guests: {
    provider: 'generic',
    verify: { scheme: 'none' },
    routes: [
      {
        name: 'owner',
        to: '{{ payload.owner }}',
        expires: '1h',
        ...(isHigh && { priority: 'high' }),
        send: {
          kind: 'text',
          message: 'guest {{ payload.n }}{% if payload.blocked %} <script>alert(1)</script>{% endif %}',
        },
      },
      {
        name: 'visitor',
        to: '{{ payload.visitor }}',
        expires: '1h',
        send: { kind: 'text', message: 'guest {{ payload.n }}, thanks' },
      },
      {
        name: 'complaint',
        when: 'payload.complaint',
        to: ['ward'],
        incident: { key: 'g{{ payload.n }}', expires: '1h' },
        ...(isHigh && { priority: 'high' }),
        send: { kind: 'text', message: 'guest {{ payload.n }} complains' },
      },
    ],
  },
  ward: {
    provider: 'generic',
    ...signed,
    routes: [
      {
        name: 'alert',
        to: ['ward'],
        priority: 'high',
        incident: { key: '{{ payload.key }}', resolved: 'payload.resolved', expires: '7d' },
        escalate: [{ after: `${WARD_STEP.afterMs / MINUTE_MS}m`, to: ['ward-step'] }],
        send: { kind: 'text', message: 'ward {% if resolved_at %}-{% else %}+{% endif %}{{ key }}' },
      },
    ],
  },
});

export const LISTS = { ward: { numbers: WARD }, 'ward-step': { numbers: WARD_STEP.phones } } as const;

interface StrangersHost {
  readonly simulation: Simulation;
  readonly random: Random;
  readonly relay: Relay;
  readonly urgent: UrgentModel;
  readonly account: string;
}

/** Strangers who flood the guest book, and the ward beside them. */
export class Flood {
  readonly #host: StrangersHost;
  readonly #end: number;
  #busy = 0;
  #guests = 0;
  #alerts = 0;

  constructor(host: StrangersHost) {
    this.#host = host;
    this.#end = host.simulation.startedAt + host.simulation.duration;
  }

  /** Nobody waits for an answer. */
  get areDone(): boolean {
    return this.#busy === 0;
  }

  start({ floodsEveryMs }: Strangers): void {
    const every = (name: string, meanMs: number, deed: (random: Random) => Promise<void> | void): void => {
      const { simulation, random } = this.#host;
      const own = random.fork(name);
      simulation.spawn(name, async () => {
        for (;;) {
          await simulation.sleep(own.next() * 2 * meanMs);
          if (simulation.now() >= this.#end) return;
          await deed(own);
        }
      });
    };
    every('floods', floodsEveryMs, (own) => this.#flood(own));
    every('ward', HOUR_MS, (own) => this.#alert(own));
  }

  async #flood(random: Random): Promise<void> {
    const { simulation } = this.#host;
    const minutes = random.pick([2, 10, 120]);
    const own = random.fork(`flood ${simulation.now()}`);
    if (!simulation.decide('flood')) return;
    simulation.trace({ who: 'strangers', what: 'flood', detail: { minutes } });
    const posts = Math.min(60 * minutes, MOST_POSTS);
    for (let count = 0; count < posts; count += 1) {
      await simulation.sleep((own.next() * 2 * minutes * MINUTE_MS) / posts);
      if (simulation.now() >= this.#end) return;
      await this.#guest(own);
      if (own.chance(0.12)) this.#alert(own);
      if (own.chance(0.1)) await this.#look();
    }
    await this.#look();
  }

  async #guest(random: Random): Promise<void> {
    const { simulation, relay } = this.#host;
    const n = (this.#guests += 1);
    const body = {
      n,
      owner: `+${random.pick(OWNERS)}`,
      visitor: `+4915150${random.int(100_000, 999_999)}`,
      blocked: random.chance(0.3),
      complaint: random.chance(0.2),
    };
    const { status } = await relay.post('guests', JSON.stringify(body));
    simulation.count('webhooks');
    simulation.trace({ who: 'stranger', what: `is answered ${status}`, detail: { n } });
  }

  /** The state of the account, as a person sees it. */
  async #look(): Promise<void> {
    const { simulation, relay, urgent, account } = this.#host;
    const at = simulation.now();
    const { status, body } = await relay.admin('GET', `/accounts/${account}/status`);
    if (status !== 200) return;
    const isPaused = field(field(body, 'paused'), 'by') === 'gateway';
    urgent.says({ isPaused, isOpen: field(field(body, 'circuit'), 'state') === 'open' }, at);
  }

  /** The ward has an alert, which ends by itself. */
  #alert(random: Random): void {
    const { simulation, urgent } = this.#host;
    const key = `w${(this.#alerts += 1)}`;
    const lasting = 20_000 * 100 ** random.next();
    if (!simulation.decide('webhook.ward')) return;
    simulation.spawn(`ward ${key}`, async () => {
      const requestedAt = simulation.now();
      await this.#post({ key });
      urgent.accepted(key, requestedAt, simulation.now());
      await simulation.sleep(lasting);
      if (simulation.now() >= this.#end) return;
      urgent.ended(key, simulation.now());
      await this.#post({ key, resolved: true });
    });
  }

  async #post(body: object): Promise<void> {
    const { simulation, relay } = this.#host;
    this.#busy += 1;
    for (;;) {
      const { status } = await relay.post('ward', JSON.stringify(body));
      simulation.count('webhooks');
      simulation.trace({ who: 'ward', what: `is answered ${status}`, detail: { ...body } });
      if (status === 202) break;
      if (status > 0 && status < 500) simulation.report('a good webhook is accepted', `ward: ${status}`);
      await simulation.sleep(5_000);
    }
    this.#busy -= 1;
  }
}

/** The way in which the gateway's firewall answers a text; null: it lets it through. */
export const firewallOf =
  (strangers: Strangers | null) =>
  (text: string): Strangers['blockedWith'] | null =>
    strangers !== null && isBlocked({ text }) ? strangers.blockedWith : null;
