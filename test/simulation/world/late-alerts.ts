import type { Change } from '../model/changes.ts';
import type { Random } from '../simulation.ts';
import type { WorldHost } from './host.ts';
import { TOLD_NAME } from './plan.ts';

/** An alert as the monitor posts it; `at`: since when it is so (ISO 8601), if it says that. */
export interface PostedAlert extends Pick<Change, 'status' | 'severity'> {
  readonly key: string;
  readonly at?: string;
}

/** Old alerts are kept for so many posts. */
const MOST = 200;

/** A second sender of the monitor: it posts again, or late, what was so before. None of that is so any more. */
export class LateAlerts {
  readonly #host: WorldHost;
  readonly #old: PostedAlert[] = [];
  /** The time of the newest alert of a key that was accepted. */
  readonly #newest = new Map<string, string>();
  /** The time of the newest end of a key that was accepted. */
  readonly #ended = new Map<string, string>();
  /** The time that the newest acknowledgement of a key gave. */
  readonly #acknowledged = new Map<string, string>();

  constructor(host: WorldHost) {
    this.#host = host;
  }

  /** True if the webhook of a new problem is held up: it comes only after something newer. */
  isHeldUp(alert: PostedAlert): boolean {
    const { plan, random, simulation } = this.#host;
    if (!plan.tells || !random.fork(`late ${alert.key} ${alert.at}`).chance(0.2)) return false;
    if (!simulation.decide('webhook.held-up')) return false;
    this.#keep(alert);
    return true;
  }

  accepted(alert: PostedAlert): void {
    if (alert.at === undefined) return;
    this.#newest.set(alert.key, alert.at);
    if (alert.status === 'resolved') this.#ended.set(alert.key, alert.at);
    this.#keep(alert);
  }

  #keep(alert: PostedAlert): void {
    this.#old.push(alert);
    if (this.#old.length > MOST) this.#old.shift();
  }

  /** Whoever hears these again would take them for new: the route has another name. */
  forget(): void {
    this.#old.length = 0;
  }

  /** The model hears nothing of it: it must change nothing. */
  async post(random: Random): Promise<void> {
    const { simulation, relay } = this.#host;
    // Of equal times the end wins. Where a clock was behind, they need not be equal to the relay.
    const isEnded = ({ key, status, at = '' }: PostedAlert): boolean =>
      status === 'firing' && at === this.#ended.get(key) && simulation.clockOffMs(Date.parse(at)) === 0;
    const late = this.#old.filter(
      (one) => (one.at ?? '') < (this.#newest.get(one.key) ?? '') || isEnded(one),
    );
    if (late.length === 0) return;
    const alert = random.pick(late);
    if (!simulation.decide('webhook.late')) return;
    const { status } = await relay.post('monitor', JSON.stringify({ alerts: [alert] }));
    simulation.count('webhooks');
    simulation.trace({
      who: 'second monitor',
      what: `is answered ${status}`,
      detail: { said: Object.values(alert).join(' ') },
    });
  }

  /** Somebody acknowledges one of these at the monitor. */
  async acknowledge(random: Random, firing: readonly PostedAlert[]): Promise<void> {
    const { simulation, relay, alerts, plan } = this.#host;
    if (firing.length === 0) return;
    const { key, at: begunAt } = random.pick(firing);
    if (!simulation.decide('webhook.acknowledged')) return;
    const requestedAt = simulation.now();
    const token = `told ${key} ${requestedAt}`;
    const link = {
      token,
      action: 'ack',
      phone: '',
      by: TOLD_NAME,
      keys: [key],
      isWide: false,
      order: null,
    } as const;
    const press = alerts.presses.begins(link, requestedAt);
    const at = plan.tellsBegin ? begunAt : new Date(requestedAt).toISOString();
    this.#acknowledged.set(key, at ?? '');
    const item = { key, status: 'acknowledged', at, by: TOLD_NAME };
    const { status } = await relay.post('monitor', JSON.stringify({ alerts: [item] }));
    simulation.trace({ who: 'monitor', what: `is answered ${status}`, detail: { acknowledged: key } });
    if (status === 202) alerts.presses.told(press, simulation.now());
    else alerts.presses.gaveUp(press, simulation.now());
  }

  /** True if an acknowledgement may be newer than this, which then changes nothing. */
  mayBeOutdated({ key, at }: PostedAlert): boolean {
    return at !== undefined && at < (this.#acknowledged.get(key) ?? '');
  }
}
