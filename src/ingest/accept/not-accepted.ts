import type { Problem } from '../../lib/problem.ts';
import type { Refusal } from '../../outbox/state/acceptance.ts';
import { MAX_EVENT_BYTES } from '../../outbox/state/bytes.ts';
import { BODY_TOO_LARGE } from '../request/body.ts';

/** The reason why an event was not accepted: the sender's answer, and the outbox's refusal if there is one. */
export interface NotAccepted {
  readonly problem: Problem;
  readonly refusal: Refusal | null;
}

/** Nothing is lost, because the sender sends it again. */
export const NOT_ACCEPTED = {
  status: 503,
  type: 'not-accepted',
  title: 'Not accepted',
  detail: 'The webhook could not be stored, so it was not accepted. Send it again.',
  headers: { 'retry-after': '5' },
} as const satisfies Problem;

/** The sender's answer to an outbox's refusal. */
export function notAccepted(refusal: Refusal): NotAccepted {
  if (refusal.by === 'load') return { problem: NOT_ACCEPTED, refusal: null };
  return {
    problem: refusal.by === 'storage' ? storageFull(refusal.waitMs) : tooManyWebhooks(refusal.waitMs),
    refusal,
  };
}

/** The account's object has hardly any space left: a clear answer is better than a commit that fails half-way. */
export const STORAGE_FULL = {
  status: 503,
  type: 'storage-full',
  title: 'Storage full',
  detail: 'There is no space to store this, so it was not accepted. Send it again later.',
} as const satisfies Problem;

export const storageFull = (waitMs: number): Problem => ({
  ...STORAGE_FULL,
  headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
});

/** The source is over its limit. Only its admin learns which limit. */
export const tooManyWebhooks = (waitMs: number): Problem => ({
  status: 429,
  type: 'too-many-webhooks',
  title: 'Too many webhooks',
  detail: 'This source has sent as much as it may for now. Send it again after `Retry-After` seconds.',
  headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
});

/** Sending it again would not help. `bytes`: the size of the event's row, without compression. */
export const tooLarge = (bytes: number): Problem & typeof BODY_TOO_LARGE => ({
  ...BODY_TOO_LARGE,
  detail: `The event has ${bytes} bytes as JSON, too many to be stored, even compressed: an event has at most ${MAX_EVENT_BYTES}. Send a smaller body.`,
});
