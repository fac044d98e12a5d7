import { createHash } from 'node:crypto';

/**
 * The signed part, if the signature does not cover every byte of the body: anyone who has seen the request can send
 * another body with it. So the signed part makes one event, whatever the rest of the request contains.
 */
export interface SignedOnce {
  /** The digest of each signed text, in hex: one for a request, or one for each element of a list. */
  readonly digests: readonly string[];
  /** The time from now for which such a request is still accepted, in ms; 0 for ever, since it has no time. */
  readonly freshMs: number;
}

/** What verified a request. */
export interface Match {
  /** Its index; null if the source needs none. */
  readonly secret: number | null;
  /** Null if the signature covers the body, or there is none. */
  readonly once: SignedOnce | null;
}

/** Returns a match for a request that shows a secret, or is signed as a whole. */
export const bySecret = (secret: number): Match => ({ secret, once: null });

export const digestOf = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex');

/** A time may be as far ahead as behind, so a request can be accepted for twice the tolerance (ms). */
export const freshFor = (tolerance: number | undefined): number => 2 * (tolerance ?? 0);
