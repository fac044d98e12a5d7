import type { AccountPolicy } from '../../config/config.ts';
import { NO_CALL } from '../../gateway/client.ts';
import type { Claims } from './claims.ts';
import type { EndedCall } from './flight.ts';
import type { Recorder } from './recorder.ts';

/**
 * Records the calls that have ended. A record that cannot be written, on a disk that is full for a moment, is tried
 * again in each later commit: the gateway has answered, and nothing may be sent again because of a failed write. Only
 * another instance, which has no answer, takes such a call for interrupted.
 */
export class Records {
  readonly #recorder: Recorder;
  readonly #claims: Claims;

  constructor(recorder: Recorder, claims: Claims) {
    this.#recorder = recorder;
    this.#claims = claims;
  }

  /** Records the calls that have ended since this was last called. */
  recordEnded(policy: AccountPolicy): void {
    const { flight } = this.#claims;
    for (const ended of flight.takeEnded())
      try {
        this.#record(ended, policy);
      } catch (thrown) {
        flight.endAgain(ended, thrown);
      }
  }

  #record(ended: EndedCall, policy: AccountPolicy): void {
    const { flight, queue } = this.#claims;
    const { entry, result } = ended;
    if (result === NO_CALL) return this.#claims.putBack(entry);
    const follow = this.#recorder.record(ended, ended, result, policy);
    flight.remove(entry);
    queue.turns.release(entry);
    // The record stands whatever comes of it.
    try {
      follow();
    } catch (thrown) {
      flight.fail(thrown);
    }
  }

  /** Records the calls that were under way when the object stopped. */
  settleInterrupted(policy: AccountPolicy): void {
    const { flight, queue } = this.#claims;
    if (flight.interrupted.length === 0) return;
    for (const entry of flight.interrupted) {
      if (flight.isUnrecorded(entry)) this.#recorder.recordInterrupted(entry, policy);
      queue.turns.release(entry);
    }
    flight.settled();
  }
}
