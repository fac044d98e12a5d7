import { describeError, log } from '../lib/log.ts';
import type { Alarm } from '../lib/alarm.ts';
import type { AccountConfig } from './account-config.ts';
import type { Schedule } from './schedule.ts';
import type { Dispatch } from './send/dispatch.ts';
import type { Ready } from './send/ready-rows.ts';
import type { Calls } from './state/calls.ts';

/** After a fault (a broken read, a bug) sending is tried again after this, for ever. */
const RETRY_MS = 30_000;

interface DeliveryDeps {
  readonly alarm: Alarm;
  readonly calls: Calls;
  readonly config: AccountConfig;
  readonly dispatch: Dispatch;
  readonly schedule: Schedule;
  readonly account: () => string;
  readonly clock: () => number;
}

/**
 * Starts sending: by the commit that accepts a message, or by the alarm. A commit claims what may go at once, so that
 * the claim and the message reach the disk together, and the calls go out with the sender's answer.
 */
export class Delivery {
  readonly #deps: DeliveryDeps;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** Messages are accepted in the surrounding commit, at whose end they are claimed. */
  accepted(messages: readonly Ready[], now: number): void {
    this.#deps.dispatch.claims.accepted(messages);
    this.#go(now);
  }

  /** Waiting messages, or what decides when they go, were changed by a person or a publish. */
  wake(now: number): void {
    const { dispatch } = this.#deps;
    dispatch.claims.queue.changed(now);
    if (dispatch.running) dispatch.notify();
    this.#go(now);
  }

  /** The object has started: what its last instance left is sent at once, and not when the alarm comes. */
  resume(): void {
    const { claims, running } = this.#deps.dispatch;
    const isLeft = claims.flight.interrupted.length > 0 || claims.queue.atMost > 0;
    if (!isLeft || running || this.#deps.alarm.isRunning) return;
    this.#deps.calls.begin();
    void this.#start();
  }

  /** Logs a fault, and has the alarm try again. */
  failed(thrown: unknown): void {
    const { alarm, account, clock } = this.#deps;
    log('error', 'outbox.alarm.failed', { account: account(), error: describeError(thrown) });
    alarm.bringForward(clock() + RETRY_MS);
  }

  #go(now: number): void {
    const { alarm, calls, clock, config, dispatch, schedule } = this.#deps;
    const policy = config.policyNow(now);
    const nextAt = policy === null ? now : dispatch.timing.nextRunAt(policy);
    if (nextAt === null) return;
    // The platform counts an alarm's calls until its other work has ended as well. Then it comes again.
    const isAlarms = alarm.isRunning && !dispatch.running;
    if (nextAt > clock() || isAlarms) return schedule.wake(now, nextAt);
    schedule.stretchNet(now);
    if (dispatch.running) return;
    calls.begin();
    void this.#start();
  }

  /** A run of its own, below which the alarm is the net. Never throws. */
  async #start(): Promise<void> {
    const { config, dispatch, schedule } = this.#deps;
    try {
      await dispatch.run();
      schedule.arm(config.known);
    } catch (thrown) {
      this.failed(thrown);
    }
  }
}
