import type { About } from '../state/acceptance.ts';

/**
 * What the tail shows, one JSON text a frame: ids, names and states, never a payload, a parameter, a receiver or
 * a reason, which may quote them. `at` is ISO 8601.
 */
export type TailFrame = EventFrame | MessageFrame | RejectionFrame;

/** An event was accepted, or came again. */
export interface EventFrame {
  readonly type: 'event';
  readonly at: string;
  readonly event: string;
  readonly source: string;
  readonly event_type: string | null;
  readonly state: string;
  readonly duplicate: boolean;
  /** How many items wait to be told; absent: none. */
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
  readonly duration_ms?: number;
  /** What it tells, as numbers: a key may be the sender's text. */
  readonly about?: Omit<About, 'incidents'>;
  readonly account: string;
}

/** A webhook was rejected. */
export interface RejectionFrame {
  readonly type: 'rejection';
  readonly at: string;
  readonly source: string;
  readonly status: number;
  readonly reason: string;
}

/** What an outbox reports in one call. `dropped`: how many more frames there were. */
export interface TailBatch {
  readonly frames: readonly TailFrame[];
  readonly dropped: number;
  readonly account: string;
}

export const FRAME_TYPES = ['event', 'message', 'rejection'] as const;
