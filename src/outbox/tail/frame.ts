import type { About } from '../state/acceptance.ts';

/**
 * A line of the tail, one JSON text per frame: ids, names, states, reasons and subjects, never a payload, a parameter
 * or a receiver. `at` is ISO 8601.
 */
export type TailFrame = EventFrame | MessageFrame | RejectionFrame;

/** An event was accepted, or came again. */
export interface EventFrame {
  readonly type: 'event';
  readonly at: string;
  readonly event: string;
  readonly source: string;
  readonly event_type: string | null;
  /** By which lists show it; absent: it has no such line. */
  readonly subject?: string;
  readonly state: string;
  readonly duplicate: boolean;
  readonly reason?: string;
  /** The number of items that wait for a notification; absent: none. */
  readonly waiting?: number;
  readonly account: string;
}

/** A message reached a state; after an attempt, with its outcome. */
export interface MessageFrame {
  readonly type: 'message';
  readonly at: string;
  readonly message: string;
  readonly event: string | null;
  readonly source: string | null;
  readonly route: string | null;
  readonly kind: string;
  readonly state: string;
  readonly outcome?: string;
  readonly http_status?: number;
  /** The attempt's number, from 1. */
  readonly n?: number;
  /** Why it is in this state, when there is something to say. */
  readonly reason?: string;
  readonly next_attempt_at?: string;
  readonly duration_ms?: number;
  /** Its incidents, as numbers: a key may be the sender's text. */
  readonly about?: Omit<About, 'incidents'>;
  readonly account: string;
}

/** A webhook was rejected. */
export interface RejectionFrame {
  readonly type: 'rejection';
  /** Its number in the list of rejections. */
  readonly n: number;
  readonly at: string;
  readonly source: string;
  readonly status: number;
  readonly reason: string;
  readonly detail: string;
}

/** The frames that an outbox reports in one call. `dropped`: the number of frames that were left out. */
export interface TailBatch {
  readonly frames: readonly TailFrame[];
  readonly dropped: number;
  readonly account: string;
}

export const FRAME_TYPES = ['event', 'message', 'rejection'] as const;
