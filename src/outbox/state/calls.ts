import { REACH_CALLS } from '../../gateway/client.ts';
import { leftOfRun, type Standing } from '../../lib/shares.ts';
import type { MessageRow } from './message.ts';

/** A run of an alarm may make 50 calls on the free plan, 10,000 on the paid one; more fail without a word of that. */

/** A message takes a check that the gateway can be reached, and the call. */
const MAX_CALLS_OF_ONE = 1 + REACH_CALLS;

export const callsOf = ({ on_uncertain }: Pick<MessageRow, 'on_uncertain'>): number =>
  on_uncertain === 'hold' ? MAX_CALLS_OF_ONE : 1;

/** The free plan's limit. The var `CALLS_PER_RUN` changes it. */
const DEFAULT_CALLS_PER_RUN = 50;
/** With fewer calls, a run could not send a message and report its outcome. */
const MIN_CALLS_PER_RUN = 10;
export const MAX_CALLS_PER_RUN = 10_000;

/** Kept back from messages: reads of the configuration, notifications to the owner. */
const RESERVE = 8;

export function callsPerRun(text: string | undefined): number {
  const number = text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return number >= MIN_CALLS_PER_RUN && number <= MAX_CALLS_PER_RUN ? number : DEFAULT_CALLS_PER_RUN;
}

/** Counts the calls of one run: of the gateway, KV, other objects and the owner's channel. */
export class Calls {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  begin(): void {
    this.#spent = 0;
  }

  spend(calls = 1): void {
    this.#spent += calls;
  }

  /** The platform refused a call, so none are left. */
  exhaust(): void {
    this.#spent = this.#limit;
  }

  /** For anything but messages. */
  get left(): number {
    return Math.max(0, this.#limit - this.#spent);
  }

  /** The number of messages of a standing that may still be sent, whichever they are. */
  messagesOf(standing: Standing): number {
    const most = this.#limit - RESERVE;
    return Math.max(0, Math.floor((most - leftOfRun(standing, most) - this.#spent) / MAX_CALLS_OF_ONE));
  }
}
