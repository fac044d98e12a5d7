import type { OwnerNotifications } from './owner-notifications.ts';
import type { Loop } from './loop.ts';
import type { Claims } from './send/claims.ts';
import type { Acceptance, Receipt } from './state/acceptance.ts';
import type { Meta, Pause } from './state/meta.ts';

interface AccountPauseDeps {
  readonly meta: Meta;
  readonly owner: OwnerNotifications;
  readonly claims: Claims;
  readonly loop: Pick<Loop<Acceptance, Receipt>, 'now'>;
  readonly clock: () => number;
}

/** A person pauses and resumes an account. */
export class AccountPause {
  readonly #deps: AccountPauseDeps;

  constructor(deps: AccountPauseDeps) {
    this.#deps = deps;
  }

  /** Holds back all messages until {@link resume}. `by`: who asked. */
  pause(by: string, reason: string): void {
    this.#change({ at: this.#deps.clock(), by, reason });
  }

  /** Ends any pause, and lets an open circuit probe at once. */
  resume(): void {
    const { claims, clock, loop, meta } = this.#deps;
    loop.now(() => {
      if (meta.circuit.probeAt !== null) meta.circuit = { ...meta.circuit, probeAt: clock() };
      this.#change(null);
      claims.queue.changed(clock());
    });
  }

  #change(pause: Pause | null): void {
    const { meta, owner } = this.#deps;
    const before = { pause: meta.pause, circuit: meta.circuit };
    meta.pause = pause;
    // After a pause, 403s are counted from the first again.
    meta.forbidden = null;
    owner.paused(before);
  }
}
