import type { EventFrame, MessageFrame, RejectionFrame } from '../answers/api-frame.ts';

/**
 * A line of the tail, one JSON text per frame: ids, names, states, reasons and subjects, never a payload, a parameter
 * or a receiver. `at` is ISO 8601.
 */
export type TailFrame = EventFrame | MessageFrame | RejectionFrame;

/** The frames that an outbox reports in one call. `dropped`: the number of frames that were left out. */
export interface TailBatch {
  readonly frames: readonly TailFrame[];
  readonly dropped: number;
  readonly account: string;
}

export const FRAME_TYPES = ['event', 'message', 'rejection'] as const;
