import { REACH_CALLS } from '../../gateway/reach.ts';
import type { MessageRow } from './message.ts';

/**
 * The platform counts the calls that one run of an alarm makes: 50 on the free plan, 10,000 on the paid one. Beyond that
 * each call fails with "Too many subrequests", which says nothing of the gateway.
 */

/** What a message takes at most: a look whether the gateway is there, and the call. */
export const MAX_CALLS_OF_ONE = 1 + REACH_CALLS;

/** How many calls of the platform's count the message takes at most. */
export const callsOf = ({ on_uncertain }: Pick<MessageRow, 'on_uncertain'>): number =>
  on_uncertain === 'hold' ? MAX_CALLS_OF_ONE : 1;

/** For the free plan. The var `CALLS_PER_RUN` raises it. */
export const DEFAULT_CALLS_PER_RUN = 50;
/** Below this no run could send and say what became of it. */
const MIN_CALLS_PER_RUN = 10;
/** The paid plan's own limit. */
export const MAX_CALLS_PER_RUN = 10_000;

/** Kept back from messages: reads of the configuration, notifications to the owner, the tail. */
const RESERVE = 8;

/** The var's number; one that is none, or out of range, is the default. */
export function callsPerRun(text: string | undefined): number {
  const number = text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return number >= MIN_CALLS_PER_RUN && number <= MAX_CALLS_PER_RUN ? number : DEFAULT_CALLS_PER_RUN;
}

/** What one run has called so far: the gateway, KV, other objects, the owner's channel. */
export class Calls {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A new run begins, and the platform counts anew. */
  begin(): void {
    this.#spent = 0;
  }

  spend(calls = 1): void {
    this.#spent += calls;
  }

  /** The platform itself said that there are none left. */
  exhaust(): void {
    this.#spent = this.#limit;
  }

  /** Whether one more may be made beside the messages'. */
  get isAnyLeft(): boolean {
    return this.left > 0;
  }

  /** How many may be made beside the messages'. */
  get left(): number {
    return Math.max(0, this.#limit - this.#spent);
  }

  /** How many the messages may still have. */
  get forMessages(): number {
    return Math.max(0, this.#limit - RESERVE - this.#spent);
  }
}
