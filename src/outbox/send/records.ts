import type { AccountPolicy } from '../../config/config.ts';
import { NO_CALL } from '../../gateway/client.ts';
import type { Claims, Host } from './claims.ts';
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

  /** Writes the text of a claim with the last record; null: there is none that is not written yet. */
  get host(): Host {
    return this.#recorder.isHeld ? (claim) => this.#recorder.write(claim) : null;
  }

  /** Records the calls that have ended since this was last called. */
  recordEnded(policy: AccountPolicy): void {
    const { flight } = this.#claims;
    this.#writeAgain();
    for (const ended of flight.takeEnded()) {
      this.writeHeld();
      try {
        this.#record(ended, policy);
      } catch (thrown) {
        flight.endAgain(ended, thrown);
      }
    }
  }

  #record(ended: EndedCall, policy: AccountPolicy): void {
    const { flight, queue } = this.#claims;
    const { entry, startedAt, result } = ended;
    if (result === NO_CALL) return this.#claims.putBack(entry);
    if (!flight.isAgain(entry) || flight.isUnrecorded(entry)) {
      const follow = this.#recorder.record(ended, startedAt, result, policy);
      // The record stands whatever comes of it.
      try {
        follow();
      } catch (thrown) {
        flight.fail(thrown);
      }
    }
    flight.remove(entry);
    queue.turns.release(entry);
    flight.recording = this.#recorder.isHeld ? entry : null;
  }

  /** Writes the row of the last record without a claim, unless it was written with one. */
  writeHeld(): void {
    const { flight } = this.#claims;
    const { recording } = flight;
    if (recording === null) return;
    flight.recording = null;
    if (!this.#recorder.isHeld) return;
    const write = this.#recorder.take();
    try {
      write();
    } catch (thrown) {
      flight.unwritten.set(recording, write);
      flight.fail(thrown);
    }
  }

  #writeAgain(): void {
    const { flight } = this.#claims;
    for (const [entry, write] of flight.unwritten) {
      try {
        write();
        flight.unwritten.delete(entry);
      } catch (thrown) {
        flight.fail(thrown);
      }
    }
  }

  /** Records the calls that were under way when the object stopped. */
  settleInterrupted(policy: AccountPolicy): void {
    const { flight, queue } = this.#claims;
    if (flight.interrupted.length === 0) return;
    this.writeHeld();
    for (const entry of flight.interrupted) {
      if (flight.isUnrecorded(entry)) this.#recorder.recordInterrupted(entry, policy);
      queue.turns.release(entry);
    }
    flight.settled();
  }
}
